#include "tokens.hpp"

#include <bit>
#include <cctype>
#include <cstdlib>

namespace bascule::ptx {
namespace {

bool begins_word(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.';
}
bool is_in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.'; }

}  // namespace

void tokens::refuse(std::string const& why) const {
    throw syntax_error("PTX line " + std::to_string(next_.line) + ": " + why +
                       (next_.text.empty() ? "" : ", at " + std::string(next_.text)));
}

void tokens::skip_spaces() {
    while (at_ < text_.size()) {
        char const c = text_[at_];
        if (c == '\n') ++line_, ++at_;
        else if (std::isspace(static_cast<unsigned char>(c)) || c == '\0') ++at_;
        else if (text_.substr(at_, 2) == "//") at_ = std::min(text_.find('\n', at_), text_.size());
        else if (text_.substr(at_, 2) == "/*") {
            std::size_t const end = std::min(text_.find("*/", at_), text_.size() - 2) + 2;
            for (; at_ < end; ++at_) line_ += text_[at_] == '\n';
        } else break;
    }
}

void tokens::advance() {
    skip_spaces();
    std::size_t const start = at_;
    if (at_ >= text_.size()) {
        next_ = {token_kind::end, {}, line_};
        return;
    }
    char const c = text_[at_++];
    token_kind kind = token_kind::sign;
    bool const number = std::isdigit(static_cast<unsigned char>(c));
    if (number || begins_word(c)) {
        kind = number ? token_kind::number : token_kind::word;
        for (; at_ < text_.size(); ++at_) {
            bool const cache_hint = text_.substr(at_, 2) == "::";  // ld.global.L1::no_allocate
            if (!cache_hint && !is_in_word(text_[at_])) break;
            at_ += cache_hint;
        }
    } else if (c == '"') {
        kind = token_kind::string;
        at_ = std::min(text_.find('"', at_), text_.size() - 1) + 1;
    }
    next_ = {kind, text_.substr(start, at_ - start), line_};
}

token tokens::take() {
    token const t = next_;
    if (t.kind == token_kind::end) refuse("the text ends in the middle");
    advance();
    return t;
}

bool tokens::accept(std::string_view text) {
    if (!is(text)) return false;
    advance();
    return true;
}

void tokens::expect(std::string_view text) {
    if (!accept(text)) refuse("expected " + std::string(text));
}

void tokens::skip_line() {
    int const line = next_.line;
    while (next_.kind != token_kind::end && next_.line == line) advance();
}

void tokens::skip_past(char last) {
    while (take().text != std::string_view(&last, 1)) continue;
}

operand number_of(tokens const& from, std::string_view text) {
    operand o;
    o.kind = operand_kind::integer;
    std::string digits(text);
    char const second = digits.size() > 2 && digits[0] == '0' ? digits[1] : ' ';
    char* end = nullptr;
    if (second == 'f' || second == 'F' || second == 'd' || second == 'D') {
        o.kind = second == 'f' || second == 'F' ? operand_kind::real32 : operand_kind::real64;
        o.bits = std::strtoull(digits.c_str() + 2, &end, 16);
    } else if (second == 'b' || second == 'B') {
        o.bits = std::strtoull(digits.c_str() + 2, &end, 2);
    } else if (digits.find('.') != digits.npos) {
        o.kind = operand_kind::real64;
        o.bits = std::bit_cast<std::uint64_t>(std::strtod(digits.c_str(), &end));
    } else {
        o.bits = std::strtoull(digits.c_str(), &end, 0);
        if (*end == 'U') ++end;
    }
    if (*end) from.refuse("not a number");
    return o;
}

}  // namespace bascule::ptx
