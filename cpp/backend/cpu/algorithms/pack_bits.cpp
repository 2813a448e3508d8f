// Bits of bytes, eight at a time in a word.
#include <array>
#include <cstring>

#include "backend/cpu/algorithms/algorithms.hpp"
#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/common/scratch.hpp"

namespace bascule::cpu {
namespace {

// Eight bytes as one word: one in each, all but the highest bit of each, and of each another bit.
constexpr std::uint64_t ones = 0x0101010101010101, below = 0x7f7f7f7f7f7f7f7f, first_byte_first = 0x8040201008040201,
                        last_byte_first = 0x0102040810204080;

// The eight bits of each byte, a byte each; of which the first is the highest, or the lowest.
constexpr auto bits = [] {
    std::array<std::array<std::uint64_t, 256>, 2> of{};
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
        of[0][byte] = (((byte * ones & last_byte_first) + below) >> 7) & ones;
        of[1][byte] = (((byte * ones & first_byte_first) + below) >> 7) & ones;
    }
    return of;
}();

std::uint8_t packed(std::uint8_t const* from, std::size_t count, std::uint64_t gathering) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, from, count);
    std::uint64_t const booleans = ((((word & below) + below) | word) >> 7) & ones;
    return static_cast<std::uint8_t>((booleans * gathering) >> 56);
}

constexpr std::int64_t least_bytes = 1 << 13;  // of a thread's part

}  // namespace

status pack_bits(pack_bits_args const& a) noexcept {
    auto const* const from = static_cast<std::uint8_t const*>(a.from);
    auto* const to = static_cast<std::uint8_t*>(a.to);
    std::uint64_t const gathering = a.lowest_first ? last_byte_first : first_byte_first;
    row_blocks const work(a.count / 8, sched::thread_count(), least_bytes);
    work.run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) to[i] = packed(from + 8 * i, 8, gathering);
    });
    std::int64_t const whole = a.count / 8;
    if (a.count % 8) to[whole] = packed(from + 8 * whole, static_cast<std::size_t>(a.count % 8), gathering);
    return status::ok;
}

status unpack_bits(pack_bits_args const& a) noexcept {
    auto const* const from = static_cast<std::uint8_t const*>(a.from);
    auto* const to = static_cast<std::uint8_t*>(a.to);
    auto const& bits_of = bits[a.lowest_first];
    row_blocks const work(a.count, sched::thread_count(), least_bytes);
    work.run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) std::memcpy(to + 8 * i, &bits_of[from[i]], 8);
    });
    return status::ok;
}

}  // namespace bascule::cpu
