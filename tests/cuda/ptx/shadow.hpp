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

// By pages, whose cells are made when a kernel first comes there.
class shadow {
public:
    shadow(std::size_t bytes, bool is_written);
    // As if there had been no access.
    void forget();
    void host_wrote(std::size_t offset, std::size_t bytes);
    // An access lies in one page: it is aligned.
    finding read(std::size_t offset, std::size_t bytes, observer const& by) {
        finding worst = finding::nothing;
        page& p = page_at(offset, bytes);
        each(p, offset, bytes, [&](cell& c) { worst = std::max(worst, note_read(c, p.is_written, by)); });
        return worst;
    }
    finding write(std::size_t offset, std::size_t bytes, observer const& by) {
        finding worst = finding::nothing;
        each(page_at(offset, bytes), offset, bytes, [&](cell& c) { worst = std::max(worst, note_write(c, by)); });
        return worst;
    }

private:
    static constexpr std::size_t page_bytes = 4096;
    struct cell {
        access_stamp writer{}, reader{};
    };
    struct page {
        bool is_written;       // all of it, by the host
        unsigned granule = 3;  // a cell has 1 << granule bytes
        std::vector<cell> cells{};
    };
    page& page_at(std::size_t offset, std::size_t bytes) {
        page& p = pages_[offset / page_bytes];
        if (p.cells.empty() || (offset | bytes) & ((std::size_t{1} << p.granule) - 1)) [[unlikely]]
            refine(p, offset | bytes);
        return p;
    }
    template <class F> static void each(page& p, std::size_t offset, std::size_t bytes, F&& f) {
        std::size_t const in_page = offset % page_bytes, last = (in_page + bytes) >> p.granule;
        for (std::size_t k = in_page >> p.granule; k < last; ++k) f(p.cells[k]);
    }
    // So that every multiple of the least bit is the border of a cell.
    static void refine(page& p, std::size_t multiple);
    static finding note_read(cell& c, bool is_written, observer const& by);
    static finding note_write(cell& c, observer const& by);

    std::size_t bytes_;
    bool written_at_first_;
    std::vector<page> pages_;
};

}  // namespace bascule::ptx
