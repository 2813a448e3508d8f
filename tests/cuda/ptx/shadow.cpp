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
    : bytes_(bytes), written_at_first_(is_written), pages_(bytes / page_bytes + 1, page{is_written}) {}

void shadow::forget() {
    for (page& p : pages_) {
        p.is_written = written_at_first_;
        std::fill(p.cells.begin(), p.cells.end(), cell{});
    }
}

void shadow::refine(page& p, std::size_t multiple) {
    unsigned const finer = std::min(p.granule, static_cast<unsigned>(std::countr_zero(multiple)));
    std::size_t const copies = p.cells.empty() ? page_bytes >> finer : std::size_t{1} << (p.granule - finer);
    std::vector<cell> cells;
    cells.reserve(page_bytes >> finer);
    if (p.cells.empty()) p.cells.emplace_back();
    for (cell const& c : p.cells) cells.insert(cells.end(), copies, c);
    p.cells = std::move(cells);
    p.granule = finer;
}

// Accesses of earlier launches are in order, so their stamps may stay.
void shadow::host_wrote(std::size_t offset, std::size_t bytes) {
    for (std::size_t const end = offset + bytes; offset < end;) {
        std::size_t const first = offset / page_bytes * page_bytes, last = std::min(first + page_bytes, end);
        page& p = pages_[offset / page_bytes];
        bool const whole = offset == first && (last == first + page_bytes || last == bytes_);
        if (whole) p.is_written = true;
        else if (!p.is_written)
            each(page_at(offset, last - offset), offset, last - offset,
                 [](cell& c) { c.writer.flags |= access_stamp::written; });
        offset = last;
    }
}

finding shadow::note_read(cell& c, bool is_written, observer const& by) {
    if (!is_written && !(c.writer.flags & access_stamp::written)) return finding::unwritten;
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
