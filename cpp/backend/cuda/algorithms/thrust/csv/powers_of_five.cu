// The table of powers of five, made on the host at its first use.
#include <array>
#include <vector>

#include "backend/cuda/algorithms/thrust/csv/decimal.hpp"

namespace bascule::cuda::algorithms {
namespace {

// A whole number of up to 1024 bits, in words of 32 from the lowest on.
struct whole {
    std::array<std::uint32_t, 32> words{};

    void multiply_by(std::uint32_t factor) {
        std::uint64_t carry = 0;
        for (auto& w : words) {
            carry += std::uint64_t{w} * factor;
            w = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
    }
    bool bit(std::int64_t i) const { return i >= 0 && (words[static_cast<std::size_t>(i / 32)] >> (i % 32) & 1) != 0; }
    std::int64_t bits() const {
        std::int64_t n = 32 * static_cast<std::int64_t>(words.size());
        while (n > 0 && !bit(n - 1)) --n;
        return n;
    }
    bool at_least(whole const& other) const {
        for (std::size_t i = words.size(); i-- > 0;)
            if (words[i] != other.words[i]) return words[i] > other.words[i];
        return true;
    }
    void subtract(whole const& other) {
        std::int64_t borrow = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            borrow += std::int64_t{words[i]} - other.words[i];
            words[i] = static_cast<std::uint32_t>(borrow);
            borrow >>= 32;
        }
    }
};

// Bits from the highest on.
struct two_words {
    std::uint64_t high = 0, low = 0;
    void append(bool bit) {
        high = high << 1 | low >> 63;
        low = low << 1 | static_cast<std::uint64_t>(bit);
    }
    void add_one() {
        if (++low == 0) ++high;
    }
};

two_words highest_bits(whole const& power) {
    two_words found;
    std::int64_t const n = power.bits();
    for (std::int64_t i = 1; i <= 128; ++i) found.append(power.bit(n - i));
    return found;
}

// Those of 1 / power, by long division.
two_words highest_bits_of_inverse(whole const& power) {
    two_words found;
    whole rest;
    std::int64_t const n = power.bits();
    rest.words[static_cast<std::size_t>(n / 32)] = std::uint32_t{1} << (n % 32);
    for (int i = 0; i < 128; ++i) {
        bool const one = rest.at_least(power);
        if (one) rest.subtract(power);
        found.append(one);
        rest.multiply_by(2);
    }
    return found;
}

std::vector<std::uint64_t> make_powers() {
    std::vector<std::uint64_t> table(static_cast<std::size_t>(words_of_powers));
    auto const put = [&](std::int64_t power, two_words w) {
        auto const at = static_cast<std::size_t>(2 * (power - least_power));
        table[at] = w.high, table[at + 1] = w.low;
    };
    whole power;
    power.words[0] = 1;
    for (std::int64_t k = 0; k <= -least_power; ++k, power.multiply_by(5)) {
        if (k <= greatest_power) put(k, highest_bits(power));
        if (k == 0) continue;
        two_words inverse = highest_bits_of_inverse(power);
        if (k <= 27) inverse.add_one();  // these few are rounded up
        put(-k, inverse);
    }
    return table;
}

}  // namespace

std::uint64_t const* powers_of_five() {
    static auto const* const table = new std::vector<std::uint64_t>(make_powers());
    return table->data();
}

}  // namespace bascule::cuda::algorithms
