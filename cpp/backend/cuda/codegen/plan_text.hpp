// Prints the values of a plan as CUDA text: calls into the op headers, one local constant a value, memory by words.
#pragma once
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backend/cuda/codegen/iteration_space.hpp"
#include "backend/cuda/device/device.hpp"

namespace bascule::cuda {

// A part of a translation unit under construction: its text and the words that its kernels take, numbered alike.
class kernel_text {
public:
    void line(std::string const& text) { lines_ += text + "\n"; }
    std::string word(std::uint64_t value);  // "p[7]"
    std::string take_lines();               // the text written since the last take
    void kernel(std::string name, std::string body) { kernels_.emplace_back(std::move(name), std::move(body)); }
    // A header that the written text needs, by the name it is embedded under.
    void needs(std::string header) { headers_.insert(std::move(header)); }
    // The definitions, without a namespace; text that was written and not taken comes before the kernels.
    std::string definitions() const;
    // A unit of this part alone.
    std::string unit() const { return unit_of({this}); }
    // All parts of a plan are one unit, compiled at once; their kernels have different names.
    static std::string unit_of(std::vector<kernel_text const*> const& parts);
    words& parameters() { return words_; }

private:
    std::string lines_;
    std::vector<std::pair<std::string, std::string>> kernels_;
    std::set<std::string> headers_;
    words words_;
};

// Whether a value's floating-point errors are checked. Booleans have none.
bool is_checked(plan const&, plan_value const&);

// Which values these need.
std::vector<bool> live_values(plan const&, std::vector<int> const& roots);

// Prints values one after the other; derived classes know the text of operands and iotas.
class value_printer {
public:
    value_printer(plan const&, iteration_space const&, kernel_text&);
    virtual ~value_printer() = default;
    value_printer(value_printer const&) = delete;
    value_printer& operator=(value_printer const&) = delete;

    // Name of the constant that holds a printed value.
    std::string const& name(int v) const { return names_[static_cast<std::size_t>(v)]; }
    // Checked values that were printed; each or-s its errors into the element of `flags` at its index here.
    std::vector<int> const& checked() const { return checked_; }

    std::vector<bool> live(std::vector<int> const& roots) const { return live_values(plan_, roots); }

protected:
    // Lines that compute `roots` and the values they depend on.
    void print_values(std::vector<int> const& roots);
    virtual std::string load(int operand) = 0;
    virtual std::string iota(laid_operand const&) = 0;
    // Coordinates along `dims`, of the item with this number among them: constants i0, i1, ...
    void print_coordinates(std::vector<int> const& dims, std::string const& position);
    // "number / extent" and "number % extent", of extents that the text does not know.
    void print_division(std::string const& quotient, std::string const& rest, std::string const& number,
                        std::int64_t extent);
    std::string signed_word(std::int64_t s) {
        return std::string("(") + signed_ + ")" + text_.word(static_cast<std::uint64_t>(s));
    }
    std::string coordinate_times_stride(int d, laid_operand const& o) {
        return "i" + std::to_string(d) + " * " + signed_word(o.strides[static_cast<std::size_t>(d)]);
    }

    plan const& plan_;
    iteration_space const& space_;
    kernel_text& text_;
    char const* signed_;
    char const* unsigned_;

private:
    void print_value(int v);
    std::string expression(plan_value const&);
    std::string constant(plan_value const&);
    std::string operation(plan_value const&);

    std::vector<int> checked_;
    std::vector<std::string> names_;  // numbered as printed, so that unused values leave no gap
};

// The position of an item, as expressions: its number among the kept dimensions, the outer reduced ones and those of a
// run.
struct item_position {
    std::string kept = "0", outer = "0", run = "0";
};

// Values at one item of a space that is reduced.
class item_printer final : public value_printer {
public:
    using value_printer::value_printer;
    // Lines that compute `roots` and the values they depend on at an item, coordinates included.
    void print(std::vector<int> const& roots, item_position const&);
    // Byte address, as an integer, of a reduction's result for the number `kept`, and the lines before it.
    std::string result_address(laid_operand const&);

private:
    std::string load(int operand) override;
    std::string iota(laid_operand const&) override;
    void print_group(axis_role, std::string const& position);
};

}  // namespace bascule::cuda
