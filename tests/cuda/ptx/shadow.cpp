#include "shadow.hpp"

#include <algorithm>
#include <bit>

namespace bascule::ptx {
namespace {

bool is_ordered(access_stamp const& earlier, observer const& by) {
    if (earlier.block < by.first_block_of_launch) return true;
    if (earlier.block != by.block || earlier.flags & access_stamp::many_blocks) {
        if (!by.published) return false;
        std::uint32_t const published = (*by.published)[earlier.block - by.first_block_of_launch];
        return published > earlier.tick && by.acquired > published;
    }
    if (by.barrier > earlier.tick) return true;
    if (earlier.flags & access_stamp::many_warps) return false;
    return earlier.thread / 32 == by.thread / 32 && by.warp_barrier > earlier.tick;
}

bool is_own(access_stamp const& earlier, observer const& by) {
    return earlier.block == by.block && earlier.thread == by.thread && !(earlier.flags & access_stamp::many_threads);
}

// Two accesses of which at least one is plain and at least one writes.
bool collide(access_stamp const& earlier, observer const& by) {
    bool const plain = by.is_weak || earlier.flags & access_stamp::weak;
    return plain && earlier.block != 0 && !is_own(earlier, by) && !is_ordered(earlier, by);
}

access_stamp stamp_of(observer const& by, std::uint8_t flags) {
    return {by.block, by.tick, by.thread, static_cast<std::uint8_t>(flags | (by.is_weak ? access_stamp::weak : 0))};
}

}  // namespace

shadow::shadow(std::size_t bytes, bool is_written)
    : bytes_(bytes), first_{.flags = static_cast<std::uint8_t>(is_written ? access_stamp::written : 0)} {
    forget();
}

void shadow::forget() {
    std::size_t const count = (bytes_ >> granule_) + 1;
    cells_.assign(count, cell{first_, {}});
}

void shadow::refine(std::size_t multiple) {
    unsigned const finer = std::min(granule_, static_cast<unsigned>(std::countr_zero(multiple)));
    std::size_t const each = std::size_t{1} << (granule_ - finer);
    std::vector<cell> cells;
    cells.reserve(cells_.size() * each);
    for (cell const& c : cells_) cells.insert(cells.end(), each, c);
    cells_ = std::move(cells);
    granule_ = finer;
}

void shadow::host_wrote(std::size_t offset, std::size_t bytes) {
    if (bytes == 0) return;
    if (offset + bytes == bytes_)
        bytes = cells_.size() * (std::size_t{1} << granule_) - offset;  // the last cell is cut
    each(offset, bytes, [](cell& c) { c = {{0, 0, 0, access_stamp::written}, {}}; });
}

finding shadow::note_read(cell& c, observer const& by) {
    if (!(c.writer.flags & access_stamp::written)) return finding::unwritten;
    finding const found = collide(c.writer, by) ? finding::race : finding::nothing;
    std::uint8_t flags = 0;
    access_stamp const& r = c.reader;
    if (r.block >= by.first_block_of_launch && r.block != 0 && !is_own(r, by)) {
        // Reads before a barrier need not be remembered.
        bool const live = !is_ordered(r, by);
        if (live) {
            flags = (r.flags & ~access_stamp::weak) | access_stamp::many_threads;
            if (r.block != by.block) flags |= access_stamp::many_blocks | access_stamp::many_warps;
            else if (r.thread / 32 != by.thread / 32) flags |= access_stamp::many_warps;
            flags |= r.flags & access_stamp::weak;
        }
    }
    c.reader = stamp_of(by, flags);
    return found;
}

finding shadow::note_write(cell& c, observer const& by) {
    bool const races = collide(c.writer, by) || collide(c.reader, by);
    c.writer = stamp_of(by, access_stamp::written);
    if (!races) c.reader = {};
    return races ? finding::race : finding::nothing;
}

}  // namespace bascule::ptx
