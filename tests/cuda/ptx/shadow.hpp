// Who wrote and who read each word of a memory: reads of what nothing wrote, and accesses that nothing orders.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bascule::ptx {

// One access. Blocks have numbers of their own through all launches, and ticks count a launch's accesses.
struct access_stamp {
    enum : std::uint8_t { written = 1, weak = 2, many_threads = 4, many_warps = 8, many_blocks = 16 };
    std::uint32_t block = 0, tick = 0;
    std::uint16_t thread = 0;
    std::uint8_t flags = 0;
};

// The thread that accesses, and what it knows of others: accesses before these ticks are ordered before it.
struct observer {
    std::uint32_t block = 0, first_block_of_launch = 0;
    std::uint32_t tick = 0, barrier = 0, warp_barrier = 0;
    std::uint32_t acquired = 0;                             // the block's last atomic access or fence
    std::vector<std::uint32_t> const* published = nullptr;  // of each block of the launch its last fence
    std::uint16_t thread = 0;
    bool is_weak = true;  // neither atomic nor volatile
};

enum class finding : std::uint8_t { nothing, unwritten, race };

class shadow {
public:
    shadow(std::size_t bytes, bool is_written);
    // As if there had been no access.
    void forget();
    void host_wrote(std::size_t offset, std::size_t bytes);
    finding read(std::size_t offset, std::size_t bytes, observer const& by) {
        finding worst = finding::nothing;
        each(offset, bytes, [&](cell& c) { worst = std::max(worst, note_read(c, by)); });
        return worst;
    }
    finding write(std::size_t offset, std::size_t bytes, observer const& by) {
        finding worst = finding::nothing;
        each(offset, bytes, [&](cell& c) { worst = std::max(worst, note_write(c, by)); });
        return worst;
    }

private:
    struct cell {
        access_stamp writer, reader;
    };
    template <class F> void each(std::size_t offset, std::size_t bytes, F&& f) {
        if ((offset | bytes) & ((std::size_t{1} << granule_) - 1)) [[unlikely]]
            refine(offset | bytes);
        std::size_t const first = offset >> granule_, last = (offset + bytes) >> granule_;
        for (std::size_t k = first; k < last; ++k) f(cells_[k]);
    }
    void refine(std::size_t multiple);  // so that every multiple of the least bit is the border of a cell
    static finding note_read(cell& c, observer const& by);
    static finding note_write(cell& c, observer const& by);

    std::size_t bytes_;
    unsigned granule_ = 3;  // a cell has 1 << granule_ bytes
    std::vector<cell> cells_;
    access_stamp first_;
};

}  // namespace bascule::ptx
