#include "machine.hpp"

#include "lanes.hpp"
#include "warp_run.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace bascule::ptx {
namespace {

std::uint32_t blocks_so_far = 0;

std::vector<unsigned> in_order(std::size_t count, unsigned seed) {
    std::vector<unsigned> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::mt19937 generator(seed);
    if (seed) std::shuffle(order.begin(), order.end(), generator);
    return order;
}

extent part(unsigned number, extent of) { return {number % of.x, number / of.x % of.y, number / (of.x * of.y)}; }

// ---- special registers
std::uint64_t special_of_lane(std::string const& name, warp const& w, unsigned lane) {
    unsigned const thread = w.number * warp_lanes + lane;
    launch_parameters const& work = w.in->of->work;
    extent const t = part(thread, work.threads), b = w.in->index;
    auto const axis = [&](extent const& e) { return name.back() == 'x' ? e.x : name.back() == 'y' ? e.y : e.z; };
    if (name.starts_with("%tid.")) return axis(t);
    if (name.starts_with("%ctaid.")) return axis(b);
    if (name.starts_with("%ntid.")) return axis(work.threads);
    if (name.starts_with("%nctaid.")) return axis(work.grid);
    if (name == "%laneid") return lane;
    if (name == "%warpid") return w.number;
    if (name == "%nwarpid") return w.in->warps.size();
    if (name == "%lanemask_eq") return 1u << lane;
    if (name == "%lanemask_lt") return (1u << lane) - 1;
    if (name == "%lanemask_le") return (2u << lane) - 1;
    if (name == "%lanemask_gt") return ~((2u << lane) - 1);
    if (name == "%lanemask_ge") return ~((1u << lane) - 1);
    if (name == "%smid" || name == "%_") return 0;
    if (name == "%nsmid") return 2;
    if (name == "%gridid") return 1;
    if (name == "%total_smem_size") return w.in->shared.size();
    if (name == "%dynamic_smem_size") return work.dynamic_shared;
    throw syntax_error("PTX: unknown special register " + name);
}

void fill_specials(warp& w) {
    for (auto const& s : w.in->of->work.kernel->specials)
        for (unsigned l = 0; l < warp_lanes; ++l) w.slot(s.slot)[l] = special_of_lane(s.name, w, l);
}

// ---- blocks
void make(block& b, machine& m) {
    code const& k = *m.work.kernel;
    unsigned const threads = m.work.threads.all();
    std::size_t const warps = (threads + warp_lanes - 1) / warp_lanes, file = std::size_t{k.slots} * warp_lanes;
    b.of = &m;
    b.registers.assign(file * warps, 0);
    b.warps.resize(warps);
    b.shared.resize(k.shared_size + m.work.dynamic_shared + 16);
    b.shared_marks = std::make_unique<shadow>(b.shared.size(), false);
    b.frames.resize(k.frame_size * warps * warp_lanes);
    if (k.frame_size) b.frame_marks = std::make_unique<shadow>(b.frames.size(), false);
    for (std::size_t n = 0; n < warps; ++n) {
        warp& w = b.warps[n];
        w.registers = b.registers.data() + n * file;
        w.in = &b;
        w.number = static_cast<std::uint16_t>(n);
        for (std::size_t c = 0; c < k.constants.size(); ++c)
            std::fill_n(w.slot(k.first_constant + static_cast<std::uint32_t>(c)), warp_lanes, k.constants[c]);
    }
}

void begin(block& b, unsigned number) {
    machine& m = *b.of;
    unsigned const threads = m.work.threads.all();
    b.index = part(number, m.work.grid);
    b.number = m.first_block + number;
    b.barrier_tick = b.acquired = 0;
    b.shared_marks->forget();
    if (b.frame_marks) b.frame_marks->forget();
    for (warp& w : b.warps) {
        unsigned const lanes = std::min(threads - w.number * warp_lanes, warp_lanes);
        w.alive = lanes == warp_lanes ? every_lane : (1u << lanes) - 1;
        w.paths.assign(1, {0, w.alive, waits::nothing});
        w.carry = w.synchronized = 0;
        w.ran = 0;
        fill_specials(w);
    }
}

[[noreturn]] void refuse_barrier(block const& b, warp const& w, std::string const& why) {
    stop(w, b.of->work.kernel->instructions[w.barrier_pc], fault_kind::failed, "barrier divergence: " + why);
}

// The threads that the barrier waits for, where it names a number of its own.
unsigned wanted_at(warp const& w) {
    instruction const& i = w.in->of->work.kernel->instructions[w.barrier_pc];
    unsigned const all = w.in->of->work.threads.all();
    return i.c ? get<std::uint32_t>(w.slot(i.c), static_cast<unsigned>(std::countr_zero(w.paths.front().mask))) : all;
}

// Every warp waits or has ended. Opens the barriers at which all have arrived.
void open_barriers(block& b, std::vector<warp_end> const& ends) {
    bool opened = false;
    for (std::uint32_t id = 0; id < 16; ++id) {
        warp* first = nullptr;
        unsigned threads = 0, votes = 0;
        bool apart = false;
        for (std::size_t n = 0; n < ends.size(); ++n) {
            warp& w = b.warps[n];
            if (ends[n] != warp_end::at_barrier || w.barrier_id != id) continue;
            if (!first) first = &w;
            apart = apart || w.barrier_pc != first->barrier_pc;
            threads += static_cast<unsigned>(std::popcount(w.paths.front().mask));
            votes += static_cast<unsigned>(std::popcount(w.barrier_votes));
        }
        if (!first || threads < wanted_at(*first)) continue;
        if (apart) refuse_barrier(b, *first, "warps wait at different barriers of the text");
        opened = true;
        ++b.of->counted.barriers;
        for (std::size_t n = 0; n < ends.size(); ++n)
            if (ends[n] == warp_end::at_barrier && b.warps[n].barrier_id == id)
                leave_barrier(b.warps[n], votes, threads);
    }
    if (opened) {
        b.barrier_tick = ++b.of->tick;
        return;
    }
    for (std::size_t n = 0; n < ends.size(); ++n)
        if (ends[n] == warp_end::at_barrier)
            refuse_barrier(b, b.warps[n], "a part of the block waits, the others ended or wait elsewhere");
}

warp_end run_counted(warp& w) {
    counters& c = w.in->of->counted;
    std::uint64_t const before = c.warp_instructions;
    warp_end const end = run_warp(w);
    w.ran += c.warp_instructions - before;
    c.longest_warp = std::max(c.longest_warp, w.ran);
    return end;
}

enum class block_end : std::uint8_t { ended, paused };

block_end run_block(block& b, std::vector<unsigned> const& order) {
    std::vector<warp_end> ends(b.warps.size(), warp_end::paused);
    for (;;) {
        bool paused = false;
        for (unsigned n : order) {
            if (b.warps[n].paths.empty()) ends[n] = warp_end::exited;
            else ends[n] = run_counted(b.warps[n]);
            paused = paused || ends[n] == warp_end::paused;
        }
        if (paused) return block_end::paused;
        if (std::all_of(ends.begin(), ends.end(), [](warp_end e) { return e == warp_end::exited; }))
            return block_end::ended;
        open_barriers(b, ends);
    }
}

}  // namespace

void counters::add(counters const& o) {
    for (std::size_t k = 0; k < work_kinds; ++k) lane_instructions[k] += o.lane_instructions[k];
    warp_instructions += o.warp_instructions, launches += o.launches;
    warps += o.warps, longest_warp = std::max(longest_warp, o.longest_warp);
    distinct_sectors += o.distinct_sectors;
    sectors += o.sectors, least_sectors += o.least_sectors, global_bytes += o.global_bytes;
    bank_cycles += o.bank_cycles, least_bank_cycles += o.least_bank_cycles;
    branches += o.branches, divergent_branches += o.divergent_branches, barriers += o.barriers;
}

void stop(warp const& w, instruction const& i, fault_kind kind, std::string const& why) {
    extent const b = w.in->index;
    throw fault(kind, why + " (kernel " + w.in->of->work.kernel->name + ", PTX line " + std::to_string(i.line) +
                          ", block " + std::to_string(b.x) + "," + std::to_string(b.y) + "," + std::to_string(b.z) +
                          ", warp " + std::to_string(w.number) + ")");
}

// Blocks run one after the other, unless one waits for another: then more of them take turns.
void run(launch_parameters const& work, global_memory& global, counters& counted) {
    constexpr std::size_t most_residents = 32;
    machine m{.work = work, .global = global, .counted = counted};
    unsigned const blocks = work.grid.all();
    m.first_block = blocks_so_far + 1;
    blocks_so_far += blocks;
    m.published.assign(blocks, 0);
    ++counted.launches;
    counted.warps += std::uint64_t{blocks} * ((work.threads.all() + warp_lanes - 1) / warp_lanes);
    std::vector<unsigned> const order = in_order(blocks, work.seed);
    std::vector<std::unique_ptr<block>> residents;
    std::vector<std::unique_ptr<block>> idle;
    std::size_t next = 0, at = 0;
    std::vector<unsigned> warps;
    auto const begin_another = [&] {
        if (next == order.size()) return;
        if (idle.empty()) {
            idle.push_back(std::make_unique<block>());
            make(*idle.back(), m);
        }
        residents.push_back(std::move(idle.back()));
        idle.pop_back();
        begin(*residents.back(), order[next++]);
    };
    begin_another();
    while (!residents.empty()) {
        at %= residents.size();
        block& b = *residents[at];
        warps = in_order(b.warps.size(), work.seed ? work.seed + b.number : 0);
        if (run_block(b, warps) == block_end::ended) {
            idle.push_back(std::move(residents[at]));
            residents.erase(residents.begin() + static_cast<std::ptrdiff_t>(at));
            if (residents.empty()) begin_another();
        } else {
            if (residents.size() < most_residents) begin_another();
            ++at;
        }
    }
    counted.distinct_sectors += m.sectors.size();
}

}  // namespace bascule::ptx
