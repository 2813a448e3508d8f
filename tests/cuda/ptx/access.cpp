#include "access.hpp"

#include <algorithm>
#include <cstdio>

namespace bascule::ptx {
namespace {

constexpr std::uint64_t sector = 32, banks = 32;

void count_sectors(counters& c, std::uint64_t* addresses, unsigned count, unsigned bytes) {
    std::sort(addresses, addresses + count);
    auto const end = std::unique(addresses, addresses + count);
    std::uint64_t touched = 0, last = ~std::uint64_t{0};
    for (auto const* a = addresses; a != end; ++a)
        for (std::uint64_t s = *a / sector; s <= (*a + bytes - 1) / sector; ++s) touched += s != last, last = s;
    std::uint64_t const needed = static_cast<std::uint64_t>(end - addresses) * bytes;
    c.sectors += touched;
    c.least_sectors += (needed + sector - 1) / sector;
    c.global_bytes += needed;
}

// The words of 4 bytes that one bank gives out one after the other.
void count_banks(counters& c, std::uint64_t* addresses, unsigned count, unsigned bytes) {
    std::sort(addresses, addresses + count);
    auto const end = std::unique(addresses, addresses + count);
    std::uint64_t of_bank[banks] = {}, words = 0, last = ~std::uint64_t{0};
    for (auto const* a = addresses; a != end; ++a)
        for (std::uint64_t word = *a / 4; word <= (*a + bytes - 1) / 4; ++word) {
            if (word == last) continue;
            last = word;
            ++of_bank[word % banks], ++words;
        }
    c.bank_cycles += *std::max_element(of_bank, of_bank + banks);
    c.least_bank_cycles += (words + banks - 1) / banks;
}

}  // namespace

warp_access::warp_access(warp& w, instruction const& i, unsigned bytes, access_kind kind)
    : w_(w), i_(i), bytes_(bytes), kind_(kind) {
    block& b = *w.in;
    machine& m = *b.of;
    by_ = {b.number,   m.first_block, ++m.tick, b.barrier_tick,     w.synchronized,
           b.acquired, &m.published,  0,        !(i.order & strong)};
    if (i.order & acquires) b.acquired = m.tick;
    if (i.order & releases) m.published[b.number - m.first_block] = m.tick;
}

warp_access::~warp_access() {
    machine& m = *w_.in->of;
    counters& c = m.counted;
    if (m.work.counts_distinct_sectors)
        for (unsigned k = 0; k < global_count_; ++k) {
            if (kind_ != access_kind::write) m.sectors.insert(global_[k] / sector * 2);
            if (kind_ != access_kind::read) m.sectors.insert(global_[k] / sector * 2 + 1);
        }
    if (global_count_) count_sectors(c, global_, global_count_, bytes_);
    if (shared_count_) count_banks(c, shared_, shared_count_, bytes_);
}

void warp_access::fail(fault_kind kind, std::string const& why, unsigned lane, std::uint64_t address) const {
    char where[32];
    std::snprintf(where, sizeof where, "0x%llx", static_cast<unsigned long long>(address));
    char const* const does = kind_ == access_kind::read ? "reads" : kind_ == access_kind::write ? "writes" : "updates";
    stop(w_, i_, kind,
         "lane " + std::to_string(lane) + " " + does + " " + std::to_string(bytes_) + " bytes at " + where + ", " +
             why);
}

void warp_access::note(shadow& marks, std::size_t offset, unsigned lane, char const* of_what) {
    by_.thread = static_cast<std::uint16_t>(w_.number * warp_lanes + lane);
    finding found = finding::nothing;
    if (kind_ != access_kind::write) found = marks.read(offset, bytes_, by_);
    if (kind_ != access_kind::read) found = std::max(found, marks.write(offset, bytes_, by_));
    if (found == finding::nothing) return;
    std::string const what = of_what;
    if (found == finding::unwritten) fail(fault_kind::failed, what + " that nothing has written", lane, offset);
    fail(fault_kind::failed, "a race: another thread uses this " + what + " and nothing orders the two", lane, offset);
}

char* warp_access::in_global(std::uint64_t address) {
    machine& m = *w_.in->of;
    bool const writes = kind_ != access_kind::read;
    region& r = m.last;
    if (address - r.begin >= r.end - r.begin || (writes && !r.may_write)) [[unlikely]]
        r = m.global.find(address, writes);
    if (address - r.begin >= r.end - r.begin || r.end - address < bytes_) return nullptr;
    return reinterpret_cast<char*>(address);
}

char* warp_access::in_shared(std::uint64_t offset, unsigned lane) {
    block& b = *w_.in;
    std::size_t const size = b.shared.size() - 16;
    if (offset >= size || size - offset < bytes_)
        fail(fault_kind::illegal_address, "outside of the block's shared memory of " + std::to_string(size) + " bytes",
             lane, offset);
    shared_[shared_count_++] = offset;
    note(*b.shared_marks, offset, lane, "shared memory");
    return b.shared.data() + offset;
}

char* warp_access::in_frame(std::uint64_t offset, unsigned lane) {
    block& b = *w_.in;
    std::size_t const size = b.of->work.kernel->frame_size;
    if (offset >= size || size - offset < bytes_)
        fail(fault_kind::illegal_address, "outside of the thread's frame of " + std::to_string(size) + " bytes", lane,
             offset);
    std::size_t const at = (std::size_t{w_.number} * warp_lanes + lane) * size + offset;
    note(*b.frame_marks, at, lane, "local memory");
    return b.frames.data() + at;
}

char* warp_access::in_params(std::uint64_t offset, unsigned lane) {
    if (offset >= frame_params) return in_frame(offset - frame_params, lane);
    auto& params = w_.in->of->work.params;
    if (offset >= params.size() || params.size() - offset < bytes_)
        fail(fault_kind::illegal_address, "outside of the kernel's parameters", lane, offset);
    return const_cast<char*>(params.data()) + offset;
}

char* warp_access::at(unsigned lane) {
    std::uint64_t address = w_.slot(i_.a)[lane] + static_cast<std::uint64_t>(i_.offset);
    ptx::space where = i_.space;
    if (where == space::shared) address &= 0xffffffffu;
    if (address & (bytes_ - 1)) fail(fault_kind::misaligned, "which is no multiple of that", lane, address);
    if (where == space::generic && address & window_mask) {
        std::uint64_t const window = address & window_mask;
        address &= ~window_mask;
        where = window == shared_window ? space::shared : window == local_window ? space::local : space::param;
    }
    if (where == space::shared) return in_shared(address, lane);
    if (where == space::local) return in_frame(address, lane);
    if (where == space::param) return in_params(address, lane);
    char* const found = in_global(address);
    if (!found) fail(fault_kind::illegal_address, "outside of any allocation of its device", lane, address);
    region const& r = w_.in->of->last;
    if (where != space::constant) global_[global_count_++] = address;
    if (r.marks) note(*r.marks, address - r.begin, lane, "global memory");
    return found;
}

}  // namespace bascule::ptx
