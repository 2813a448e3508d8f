// Words, numbers and signs of a PTX text.
#pragma once
#include "text.hpp"

#include <string_view>

namespace bascule::ptx {

enum class token_kind : std::uint8_t { end, word, number, string, sign };
struct token {
    token_kind kind = token_kind::end;
    std::string_view text{};
    int line = 0;
};

class tokens {
public:
    explicit tokens(std::string_view text) : text_(text) { advance(); }

    token const& next() const { return next_; }
    token take();
    bool is(std::string_view text) const { return next_.kind != token_kind::end && next_.text == text; }
    bool accept(std::string_view text);
    void expect(std::string_view text);
    void skip_line();           // the rest of the line of the token at hand
    void skip_past(char last);  // up to and including this sign
    [[noreturn]] void refuse(std::string const& why) const;

private:
    void advance();
    void skip_spaces();

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
    token next_{};
};

// A number as PTX writes it: decimal, 0x, 0 octal, 0b, or the bits of a float, 0f and 0d.
operand number_of(tokens const& from, std::string_view text);

}  // namespace bascule::ptx
