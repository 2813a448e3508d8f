// Accesses to memory: where an address of a space lies, and everything that is checked and counted about it.
#pragma once
#include "lanes.hpp"

namespace bascule::ptx {

// Whether an access reads, writes or both.
enum class access_kind : std::uint8_t { read, write, update };

// The access of one instruction by the lanes of a warp: each address is checked as it is asked for; what they have in
// common is counted at the end.
class warp_access {
public:
    // Of `bytes` at once, a power of two.
    warp_access(warp& w, instruction const& i, unsigned bytes, access_kind kind);
    ~warp_access();
    warp_access(warp_access const&) = delete;
    warp_access& operator=(warp_access const&) = delete;

    // The memory of a lane's access. Throws a fault.
    char* at(unsigned lane);

private:
    char* in_global(std::uint64_t address);
    char* in_shared(std::uint64_t offset, unsigned lane);
    char* in_frame(std::uint64_t offset, unsigned lane);
    char* in_params(std::uint64_t offset, unsigned lane);
    void note(shadow& marks, std::size_t offset, unsigned lane, char const* of_what);
    [[noreturn]] void fail(fault_kind kind, std::string const& why, unsigned lane, std::uint64_t address) const;

    warp& w_;
    instruction const& i_;
    unsigned bytes_;
    access_kind kind_;
    observer by_{};
    unsigned global_count_ = 0, shared_count_ = 0;
    std::uint64_t global_[warp_lanes], shared_[warp_lanes];
};

}  // namespace bascule::ptx
