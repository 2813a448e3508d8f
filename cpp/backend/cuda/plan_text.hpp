// Prints the values of a plan as CUDA text: calls into the op headers, one local constant a value, memory by words.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "backend/cuda/device.hpp"
#include "backend/cuda/iteration_space.hpp"

namespace bascule::cuda {

// A part of a translation unit under construction: its text and the words that its kernels take, numbered alike.
class kernel_text {
public:
    void line(std::string const& text) { lines_ += text + "\n"; }
    std::string word(std::uint64_t value);  // "p[7]"
    std::string take_lines();               // what was written since the last take
    void kernel(std::string name, std::string body) { kernels_.emplace_back(std::move(name), std::move(body)); }
    // The definitions, without a namespace; what was written and not taken comes before the kernels.
    std::string definitions() const;
    // A unit of this part alone.
    std::string unit() const { return unit_of({this}); }
    // All parts of a plan are one unit, compiled at once; their kernels have different names.
    static std::string unit_of(std::vector<kernel_text const*> const& parts);
    words& parameters() { return words_; }

private:
    std::string lines_;
    std::vector<std::pair<std::string, std::string>> kernels_;
    words words_;
};

// Where an item lies, as expressions: its number among the kept dimensions, the outer reduced ones and those of a run.
struct item_position {
    std::string kept = "0", outer = "0", run = "0";
};

class value_printer {
public:
    value_printer(plan const&, iteration_space const&, kernel_text&);

    // Lines that compute what `roots` need at an item, coordinates included.
    void print(std::vector<int> const& roots, item_position const&);
    void print_coordinates(item_position const&);
    // Address of an operand's element at the item last printed.
    std::string address(laid_operand const&);
    // Name of the constant that holds a printed value.
    std::string const& name(int v) const { return names_[static_cast<std::size_t>(v)]; }
    // Byte address, as an integer, of a reduction's result for the kept coordinates last printed.
    std::string result_address(laid_operand const&);
    // Checked values that were printed; each or-s what it raises into flags[its place here].
    std::vector<int> const& checked() const { return checked_; }

private:
    std::vector<bool> live(std::vector<int> const& roots) const;
    void print_group(axis_role group, std::string const& position);
    void print_value(int v);
    std::string expression(plan_value const&);
    std::string constant(plan_value const&);
    std::string iota(plan_value const&);
    std::string operation(plan_value const&);
    std::string offset(laid_operand const&);
    std::string stride(std::int64_t s) {
        return std::string("(") + signed_ + ")" + text_.word(static_cast<std::uint64_t>(s));
    }

    plan const& plan_;
    iteration_space const& space_;
    kernel_text& text_;
    char const* signed_;
    char const* unsigned_;
    std::vector<int> checked_;
    std::vector<std::string> names_;  // numbered as printed, so that values nobody needs leave no trace
};

}  // namespace bascule::cuda
