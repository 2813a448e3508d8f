// The machine that runs PTX: decoded instructions, warps with the registers of their lanes, blocks and what they count.
#pragma once
#include "shadow.hpp"
#include "text.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

namespace bascule::ptx {

constexpr unsigned warp_lanes = 32;
constexpr std::uint32_t every_lane = ~std::uint32_t{0};

// Generic addresses of memory that is not global begin here; no pointer of the host does.
constexpr std::uint64_t shared_window = std::uint64_t{1} << 60, local_window = std::uint64_t{2} << 60,
                        param_window = std::uint64_t{3} << 60, window_mask = std::uint64_t{7} << 60;
// Parameters of calls are in the frame of the thread, from here on in the space of parameters.
constexpr std::uint64_t frame_params = 1 << 20;

enum class fault_kind : std::uint8_t { failed, illegal_address, misaligned };
struct fault : std::runtime_error {
    fault_kind kind;
    fault(fault_kind k, std::string const& why) : std::runtime_error(why), kind(k) {}
};

struct extent {
    unsigned x = 1, y = 1, z = 1;
    unsigned all() const { return x * y * z; }
};

// ---- instructions
struct warp;
struct instruction;
using handler = void (*)(warp&, instruction const&, std::uint32_t active);

// How an instruction goes on; `plain` ones run their handler and are followed by the next.
enum class flow : std::uint8_t { plain, branch, branch_by_index, exit, barrier, collective, warp_barrier };
enum class kind_of_work : std::uint8_t { integer, floating, doubles, conversion, logic, memory, shared, warp, control };
constexpr std::size_t work_kinds = 9;

enum access_order : std::uint8_t { strong = 1, acquires = 2, releases = 4 };

// Registers are numbers of a warp's slots, of 32 lanes each; a predicate is a mask in the first word of its slot.
struct instruction {
    handler run = nullptr;
    flow how = flow::plain;
    kind_of_work work = kind_of_work::integer;
    bool guard_negated = false, more = false;  // `more`: a handler's own choice
    std::uint8_t order = 0;                    // of a memory access: access_order
    std::uint8_t count = 1;                    // of a vector's elements
    ptx::space space = ptx::space::generic;
    ptx::type type = ptx::type::none;
    std::int32_t guard = -1;
    std::uint32_t out = 0, a = 0, b = 0, c = 0, d = 0;
    std::uint32_t list = 0;    // where a vector's or a table's numbers begin in code::lists
    std::uint32_t target = 0;  // of a branch
    std::int64_t offset = 0;   // of an address
    int line = 0;
};

struct code {
    std::string name{};
    std::vector<instruction> instructions{};
    std::vector<std::uint32_t> lists{};
    std::vector<std::uint64_t> constants{};  // in the slots from `first_constant` on
    std::uint32_t slots = 0, first_constant = 0;
    struct special {
        std::string name;
        std::uint32_t slot;
    };
    std::vector<special> specials{};
    std::vector<std::size_t> param_offsets{}, param_bytes{};
    std::size_t params_size = 0, shared_size = 0, frame_size = 0;
};

// ---- memory that the driver owns
struct region {
    std::uint64_t begin = 0, end = 0;
    shadow* marks = nullptr;  // null: nothing is known of it
    bool may_write = false;
};
class global_memory {
public:
    virtual ~global_memory() = default;
    // The allocation that holds the address, opened for the access; an empty one where there is none.
    virtual region find(std::uint64_t address, bool to_write) = 0;
};

// ---- what is counted
struct counters {
    std::array<std::uint64_t, work_kinds> lane_instructions{};
    std::uint64_t warp_instructions = 0, launches = 0;
    std::uint64_t warps = 0, longest_warp = 0;                       // longest: instructions of the warp that ran most
    std::uint64_t sectors = 0, least_sectors = 0, global_bytes = 0;  // sectors of 32 bytes
    std::uint64_t distinct_sectors = 0;  // of each launch, those read and those written; where they are asked for
    std::uint64_t bank_cycles = 0, least_bank_cycles = 0;
    std::uint64_t branches = 0, divergent_branches = 0, barriers = 0;
    void add(counters const& other);
};

// ---- state
enum class waits : std::uint8_t { nothing, block, warp };
struct path {  // lanes that are at one instruction
    std::uint32_t pc = 0, mask = 0;
    waits state = waits::nothing;
};

struct block;
struct warp {
    std::uint64_t* registers = nullptr;
    block* in = nullptr;
    std::uint32_t alive = 0, carry = 0;
    std::uint32_t synchronized = 0;  // tick of the last barrier of the warp
    std::uint64_t ran = 0;           // instructions
    std::uint16_t number = 0;
    std::vector<path> paths{};
    std::uint32_t barrier_id = 0, barrier_pc = 0, barrier_votes = 0;

    std::uint64_t* slot(std::uint32_t s) const { return registers + std::size_t{s} * warp_lanes; }
    std::uint32_t& predicate(std::uint32_t s) const { return *reinterpret_cast<std::uint32_t*>(slot(s)); }
};

struct launch_parameters {
    code const* kernel = nullptr;
    extent grid{}, threads{};
    std::vector<char> params{};
    std::size_t dynamic_shared = 0;
    unsigned seed = 0;  // of the order of blocks and warps; 0: ascending
    bool counts_distinct_sectors = false;
};

struct machine;
struct block {
    machine* of = nullptr;
    extent index{};
    std::uint32_t number = 0;  // through all launches
    std::uint32_t barrier_tick = 0, acquired = 0;
    std::vector<char> shared{};
    std::unique_ptr<shadow> shared_marks{};
    std::vector<char> frames{};  // of the threads, one after the other
    std::unique_ptr<shadow> frame_marks{};
    std::vector<warp> warps{};
    std::vector<std::uint64_t> registers{};
};

struct machine {
    launch_parameters const& work;
    global_memory& global;
    counters& counted;
    std::uint32_t first_block = 0, tick = 0;
    std::vector<std::uint32_t> published{};  // of each block the tick of its last fence
    region last{};                           // where the last access was
    std::uint64_t nanoseconds = 0;
    std::unordered_set<std::uint64_t> sectors{};  // twice the number, and 1 where it is written
};

// Runs a kernel from its beginning to its end; throws a fault.
void run(launch_parameters const& work, global_memory& global, counters& counted);

[[noreturn]] void stop(warp const& w, instruction const& i, fault_kind kind, std::string const& why);

}  // namespace bascule::ptx
