#include "backend/cpu/dispatch/csv_scan.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

using word = std::uint64_t;

#ifdef __AVX2__
struct block {
    __m256i low, high;
    explicit block(char const* p)
        : low(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(p))),
          high(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(p + 32))) {}
    word equal(char c) const {
        __m256i const all = _mm256_set1_epi8(c);
        auto const bits = [&](__m256i v) {
            return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, all)));
        };
        return bits(low) | static_cast<word>(bits(high)) << 32;
    }
};
#else
struct block {
    word w[8];
    explicit block(char const* p) { __builtin_memcpy(w, p, sizeof w); }
    word equal(char c) const {
        constexpr word ones = 0x0101010101010101u, low = 0x7f * ones;
        word mask = 0;
        for (int i = 0; i < 8; ++i) {
            word const x = w[i] ^ (static_cast<unsigned char>(c) * ones);
            word const zero = ~(((x & low) + low) | x) & ~low;  // the top bit of every byte that is equal
            mask |= (((zero >> 7) * 0x0102040810204080u) >> 56) << (8 * i);
        }
        return mask;
    }
};
#endif

// Bit i of the result: the parity of bits 0 to i.
inline word running_parity(word x) {
    x ^= x << 1;
    x ^= x << 2;
    x ^= x << 4;
    x ^= x << 8;
    x ^= x << 16;
    return x ^ x << 32;
}

// A byte whose predecessor is in `mask`, and the carry from this block to the next.
inline word follows(word mask, word& carry) {
    word const shifted = mask << 1 | carry;
    carry = mask >> 63;
    return shifted;
}

void count(char const* text, std::int64_t n, csv_marks m, csv_counts* out) {
    word inside = 0, after_mark = 0, after_closing[2] = {0, 0}, after_return[2] = {0, 0};
    std::int64_t newlines[2] = {0, 0}, quotes = 0;
    word irregular[2] = {0, 0};
    after_mark = text[-1] == m.separator || text[-1] == '\n' || text[-1] == '\r' || text[-1] == m.quote;
    if (text[-1] == '\r')
        after_return[0] = after_return[1] = 1;            // a false alarm inside quotes costs time, nothing else
    after_closing[0] = m.quoting && text[-1] == m.quote;  // a piece that begins outside quotes begins behind a closing
                                                          // one
    bool quiet = text[-1] != '\r' && after_closing[0] == 0;
    for (std::int64_t at = 0; at < n; at += 64) {
        block const b(text + at);
        word const valid = n - at >= 64 ? ~word{0} : (word{1} << (n - at)) - 1;
        word const nl = b.equal('\n') & valid, quote = m.quoting ? b.equal(m.quote) & valid : 0,
                   ret = b.equal('\r') & valid;
        if ((quote | ret) == 0 && quiet) {
            word const last = text[at + 63] == m.separator || text[at + 63] == '\n';
            newlines[inside & 1] += __builtin_popcountll(nl);
            after_mark = last;
            continue;
        }
        word const in = running_parity(quote) ^ inside, mark = (b.equal(m.separator) & valid) | nl | ret | quote;
        word const before_ok = follows(mark, after_mark);
        for (int entry = 0; entry < 2; ++entry) {
            word const within = entry ? ~in : in;
            newlines[entry] += __builtin_popcountll(nl & ~within);
            irregular[entry] |= quote & within & ~before_ok;
            irregular[entry] |= follows(quote & ~within, after_closing[entry]) & ~mark & valid;
            irregular[entry] |= follows(ret & ~within, after_return[entry]) & ~nl & valid;
        }
        quotes += __builtin_popcountll(quote);
        inside = static_cast<word>(-static_cast<std::int64_t>(in >> 63));
        quiet = (after_closing[0] | after_closing[1] | after_return[0] | after_return[1]) == 0;
    }
    for (int entry = 0; entry < 2; ++entry) {
        out->newlines[entry] = newlines[entry];
        out->irregular[entry] = irregular[entry] != 0;
    }
    out->quotes = quotes;
}

std::int64_t index(char const* text, std::int64_t from, std::int64_t to, csv_marks m, bool start_inside,
                   std::uint32_t* out) {
    std::uint32_t* const begin = out;
    word inside = start_inside ? ~word{0} : 0;
    for (std::int64_t at = from; at < to; at += 64) {
        block const b(text + at);
        word found = b.equal(m.separator) | b.equal('\n');
        if (m.quoting) {
            word quote = b.equal(m.quote);
            if (to - at < 64) quote &= (word{1} << (to - at)) - 1;
            if ((quote | inside) != 0) {
                word const in = running_parity(quote) ^ inside;
                found &= ~in;
                inside = static_cast<word>(-static_cast<std::int64_t>(in >> 63));
            }
        }
        if (to - at < 64) found &= (word{1} << (to - at)) - 1;
        int const n = __builtin_popcountll(found);
        // Eight at a time without asking how many there are: fewer branches to guess wrong.
        for (int done = 0; done < n; done += 8)
            for (int k = 0; k < 8; ++k) {
                out[done + k] = static_cast<std::uint32_t>(at) +
                                static_cast<std::uint32_t>(found ? __builtin_ctzll(found) : 0);
                found &= found - 1;
            }
        out += n;
    }
    return out - begin;
}

}  // namespace

csv_scan_kernels const& csv_scan() noexcept {
    static constexpr csv_scan_kernels k{count, index};
    return k;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
