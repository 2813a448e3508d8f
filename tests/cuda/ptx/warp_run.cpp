#include "warp_run.hpp"

#include "lanes.hpp"

#include <algorithm>
#include <utility>

namespace bascule::ptx {
namespace {

// So many instructions a path runs before others have a turn: it may wait for them.
constexpr unsigned turn = 1 << 16;
constexpr std::uint32_t never = ~std::uint32_t{0};

std::uint32_t guarded(warp const& w, instruction const& i, std::uint32_t mask) {
    if (i.guard < 0) return mask;
    std::uint32_t const p = w.predicate(static_cast<std::uint32_t>(i.guard));
    return mask & (i.guard_negated ? ~p : p);
}

class paths_of {
public:
    explicit paths_of(warp& w) : w_(w), code_(w.in->of->work.kernel->instructions.data()), count_(w.in->of->counted) {}
    warp_end run();

private:
    void merge();
    int lowest() const;
    bool stopped();  // no lane can go on: whether that is the end of the turn
    void run_path(std::size_t at);
    bool special(path& p, instruction const& i, std::uint32_t active);
    bool branch(path& p, instruction const& i, std::uint32_t active);
    bool branch_by_index(path& p, instruction const& i, std::uint32_t active);
    bool collective(path& p, instruction const& i, std::uint32_t active);
    void leave(path& p, std::uint32_t lanes, std::uint32_t to, waits state = waits::nothing);
    bool release_warp_barrier();
    void check_block_barrier();
    std::uint32_t next_pc(std::size_t of) const;

    warp& w_;
    instruction const* code_;
    counters& count_;
    int preferred_ = -1;
    unsigned left_ = turn;
    bool paused_ = false;
    warp_end end_ = warp_end::exited;
};

// Lanes at one instruction are one path; one that waits for others looks again when some have come.
void paths_of::merge() {
    auto& all = w_.paths;
    std::erase_if(all, [](path const& p) { return p.mask == 0; });
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = a + 1; b < all.size();) {
            if (all[a].pc != all[b].pc || (all[a].state == waits::block) != (all[b].state == waits::block)) {
                ++b;
                continue;
            }
            if (all[a].state != all[b].state) all[a].state = waits::nothing;
            all[a].mask |= all[b].mask;
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(b));
        }
}

int paths_of::lowest() const {
    int found = -1;
    for (std::size_t k = 0; k < w_.paths.size(); ++k)
        if (w_.paths[k].state == waits::nothing &&
            (found < 0 || w_.paths[k].pc < w_.paths[static_cast<std::size_t>(found)].pc))
            found = static_cast<int>(k);
    return found;
}

// The instruction at which another path may join this one.
std::uint32_t paths_of::next_pc(std::size_t of) const {
    std::uint32_t next = never;
    for (std::size_t k = 0; k < w_.paths.size(); ++k)
        if (k != of && w_.paths[k].pc > w_.paths[of].pc) next = std::min(next, w_.paths[k].pc);
    return next;
}

// Some lanes of a path go to another instruction; the rest stays.
void paths_of::leave(path& p, std::uint32_t lanes, std::uint32_t to, waits state) {
    p.mask &= ~lanes;
    if (lanes) w_.paths.push_back({to, lanes, state});  // p may be gone
}

bool paths_of::branch(path& p, instruction const& i, std::uint32_t active) {
    ++count_.branches;
    if (active == p.mask) {
        bool const back = i.target <= p.pc;
        p.pc = i.target;
        return back;
    }
    ++p.pc;
    if (active) {
        ++count_.divergent_branches;
        leave(p, active, i.target);
    }
    return false;
}

bool paths_of::branch_by_index(path& p, instruction const& i, std::uint32_t active) {
    ++count_.branches;
    std::uint32_t const next = p.pc + 1;
    auto const& lists = w_.in->of->work.kernel->lists;
    std::uint64_t const* const index = w_.slot(i.a);
    std::uint32_t left = active;
    std::uint32_t const rest = p.mask & ~active;
    p.mask = 0;
    std::vector<path> made;
    if (rest) made.push_back({next, rest, waits::nothing});
    while (left) {
        auto const k = get<std::uint32_t>(index, static_cast<unsigned>(std::countr_zero(left)));
        if (k >= i.d) stop(w_, i, fault_kind::failed, "an index that is no place of the table");
        std::uint32_t same = 0;
        each_lane(left, [&](unsigned l) { same |= std::uint32_t{get<std::uint32_t>(index, l) == k} << l; });
        same &= left, left &= ~same;
        made.push_back({lists[i.list + k], same, waits::nothing});
    }
    count_.divergent_branches += made.size() > 1;
    w_.paths.insert(w_.paths.end(), made.begin(), made.end());
    return false;
}

// Lanes whose partners are all here run the instruction, the others wait for them.
bool paths_of::collective(path& p, instruction const& i, std::uint32_t active) {
    std::uint64_t const* const members = w_.slot(i.d);
    std::uint32_t ready = 0;
    each_lane(active, [&](unsigned l) {
        auto const mask = get<std::uint32_t>(members, l);
        if (!(mask >> l & 1)) stop(w_, i, fault_kind::failed, "a lane is not in its own mask of members");
        if (mask & ~w_.alive)
            stop(w_, i, fault_kind::failed, "the mask of members names a lane that does not exist or has ended");
        if (!(mask & ~active)) ready |= 1u << l;
    });
    if (ready) {
        if (i.run) i.run(w_, i, ready);
        if (i.how == flow::warp_barrier) w_.synchronized = ++w_.in->of->tick;
    }
    std::uint32_t const at = p.pc, waiting = active & ~ready;
    if (!waiting) {
        ++p.pc;
        return false;
    }
    // The path's own lanes are those that run on.
    p.pc = at + 1;
    leave(p, waiting, at, waits::warp);
    return false;
}

// True: the path has jumped back.
bool paths_of::special(path& p, instruction const& i, std::uint32_t active) {
    switch (i.how) {
        case flow::branch: return branch(p, i, active);
        case flow::branch_by_index: return branch_by_index(p, i, active);
        case flow::exit:
            w_.alive &= ~active;
            p.mask &= ~active;
            ++p.pc;
            return false;
        case flow::barrier: {
            std::uint32_t const at = p.pc++;
            leave(p, active, at, waits::block);
            return false;
        }
        default: return collective(p, i, active);
    }
}

void paths_of::run_path(std::size_t at) {
    path here = w_.paths[at];
    std::uint32_t limit = next_pc(at);
    for (; left_; --left_) {
        instruction const& i = code_[here.pc];
        std::uint32_t const active = guarded(w_, i, here.mask);
        ++count_.warp_instructions;
        count_.lane_instructions[static_cast<std::size_t>(i.work)] += static_cast<unsigned>(std::popcount(active));
        if (i.how == flow::plain) [[likely]] {
            if (active) i.run(w_, i, active);
            ++here.pc;
        } else {
            w_.paths[at] = here;
            std::size_t const before = w_.paths.size();
            bool const moved = special(here, i, active);
            w_.paths[at] = here;
            if (before != w_.paths.size() || here.mask == 0) return;
            if (moved) limit = next_pc(at);
        }
        if (here.pc >= limit) {
            w_.paths[at] = here;
            return;
        }
    }
    w_.paths[at] = here;
    left_ = turn;
    paused_ = true;
}

// Barriers of the warp may be at several instructions.
bool paths_of::release_warp_barrier() {
    std::uint32_t waiting = 0;
    for (path const& p : w_.paths)
        if (p.state == waits::warp && code_[p.pc].how == flow::warp_barrier) waiting |= p.mask;
    std::uint32_t released = 0;
    for (path const& p : w_.paths) {
        if (p.state != waits::warp || code_[p.pc].how != flow::warp_barrier) continue;
        auto const mask = get<std::uint32_t>(w_.slot(code_[p.pc].d), static_cast<unsigned>(std::countr_zero(p.mask)));
        if (!(mask & ~waiting)) released |= mask;
    }
    for (path& p : w_.paths)
        if (p.state == waits::warp && p.mask & released) ++p.pc, p.state = waits::nothing;
    if (released) w_.synchronized = ++w_.in->of->tick;
    return released != 0;
}

void paths_of::check_block_barrier() {
    path const& first = w_.paths.front();
    instruction const& i = code_[first.pc];
    if (w_.paths.size() > 1)
        stop(w_, i, fault_kind::failed,
             "barrier divergence: lanes of a warp wait at the barriers of lines " + std::to_string(i.line) + " and " +
                 std::to_string(code_[w_.paths[1].pc].line));
    w_.barrier_pc = first.pc;
    w_.barrier_id = get<std::uint32_t>(w_.slot(i.b), static_cast<unsigned>(std::countr_zero(first.mask)));
    w_.barrier_votes = i.count ? w_.predicate(i.a) ^ (i.more ? every_lane : 0) : 0;
    w_.barrier_votes &= first.mask;
}

bool paths_of::stopped() {
    if (w_.paths.empty()) {
        end_ = warp_end::exited;
        return true;
    }
    if (std::any_of(w_.paths.begin(), w_.paths.end(), [](path const& p) { return p.state == waits::warp; })) {
        if (release_warp_barrier()) return false;
        auto const& p =
            *std::find_if(w_.paths.begin(), w_.paths.end(), [](path const& each) { return each.state == waits::warp; });
        stop(w_, code_[p.pc], fault_kind::failed, "lanes of the mask of members never come here");
    }
    check_block_barrier();
    end_ = warp_end::at_barrier;
    return true;
}

warp_end paths_of::run() {
    for (;;) {
        merge();
        int const next = preferred_ >= 0 && preferred_ < static_cast<int>(w_.paths.size()) &&
                                 w_.paths[static_cast<std::size_t>(preferred_)].state == waits::nothing
                             ? preferred_
                             : lowest();
        preferred_ = -1;
        if (next < 0) {
            if (stopped()) return end_;
            continue;
        }
        run_path(static_cast<std::size_t>(next));
        if (!std::exchange(paused_, false)) continue;
        // Another path has a turn, then the other warps and blocks.
        int const runnable = static_cast<int>(
            std::count_if(w_.paths.begin(), w_.paths.end(), [](path const& p) { return p.state == waits::nothing; }));
        if (runnable < 2 || next + 1 == static_cast<int>(w_.paths.size())) return warp_end::paused;
        preferred_ = next + 1;
    }
}

}  // namespace

warp_end run_warp(warp& w) { return paths_of(w).run(); }

void leave_barrier(warp& w, unsigned votes, unsigned threads) {
    instruction const& i = w.in->of->work.kernel->instructions[w.barrier_pc];
    path& p = w.paths.front();
    bool const all = votes == threads, any = votes != 0;
    if (i.count == 1) each_lane(p.mask, [&](unsigned l) { put<std::uint32_t>(w.slot(i.out), l, votes); });
    else if (i.count) {
        std::uint32_t& out = w.predicate(i.out);
        out = (i.count == 2 ? all : any) ? out | p.mask : out & ~p.mask;
    }
    ++p.pc;
    p.state = waits::nothing;
}

}  // namespace bascule::ptx
