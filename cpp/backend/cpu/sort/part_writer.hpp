// Writing to the ends of many runs at once: the elements of a run are gathered in a block of two or three cache lines,
// which is then written as a whole, past the caches. Plain stores would read every line from memory before they change
// it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <new>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "backend/cpu/common/scratch.hpp"

namespace bascule::cpu::sorting {

// One value of a long run, written past the caches; to be followed by end_of_stores on the same thread.
template <class T> void store_past_caches(T* to, T v) noexcept {
#if defined(__SSE2__)
    if constexpr (sizeof(T) == 8) return _mm_stream_si64(reinterpret_cast<long long*>(to), std::bit_cast<long long>(v));
    if constexpr (sizeof(T) == 4) return _mm_stream_si32(reinterpret_cast<int*>(to), std::bit_cast<int>(v));
#endif
    *to = v;
}
inline void end_of_stores() noexcept {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

// For each of `writers` tasks the blocks of `parts` runs.
template <class R> class part_blocks {
public:
    static constexpr std::uint32_t in_block = sizeof(R) == 24 ? 8 : 128 / sizeof(R);
    static_assert((in_block & (in_block - 1)) == 0 && in_block * sizeof(R) % 64 == 0);
    struct alignas(64) block {
        R element[in_block];
    };

    part_blocks(std::int64_t writers, std::int64_t parts)
        : parts_(parts), blocks_(writers * parts), first_(writers * parts) {
        if (!blocks_.ready() || !first_.ready()) throw std::bad_alloc();
    }

    // A task's own: puts elements at out[next[part]++] and is alone in writing there. `out` begins a cache line. All is
    // written once finish() was called.
    class writer {
    public:
        writer(part_blocks const& of, std::int64_t task, R* out, std::uint32_t* next) noexcept
            : out_(out), next_(next), parts_(of.parts_), blocks_(of.blocks_.data() + task * of.parts_),
              first_(of.first_.data() + task * of.parts_) {
            std::copy_n(next, parts_, first_);
        }
        void put(std::uint32_t part, R const& r) noexcept {
            std::uint32_t const at = next_[part]++, place = at % in_block;
            blocks_[part].element[place] = r;
            if (place == in_block - 1) flush(part, at - place);
        }
        void finish() noexcept {
            for (std::int64_t p = 0; p < parts_; ++p) {
                std::uint32_t const end = next_[p], begin = std::max(end - end % in_block, first_[p]);
                if (begin < end) std::copy_n(blocks_[p].element + begin % in_block, end - begin, out_ + begin);
            }
            end_of_stores();
        }

    private:
        void flush(std::uint32_t part, std::uint32_t begin) noexcept {
            R const* const from = blocks_[part].element;
            if (begin < first_[part]) {  // the line's beginning belongs to another task
                std::copy(from + (first_[part] - begin), from + in_block, out_ + first_[part]);
                return;
            }
#if defined(__SSE2__)
            auto const* const lines = reinterpret_cast<__m128i const*>(from);
            auto* const to = reinterpret_cast<__m128i*>(out_ + begin);
            for (std::size_t i = 0; i < sizeof(block) / sizeof(__m128i); ++i)
                _mm_stream_si128(to + i, _mm_load_si128(lines + i));
#else
            std::copy_n(from, in_block, out_ + begin);
#endif
        }

        R* out_;
        std::uint32_t* next_;
        std::int64_t parts_;
        block* blocks_;
        std::uint32_t* first_;
    };

private:
    std::int64_t parts_;
    scratch<block> blocks_;
    scratch<std::uint32_t> first_;
};

}  // namespace bascule::cpu::sorting
