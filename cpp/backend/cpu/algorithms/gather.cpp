// gather and scatter: all indices are checked first, each index array once however it is broadcast, then items move. A
// contiguous take checks its indices while it reads them.
#include <atomic>
#include <cstdio>

#include "backend/cpu/algorithms/algorithms.hpp"
#include "backend/cpu/common/cpu_tuning.hpp"
#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/common/run_space.hpp"
#include "backend/cpu/dispatch/gather_kernels.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

constexpr int most_indices = max_dims;
using indexed_space = run_space<most_indices + 2>;  // base, other, then the index arrays
constexpr int base_operand = 0, other_operand = 1, first_index = 2;

inline std::int64_t load_index(char const* p) noexcept {
    std::int64_t i;
    __builtin_memcpy(&i, p, sizeof i);
    return i;
}
// In [-size, size), without a branch and without overflow.
inline bool out_of_bounds(std::int64_t i, std::int64_t size) noexcept {
    return static_cast<std::uint64_t>(i) + static_cast<std::uint64_t>(size) >= 2 * static_cast<std::uint64_t>(size);
}
inline std::int64_t wrapped(std::int64_t i, std::int64_t size) noexcept { return i + (size & (i >> 63)); }

// ---- bounds
bool any_out_of_bounds(char const* p, std::int64_t stride, std::int64_t n, std::int64_t size) noexcept {
    if (stride == sizeof(std::int64_t)) return active_gather_kernels().any_out_of_bounds(p, n, size);
    bool bad = false;
    for (std::int64_t j = 0; j < n; ++j) bad |= out_of_bounds(load_index(p + j * stride), size);
    return bad;
}

// Position of the first bad index in [begin, end) of its own space; end where there is none.
std::int64_t first_bad(run_space<1> const& space, char const* base, std::int64_t size, std::int64_t begin,
                       std::int64_t end) noexcept {
    std::int64_t found = end, at = begin;
    space.for_each_run(begin, end, [&](std::int64_t const* offset, std::int64_t n, std::int64_t const*) {
        char const* const p = base + offset[0];
        std::int64_t const stride = space.run_stride(0);
        if (found == end && any_out_of_bounds(p, stride, n, size))
            for (std::int64_t j = n; j-- > 0;)
                if (out_of_bounds(load_index(p + j * stride), size)) found = at + j;
        at += n;
    });
    return found;
}

std::int64_t index_at(run_space<1> const& space, char const* base, std::int64_t position) noexcept {
    std::int64_t value = 0;
    space.for_each_run(position, position + 1, [&](std::int64_t const* offset, std::int64_t, std::int64_t const*) {
        value = load_index(base + offset[0]);
    });
    return value;
}

status check_index(gather_args& a, int k) noexcept {
    run_space<1> space(a.ndim, a.shape);
    space.add(a.index[k].strides);
    space.drop_broadcast();
    space.simplify();
    auto const* const base = static_cast<char const*>(a.index[k].base);
    pieces const work(space.size());
    std::atomic<std::int64_t> first{work.total};
    sched::parallel_for(work.count, work.count > 1, [&](std::int64_t t) {
        std::int64_t const end = work.end(t), found = first_bad(space, base, a.index_size[k], work.begin(t), end);
        if (found == end) return;
        for (std::int64_t seen = first.load(); found < seen && !first.compare_exchange_weak(seen, found);) {}
    });
    if (first.load() == work.total) return status::ok;
    a.bad_value = index_at(space, base, first.load());
    a.bad_axis = a.index_axis[k];
    a.bad_size = a.index_size[k];
    char text[160];
    std::snprintf(text, sizeof text, "index %lld is out of bounds for axis %d with size %lld",
                  static_cast<long long>(a.bad_value), static_cast<int>(a.bad_axis),
                  static_cast<long long>(a.bad_size));
    set_last_error(text);
    return status::index_error;
}

// ---- moving The index arrays that vary along a run, and the parts of an address that do not.
struct mover {
    indexed_space space;
    gather_args const& args;
    int varying[most_indices], varying_count = 0, fixed[most_indices], fixed_count = 0;
    std::int64_t base_stride, other_stride;

    mover(gather_args const& a, bool gathers) noexcept : space(a.ndim, a.shape), args(a) {
        space.add(a.base_strides);
        space.add(a.other.strides);
        for (int k = 0; k < a.nindex; ++k) space.add(a.index[k].strides);
        if (gathers) space.order_by(other_operand);  // a scatter keeps its order: of equal positions the last one wins
        space.simplify();
        base_stride = space.run_stride(base_operand);
        other_stride = space.run_stride(other_operand);
        for (int k = 0; k < a.nindex; ++k) {
            if (space.run_stride(first_index + k) != 0) varying[varying_count++] = k;
            else fixed[fixed_count++] = k;
        }
    }
    char const* index(int k, std::int64_t const* offset) const noexcept {
        return static_cast<char const*>(args.index[k].base) + offset[first_index + k];
    }
    std::int64_t place(int k, char const* p) const noexcept { return wrapped(load_index(p), args.index_size[k]); }
    char* base(std::int64_t const* offset) const noexcept {
        char* p = static_cast<char*>(args.base) + offset[base_operand];
        for (int f = 0; f < fixed_count; ++f) p += place(fixed[f], index(fixed[f], offset)) * args.index_step[fixed[f]];
        return p;
    }
    char* other(std::int64_t const* offset) const noexcept {
        return static_cast<char*>(args.other.base) + offset[other_operand];
    }
};

template <bool Gather, int Bytes> inline void move_item(char* base, char* other, std::int32_t size) noexcept {
    if constexpr (Gather) copy_item<Bytes>(other, base, size);
    else copy_item<Bytes>(base, other, size);
}

template <bool Gather, int Bytes> void move_strided(mover const& m, char* base, char* other, std::int64_t n) noexcept {
    std::int64_t const size = m.args.itemsize;
    if (m.base_stride == size && m.other_stride == size) {
        auto const bytes = static_cast<std::size_t>(n * size);
        __builtin_memmove(Gather ? other : base, Gather ? base : other, bytes);
        return;
    }
    for (std::int64_t j = 0; j < n; ++j)
        move_item<Gather, Bytes>(base + j * m.base_stride, other + j * m.other_stride, m.args.itemsize);
}

// From `size` items one after the other.
take_kernel take_from(int bytes, std::int64_t size) noexcept {
    constexpr std::int64_t large = std::int64_t{4} << 20;  // below, waiting costs less than asking
    bool const ahead = prefetches_into_l2 && size * bytes > large;
    auto const& kernels = active_gather_kernels();
    return (ahead ? kernels.take_ahead : kernels.take)[size_class(bytes)];
}

// One index array along the run: the usual take and put.
template <bool Gather, int Bytes>
void move_by_one(mover const& m, char* base, char* other, char const* index, std::int64_t n) noexcept {
    int const k = m.varying[0];
    std::int64_t const step = m.args.index_step[k], size = m.args.index_size[k],
                       stride = m.space.run_stride(first_index + k);
    if constexpr (Bytes > 0)
        if (stride == 8 && m.base_stride == 0 && m.other_stride == Bytes && step == Bytes) {
            if constexpr (Gather) take_from(Bytes, size)(other, base, index, n, size);
            else
                active_gather_kernels().put[size_class(Bytes)](
                    {base, other, Bytes, index, n, size, 0, size, prefetches_into_l2});
            return;
        }
    for (std::int64_t j = 0; j < n; ++j)
        move_item<Gather, Bytes>(base + j * m.base_stride + wrapped(load_index(index + j * stride), size) * step,
                                 other + j * m.other_stride, m.args.itemsize);
}

template <bool Gather, int Bytes>
void move_by_several(mover const& m, std::int64_t const* offset, char* base, char* other, std::int64_t n) noexcept {
    constexpr std::int64_t block = 256;
    for (std::int64_t from = 0; from < n; from += block) {
        std::int64_t const count = std::min(block, n - from);
        std::int64_t at[block];
        for (std::int64_t j = 0; j < count; ++j) at[j] = (from + j) * m.base_stride;
        for (int v = 0; v < m.varying_count; ++v) {
            int const k = m.varying[v];
            std::int64_t const stride = m.space.run_stride(first_index + k);
            char const* const index = m.index(k, offset) + from * stride;
            for (std::int64_t j = 0; j < count; ++j) at[j] += m.place(k, index + j * stride) * m.args.index_step[k];
        }
        for (std::int64_t j = 0; j < count; ++j)
            move_item<Gather, Bytes>(base + at[j], other + (from + j) * m.other_stride, m.args.itemsize);
    }
}

template <bool Gather, int Bytes> void move_range(mover const& m, std::int64_t begin, std::int64_t end) noexcept {
    m.space.for_each_run(begin, end, [&](std::int64_t const* offset, std::int64_t n, std::int64_t const*) {
        char *const base = m.base(offset), *const other = m.other(offset);
        if (m.varying_count == 0) move_strided<Gather, Bytes>(m, base, other, n);
        else if (m.varying_count == 1) move_by_one<Gather, Bytes>(m, base, other, m.index(m.varying[0], offset), n);
        else move_by_several<Gather, Bytes>(m, offset, base, other, n);
    });
}

// One contiguous index array along one dimension, items side by side: the usual take and put.
bool is_plain(mover const& m, std::int32_t bytes) noexcept {
    bool const has_kernels = bytes > 0 && bytes <= 16 && (bytes & (bytes - 1)) == 0;
    return has_kernels && m.space.ndim == 1 && m.varying_count == 1 && m.fixed_count == 0 && m.base_stride == 0 &&
           m.space.run_stride(first_index + m.varying[0]) == sizeof(std::int64_t) &&
           m.args.index_step[m.varying[0]] == bytes;
}

// False: some index is out of bounds.
bool take_plain(mover const& m, std::int32_t bytes) noexcept {
    gather_args const& a = m.args;
    int const k = m.varying[0];
    take_kernel const take = take_from(bytes, a.index_size[k]);
    std::atomic<bool> inside{true};
    pieces const work(m.space.size());
    sched::parallel_for(
        work.count, work.count > 1,
        [&](std::int64_t t) {
            std::int64_t const begin = work.begin(t);
            bool const all = take(static_cast<char*>(a.other.base) + begin * bytes, static_cast<char const*>(a.base),
                                  static_cast<char const*>(a.index[k].base) + begin * 8, work.end(t) - begin,
                                  a.index_size[k]);
            if (!all) inside.store(false, std::memory_order_relaxed);
        },
        sched::task_order::any);
    return inside.load();
}

// Every thread reads all indices and stores the items of its part of the target, so that the last of equal indices
// wins. A core's stores go out in their order and wait for a line each; reading the indices costs little in comparison.
void put_plain(mover const& m, int bytes) noexcept {
    constexpr std::int64_t most_parts = 8, worth_a_thread = std::int64_t{1} << 16;
    auto const put = active_gather_kernels().put[size_class(bytes)];
    gather_args const& a = m.args;
    int const k = m.varying[0];
    std::int64_t const n = m.space.size(), size = a.index_size[k],
                       parts = std::clamp<std::int64_t>(std::min(n, size) / worth_a_thread, 1,
                                                        std::min<std::int64_t>(sched::thread_count(), most_parts));
    sched::parallel_for(parts, parts > 1, [&](std::int64_t t) {
        put({static_cast<char*>(a.base), static_cast<char const*>(a.other.base), m.other_stride,
             static_cast<char const*>(a.index[k].base), n, size, size / parts * t,
             t + 1 < parts ? size / parts * (t + 1) : size, prefetches_into_l2});
    });
}

bool is_empty(gather_args const& a) noexcept {
    bool empty = false;
    for (int d = 0; d < a.ndim; ++d) empty |= a.shape[d] == 0;
    return empty;
}

status check(gather_args& a) noexcept {
    for (int k = 0; k < a.nindex; ++k)
        if (status const s = check_index(a, k); s != status::ok) return s;
    return status::ok;
}

status too_many_indices() noexcept {
    set_last_error("[cpu] expected at most 64 index arrays");
    return status::not_supported;
}

}  // namespace

status gather(gather_args& a) noexcept {
    if (a.nindex > most_indices) return too_many_indices();
    if (is_empty(a)) return status::ok;
    mover const m(a, true);
    // The output is new memory, so items taken before a bad index is found do no harm.
    if (is_plain(m, a.itemsize) && m.other_stride == a.itemsize)
        return take_plain(m, a.itemsize) ? status::ok : check_index(a, m.varying[0]);
    if (status const s = check(a); s != status::ok) return s;
    pieces const work(m.space.size());
    with_item_size(a.itemsize, [&](auto bytes) {
        sched::parallel_for(work.count, work.count > 1,
                            [&](std::int64_t t) { move_range<true, bytes()>(m, work.begin(t), work.end(t)); });
    });
    return status::ok;
}

status scatter(gather_args& a) noexcept {
    if (a.nindex > most_indices) return too_many_indices();
    if (is_empty(a)) return status::ok;
    if (status const s = check(a); s != status::ok) return s;
    mover const m(a, false);
    if (is_plain(m, a.itemsize)) {
        put_plain(m, a.itemsize);
        return status::ok;
    }
    // On one thread, for the last of equal indices to win.
    with_item_size(a.itemsize, [&](auto bytes) { move_range<false, bytes()>(m, 0, m.space.size()); });
    return status::ok;
}

}  // namespace bascule::cpu
