// Fields of CSV text as they are written: a growing block of text, and the quoting that the characters of a field need.
#pragma once
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "bascule/core/table_algorithms_csv.hpp"

namespace bascule::cpu::csv {

inline std::string_view view(csv_bytes b) noexcept { return {b.data, static_cast<std::size_t>(b.size)}; }

// Text that grows, in memory of the algorithm's caller.
class text_block {
public:
    explicit text_block(write_csv_args const& a) : args_(a) {}
    text_block(text_block const&) = delete;
    text_block& operator=(text_block const&) = delete;
    ~text_block() {
        if (data_) args_.release(args_.owner, data_, room_);
    }
    // Room for so many bytes more; where they begin.
    char* need(std::int64_t bytes) {
        if (room_ - used() < bytes) grow(bytes);
        return end_;
    }
    void end_at(char* p) noexcept { end_ = p; }
    std::int64_t used() const noexcept { return end_ - data_; }
    csv_bytes text() const noexcept { return {data_, used()}; }
    // The text, which is the caller's from here on.
    csv_bytes keep() noexcept { return {std::exchange(data_, nullptr), std::exchange(end_, nullptr) - begin_}; }

private:
    void grow(std::int64_t bytes) {
        std::int64_t const size = used(), room = room_ * 2 + bytes + 4096;
        auto* const p = static_cast<char*>(args_.allocate(args_.owner, room));
        if (!p) throw std::bad_alloc();
        if (size > 0) std::memcpy(p, data_, static_cast<std::size_t>(size));
        if (data_) args_.release(args_.owner, data_, room_);
        data_ = begin_ = p, room_ = room, end_ = p + size;
    }
    write_csv_args const& args_;
    std::int64_t room_ = 0;
    char *data_ = nullptr, *begin_ = nullptr, *end_ = nullptr;
};

struct refused_character {};

// Appends fields by the rules of a dialect.
class field_writer {
public:
    field_writer(write_csv_args const& rules, text_block& out) : rules_(rules), out_(out) {}

    void put(std::string_view text, bool quoted) {
        char* const begin = out_.need(static_cast<std::int64_t>(text.size()) * 2 + 4);
        char* p = begin;
        if (quoted) *p++ = rules_.quote;
        unsigned effects = 0, bits = 0;
        for (char const c : text) {
            auto const u = static_cast<unsigned char>(c);
            bits |= u;
            effects |= u < 128 ? static_cast<unsigned>(rules_.effects[u]) : 0U;
            *p++ = c;
        }
        ascii_ = ascii_ && bits < 128;
        if (effects != 0) return put_with_effects(text, quoted, begin);
        if (quoted) *p++ = rules_.quote;
        out_.end_at(p);
    }
    // Writes a field that was written before again.
    void repeat(std::string_view field) {
        char* const p = out_.need(static_cast<std::int64_t>(field.size()));
        if (!field.empty()) std::memcpy(p, field.data(), field.size());
        out_.end_at(p + field.size());
    }
    bool is_ascii() const noexcept { return ascii_; }

private:
    csv_effect effect(char c) const noexcept {
        auto const u = static_cast<unsigned char>(c);
        return u < 128 ? rules_.effects[u] : csv_effect::none;
    }
    void put_with_effects(std::string_view text, bool quoted, char* begin) {
        for (char const c : text) {
            csv_effect const e = effect(c);
            quoted = quoted || e == csv_effect::quotes || e == csv_effect::quotes_and_prefixed;
        }
        char* p = begin;
        if (quoted) *p++ = rules_.quote;
        for (char const c : text) {
            csv_effect const e = effect(c);
            if (e == csv_effect::refused) throw refused_character{};
            if (e == csv_effect::prefixed || e == csv_effect::quotes_and_prefixed)
                *p++ = rules_.prefixes[static_cast<unsigned char>(c)];
            *p++ = c;
        }
        if (quoted) *p++ = rules_.quote;
        out_.end_at(p);
    }

    write_csv_args const& rules_;
    text_block& out_;
    bool ascii_ = true;
};

}  // namespace bascule::cpu::csv
