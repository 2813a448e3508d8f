// Prints the values of a plan as CUDA text: calls into the op headers, one local constant a value, memory by words.
#pragma once
#include <string>
#include <vector>

#include "backend/cuda/device.hpp"
#include "backend/cuda/iteration_space.hpp"

namespace bascule::cuda {

// A translation unit under construction: its text and the words that its kernel takes, numbered alike.
class kernel_text {
public:
    void line(std::string const& text) { body_ += text + "\n"; }
    std::string word(std::uint64_t value);  // "p[7]"
    // The whole unit with one kernel `name`; `prelude` comes before it.
    std::string unit(std::string const& name, std::string const& includes, std::string const& prelude) const;
    words const& parameters() const { return words_; }
    int count() const { return static_cast<int>(words_.size()); }

private:
    std::string body_;
    words words_;
};

class value_printer {
public:
    value_printer(plan const&, iteration_space const&, kernel_text&);

    // Lines that compute what `roots` need at item `position` of the space (an expression), coordinates included.
    void print(std::vector<int> const& roots, std::string const& position);
    // Address of an operand's element at the item last printed.
    std::string address(laid_operand const&);
    std::string flags_line();  // empty if no printed value is checked

private:
    std::vector<bool> live(std::vector<int> const& roots) const;
    void print_coordinates(std::string const& position);
    void print_value(int v);
    std::string expression(plan_value const&);
    std::string constant(plan_value const&);
    std::string iota(plan_value const&);
    std::string operation(plan_value const&);
    std::string offset(laid_operand const&, int dims);
    std::string stride(std::int64_t s) { return std::string("(") + signed_ + ")" + text_.word(static_cast<std::uint64_t>(s)); }

    plan const& plan_;
    iteration_space const& space_;
    kernel_text& text_;
    char const* signed_;
    char const* unsigned_;
    std::string checks_;
};

}  // namespace bascule::cuda
