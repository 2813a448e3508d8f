// nonzero, compress and expand: true elements are counted piece by piece; the counts say where each piece writes, so
// that all of them fill at once.
#include "backend/cpu/algorithms/algorithms.hpp"
#include "backend/cpu/common/run_space.hpp"
#include "backend/cpu/dispatch/gather_kernels.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

std::int64_t count_run(unsigned char const* m, std::int64_t stride, std::int64_t n) noexcept {
    if (stride == 1) return active_gather_kernels().count_nonzero(m, n);
    if (stride == 0) return *m != 0 ? n : 0;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < n; ++i) count += m[i * stride] != 0;
    return count;
}

// Where each piece's output starts, and in the last place how much there is.
struct starts {
    pieces work;
    std::int64_t at[most_pieces + 1];

    template <class Space>
    starts(Space const& space, int mask_operand, void const* mask) noexcept : work(space.size()) {
        auto const count_piece = [&](std::int64_t t) {
            std::int64_t count = 0;
            space.for_each_run(work.begin(t), work.end(t),
                               [&](std::int64_t const* offset, std::int64_t n, std::int64_t const*) {
                                   count += count_run(static_cast<unsigned char const*>(mask) + offset[mask_operand],
                                                      space.run_stride(mask_operand), n);
                               });
            at[t + 1] = count;
        };
        sched::parallel_for(work.count, work.count > 1, count_piece, sched::task_order::any);
        at[0] = 0;
        for (std::int64_t t = 0; t < work.count; ++t) at[t + 1] += at[t];
    }
    std::int64_t total() const noexcept { return at[work.count]; }
};

template <int Bytes>
char* take_strided(char* to, char const* from, std::int64_t step, unsigned char const* mask, std::int64_t mask_step,
                   std::int64_t n, std::int32_t size) noexcept {
    for (std::int64_t i = 0; i < n; ++i) {
        if (mask[i * mask_step] == 0) continue;
        copy_item<Bytes>(to, from + i * step, size);
        to += size;
    }
    return to;
}

template <int Bytes>
char const* spread_strided(char* to, std::int64_t step, unsigned char const* mask, std::int64_t mask_step,
                           std::int64_t n, char const* from, std::int32_t size) noexcept {
    for (std::int64_t i = 0; i < n; ++i) {
        if (mask[i * mask_step] == 0) continue;
        copy_item<Bytes>(to + i * step, from, size);
        from += size;
    }
    return from;
}

// Coordinate along the last dimension of true elements.
std::int64_t* nonzero_positions(std::int64_t* to, std::int64_t* const end, unsigned char const* mask,
                                std::int64_t stride, std::int64_t first, std::int64_t n) noexcept {
    if (stride == 1) return active_gather_kernels().nonzero_positions(to, end, mask, first, n);
    for (std::int64_t i = 0; i < n; ++i)
        if (mask[i * stride] != 0) *to++ = first + i;
    return to;
}

}  // namespace

status nonzero(nonzero_args& a) noexcept {
    run_space<1> space(a.ndim, a.shape);
    space.add(a.mask.strides);
    if (a.out == nullptr || a.ndim <= 1) space.simplify();
    starts const start(space, 0, a.mask.base);
    a.count = start.total();
    if (a.out == nullptr || a.ndim == 0) return status::ok;
    std::int64_t const stride = space.run_stride(0);
    int const last = a.ndim - 1;
    sched::parallel_for(start.work.count, start.work.count > 1, [&](std::int64_t t) {
        std::int64_t* const column = a.out + last * a.out_stride;
        std::int64_t *to = column + start.at[t], *const end = column + start.at[t + 1];
        space.for_each_run(start.work.begin(t), start.work.end(t),
                           [&](std::int64_t const* offset, std::int64_t n, std::int64_t const* index) {
                               std::int64_t* const before = to;
                               std::int64_t const first = space.ndim == 0 ? 0 : index[space.ndim - 1];
                               to = nonzero_positions(to, end,
                                                      static_cast<unsigned char const*>(a.mask.base) + offset[0],
                                                      stride, first, n);
                               for (int d = 0; d < last; ++d)
                                   std::fill(a.out + d * a.out_stride + (before - column),
                                             a.out + d * a.out_stride + (to - column), index[d]);
                           });
    });
    return status::ok;
}

namespace {

// Mask and data over one iteration space, of compress_args or expand_args.
template <class Args> run_space<2> masked_space(Args const& a) noexcept {
    run_space<2> space(a.ndim, a.shape);
    space.add(a.mask.strides);
    space.add(a.data.strides);
    space.simplify();
    return space;
}

// Moves the items of each piece, run by run, between the dense side, from first(t) on, and the masked side. The
// function that moves a run returns the next dense position: flat(at, data, mask, n, t) where both are contiguous, else
// strided(at, data, step, mask, mask_step, n).
template <int Bytes, class Args, class First, class Flat, class Strided>
void move_pieces(run_space<2> const& space, pieces const& work, Args const& a, First const& first, Flat const& flat,
                 Strided const& strided) noexcept {
    std::int64_t const mask_step = space.run_stride(0), step = space.run_stride(1);
    bool const dense = Bytes > 0 && mask_step == 1 && step == Bytes;
    auto const move_piece = [&](std::int64_t t) {
        auto* at = first(t);
        space.for_each_run(work.begin(t), work.end(t),
                           [&](std::int64_t const* offset, std::int64_t n, std::int64_t const*) {
                               auto const* const mask = static_cast<unsigned char const*>(a.mask.base) + offset[0];
                               auto* const data = static_cast<char*>(a.data.base) + offset[1];
                               at = dense ? flat(at, data, mask, n, t) : strided(at, data, step, mask, mask_step, n);
                           });
    };
    sched::parallel_for(work.count, work.count > 1, move_piece, sched::task_order::any);
}

constexpr int class_of(int bytes) { return bytes > 0 ? size_class(bytes) : 0; }

// One value goes to all positions, so that nothing has to be counted.
void repeat(expand_args const& a, run_space<2> const& space) noexcept {
    with_item_size(a.itemsize, [&](auto bytes) {
        auto const fill = active_gather_kernels().fill_true[class_of(bytes())];
        move_pieces<bytes()>(
            space, pieces(space.size()), a, [&](std::int64_t) { return static_cast<char const*>(a.values); },
            [&](char const* value, char* to, unsigned char const* mask, std::int64_t n, std::int64_t) {
                fill(to, mask, n, value);
                return value;
            },
            [&](char const* value, char* to, std::int64_t step, unsigned char const* mask, std::int64_t mask_step,
                std::int64_t n) {
                for (std::int64_t i = 0; i < n; ++i)
                    if (mask[i * mask_step] != 0) copy_item<bytes()>(to + i * step, value, a.itemsize);
                return value;
            });
    });
}

}  // namespace

status compress(compress_args& a) noexcept {
    auto const space = masked_space(a);
    starts const start(space, 0, a.mask.base);
    a.count = start.total();
    if (a.out == nullptr) return status::ok;
    auto* const out = static_cast<char*>(a.out);
    with_item_size(a.itemsize, [&](auto bytes) {
        auto const take = active_gather_kernels().compress[class_of(bytes())];
        move_pieces<bytes()>(
            space, start.work, a, [&](std::int64_t t) { return out + start.at[t] * a.itemsize; },
            [&](char* to, char const* from, unsigned char const* mask, std::int64_t n, std::int64_t t) {
                return take(to, out + start.at[t + 1] * a.itemsize, from, mask, n);
            },
            [&](char* to, char const* from, std::int64_t step, unsigned char const* mask, std::int64_t mask_step,
                std::int64_t n) { return take_strided<bytes()>(to, from, step, mask, mask_step, n, a.itemsize); });
    });
    return status::ok;
}

status expand(expand_args& a) noexcept {
    auto const space = masked_space(a);
    if (a.repeats) return repeat(a, space), status::ok;
    starts const start(space, 0, a.mask.base);
    if (start.total() != a.count) {
        a.count = start.total();
        return status::ok;
    }
    auto const* const values = static_cast<char const*>(a.values);
    char const* const end = values + a.count * a.itemsize;
    with_item_size(a.itemsize, [&](auto bytes) {
        auto const spread = active_gather_kernels().spread[class_of(bytes())];
        move_pieces<bytes()>(
            space, start.work, a, [&](std::int64_t t) { return values + start.at[t] * a.itemsize; },
            [&](char const* from, char* to, unsigned char const* mask, std::int64_t n, std::int64_t) {
                return spread(to, mask, n, from, end);
            },
            [&](char const* from, char* to, std::int64_t step, unsigned char const* mask, std::int64_t mask_step,
                std::int64_t n) { return spread_strided<bytes()>(to, step, mask, mask_step, n, from, a.itemsize); });
    });
    return status::ok;
}

}  // namespace bascule::cpu
