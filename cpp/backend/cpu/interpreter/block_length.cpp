#include "backend/cpu/interpreter/block_length.hpp"

#include <algorithm>

#include "backend/cpu/program/pairwise_sums.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

// Whether one instruction computes everything, from operands in place.
bool is_one_piece(program const& p) noexcept {
    if (p.ninstructions == 0) return false;
    for (int k = 0; k + 1 < p.ninstructions; ++k)
        if (!p.code[k].single) return false;
    for (int k = 0; k < p.nmoving; ++k) {
        slot const& s = p.slots[p.moving[k]];
        bool const in_place = s.where == place::flat || s.where == place::per_row || s.where == place::strided ||
                              (s.where == place::rows && p.space.by_rows);
        if (!in_place) return false;
    }
    return true;
}

// One instruction from memory to memory: no register has to fit into a cache.
bool keeps_nothing(program const& p) noexcept {
    if (p.noutputs == 0) return false;
    for (int k = 0; k < p.noutputs; ++k)
        if (!p.outputs[k].direct) return false;
    return is_one_piece(p);
}

bool packs_repeated_rows(program const& p) noexcept {
    return std::any_of(p.moving, p.moving + p.nmoving,
                       [&](std::uint16_t v) { return p.slots[v].where == place::packed && p.slots[v].repeats; });
}

// Elements of 8 bytes in a block. Interleaved operands pass the first cache twice.
int elements_of_block(program const& p, int registers) noexcept {
    if (p.interleaves || p.ninterleaved > 0) return interleaved_block_elements;
    return registers > 4 ? crowded_block_elements : block_elements;
}

int block_of_elements(program const& p, int registers, int widest) noexcept {
    if (keeps_nothing(p))
        return p.space.total >= 4 * long_block_elements * sched::thread_count() ? long_block_elements
                                                                                : streaming_block_elements;
    int block = elements_of_block(p, registers) * 8 / std::min(widest, 8) / (p.streams ? streamed_share : 1);
    // Whole rows a block, so that a row that repeats is packed once.
    if (!p.space.by_rows && p.space.inner > 0 && p.space.inner <= block)
        block -= static_cast<int>(block % p.space.inner);
    bool const longer = p.space.inner > block && p.space.inner <= block_elements;
    if (p.space.by_rows && longer && packs_repeated_rows(p)) block = static_cast<int>(p.space.inner);
    return block;
}

// Whether only values pass through registers that are reduced here, or kept for another reader.
bool reduces_alone(program const& p) noexcept {
    plan const& source = *p.source;
    if (source.nstores > 0 || source.ndim == 0 || !is_one_piece(p)) return false;
    return source.reduced || !source.reductions[0].out.base;
}

int widest_reduced(plan const& source) noexcept {
    int widest = 1;
    for (int k = 0; k < source.nreductions; ++k)
        widest = std::max(widest, itemsize(source.values[source.reductions[k].value].dtype));
    return widest;
}

}  // namespace

int length_of_blocks(program const& p, int registers, int widest, bool careful) noexcept {
    plan const& source = *p.source;
    if (p.leaf_ends) return pairwise_sums::most_elements;  // of which only the last few are stored
    if (source.nreductions == 0) return block_of_elements(p, registers, widest);
    // It must hold the longest leaf of a tree, 1,024 elements of a variance.
    if (careful || !reduces_alone(p)) return block_elements;
    return std::max(block_elements, reduced_block_bytes / widest_reduced(source));
}

}  // namespace bascule::cpu
