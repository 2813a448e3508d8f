// Running aggregates. The usual ops have loops of their own; every other one uses its element-wise kernel.
#include <cstdio>

#include "backend/cpu/algorithms/algorithms.hpp"
#include "backend/cpu/common/fp_status.hpp"
#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/common/run_space.hpp"
#include "backend/cpu/dispatch/kernels.hpp"
#include "backend/cpu/program/fp_inspection.hpp"
#include "backend/cpu/program/op_traits.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

// `lanes` scans side by side, each n long: neighbours in memory where the array's layout allows, so that the inner loop
// runs over them.
constexpr std::int64_t widest = 1024;
struct strip {
    char const* in;
    char* out;
    std::int64_t in_step, out_step;  // bytes along the scan
    std::int64_t in_lane, out_lane;  // bytes from one scan to the next
    std::int64_t n, lanes;           // lanes <= widest
};
// A step of an op without a loop of its own; `check`: errors that are looked for in the values of every step, where
// the processor's flags would show more than the operation.
struct step {
    kernel run = nullptr;
    kernel_table const* kernels = nullptr;
    plan_value value;
    std::uint8_t check = 0;
};
using strip_function = std::uint8_t (*)(strip const&, step const&);  // returns the errors of `check` that it found

template <class T> T load(char const* p) noexcept {
    T x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
}
template <class T> void store(char* p, T x) noexcept { __builtin_memcpy(p, &x, sizeof x); }

// The error of converting a number in float32 to float16, which NumPy's conversion reports. Bits are compared, since
// comparisons with NaN raise a condition of their own.
inline std::uint8_t lost_in_half(float from, float16 to) noexcept {
    constexpr std::uint32_t magnitude = 0x7fffffff, infinite = 0x7f800000, least_normal = 0x38800000;  // 2^-14
    auto const given = __builtin_bit_cast(std::uint32_t, from),
               kept = __builtin_bit_cast(std::uint32_t, ops::to_float32(to));
    bool const over = (kept & magnitude) == infinite && (given & magnitude) != infinite;
    bool const under = (given & magnitude) < least_normal && kept != given;
    return static_cast<std::uint8_t>((over ? ops::fp::over : 0) | (under ? ops::fp::under : 0));
}

template <class Op>
constexpr bool is_extremum = std::is_same_v<Op, ops::minimum> || std::is_same_v<Op, ops::maximum> ||
                             std::is_same_v<Op, ops::fmin> || std::is_same_v<Op, ops::fmax>;

// float16 is computed in float32 and rounded at every step, as NumPy's loop does.
template <class Op, class T> inline T combine(T a, T b, std::uint8_t& found) noexcept {
    if constexpr (std::is_same_v<T, float16>) {
        // Of two zeros NumPy's extrema of this type, and of no other, keep the first.
        if (is_extremum<Op> && ops::to_float32(a) == ops::to_float32(b)) return a;
        float const wide = Op{}(ops::to_float32(a), ops::to_float32(b));
        float16 const r = ops::to_float16(wide);
        if constexpr (std::is_same_v<Op, ops::add> || std::is_same_v<Op, ops::multiply>) found |= lost_in_half(wide, r);
        return r;
    } else {
        return Op{}(a, b);
    }
}

template <class Op, class T> std::uint8_t scan_lane(strip const& s) noexcept {
    std::uint8_t found = ops::fp::none;
    T running = load<T>(s.in);
    store(s.out, running);
    char const* in = s.in;  // copies: for the compiler, a store could change any of the strip's members
    char* out = s.out;
    std::int64_t const n = s.n, in_step = s.in_step, out_step = s.out_step;
    for (std::int64_t i = 1; i < n; ++i) {
        in += in_step, out += out_step;
        running = combine<Op>(running, load<T>(in), found);
        store(out, running);
    }
    return found;
}

template <class Op>
constexpr bool is_bitwise = std::is_same_v<Op, ops::bitwise_and> || std::is_same_v<Op, ops::bitwise_or> ||
                            std::is_same_v<Op, ops::bitwise_xor>;

// Bitwise ops of all elements, whose order does not change the result: as many bits at a time as vectors hold.
template <class Op, class T> void reduce_neighbours(strip const& s) noexcept {
    using bits [[gnu::vector_size(16)]] = std::uint64_t;
    constexpr int count = 8;
    std::int64_t const bytes = s.n * static_cast<std::int64_t>(sizeof(T));
    std::int64_t done = sizeof(T);
    T left = load<T>(s.in);
    if (bytes >= done + std::int64_t{sizeof(bits) * count}) {
        bits joined[count];
        __builtin_memcpy(joined, s.in + done, sizeof joined);
        for (done += sizeof joined; bytes - done >= std::int64_t{sizeof joined}; done += sizeof joined) {
#pragma GCC unroll 8
            for (int k = 0; k < count; ++k) {
                bits const more = load<bits>(s.in + done + k * sizeof more);
                if constexpr (std::is_same_v<Op, ops::bitwise_and>) joined[k] &= more;
                else if constexpr (std::is_same_v<Op, ops::bitwise_or>) joined[k] |= more;
                else joined[k] ^= more;
            }
        }
        char const* const parts = reinterpret_cast<char const*>(joined);
        for (std::size_t k = 0; k < sizeof joined; k += sizeof(T)) left = Op{}(left, load<T>(parts + k));
    }
    for (; done < bytes; done += sizeof(T)) left = Op{}(left, load<T>(s.in + done));
    store(s.out, left);
}

template <class Op, class T> std::uint8_t scan_side_by_side(strip const& s) noexcept {
    constexpr std::int64_t item = sizeof(T);
    std::uint8_t found = ops::fp::none;
    __builtin_memmove(s.out, s.in, static_cast<std::size_t>(s.lanes * item));
    for (std::int64_t i = 1; i < s.n; ++i) {
        char const* const in = s.in + i * s.in_step;
        char const* const before = s.out + (i - 1) * s.out_step;
        char* const out = s.out + i * s.out_step;
        for (std::int64_t l = 0; l < s.lanes; ++l)
            store(out + l * item, combine<Op>(load<T>(before + l * item), load<T>(in + l * item), found));
    }
    return found;
}

template <class Op, class T> std::uint8_t scan_strip(strip const& s, step const&) noexcept {
    if (s.lanes > 1 && s.in_lane == sizeof(T) && s.out_lane == sizeof(T)) return scan_side_by_side<Op, T>(s);
    std::uint8_t found = ops::fp::none;
    for (std::int64_t l = 0; l < s.lanes; ++l) {
        strip one = s;
        one.in += l * s.in_lane;
        one.out += l * s.out_lane;
        if constexpr (is_bitwise<Op>)
            if (s.out_step == 0 && s.in_step == sizeof(T)) {
                reduce_neighbours<Op, T>(one);
                continue;
            }
        found |= scan_lane<Op, T>(one);
    }
    return found;
}

// Any op: its kernel on two operands, one row of neighbours or one element at a time.
template <int Bytes> std::uint8_t scan_by_kernel(strip const& s, step const& op) noexcept {
    bool const rows = s.in_lane == Bytes && s.out_lane == Bytes;
    std::int64_t const calls = rows ? 1 : s.lanes, width = rows ? s.lanes : 1;
    auto const n = static_cast<std::size_t>(width);
    alignas(16) char before[widest * Bytes];
    std::uint8_t found = ops::fp::none;
    for (std::int64_t c = 0; c < calls; ++c) {
        char const* const in = s.in + c * s.in_lane;
        char* const out = s.out + c * s.out_lane;
        __builtin_memmove(out, in, n * Bytes);
        for (std::int64_t i = 1; i < s.n; ++i) {
            void *const to = out + i * s.out_step, *const running = out + (i - 1) * s.out_step;
            void const* const next = in + i * s.in_step;
            if (op.check) __builtin_memcpy(before, running, n * Bytes);
            op.run(to, running, next, nullptr, n);
            if (op.check)
                found |= fp_errors_of(op.value, op.value.dtype,
                                      {to, before, next, nullptr, false, false, false, op.check, n}, *op.kernels);
        }
    }
    return found;
}

// ---- which function
template <class Op, type_id Id> constexpr strip_function loop_of() {
    if constexpr (!contains(Op::meta.types, Id) || ops::result_type(ops::number<Op>, Id) != Id) return nullptr;
    else return scan_strip<Op, element<Id>>;
}
struct loop_row {
    strip_function of[type_count];
};
template <class Op, int... Id> constexpr loop_row loops_of(std::integer_sequence<int, Id...>) {
    return {{loop_of<Op, type_id(Id)>()...}};
}

template <class... Op> strip_function own_loop(ops::op_list<Op...>, int op, type_id t) noexcept {
    strip_function found = nullptr;
    auto const look = [&]<class O>(O) {
        static constexpr loop_row row = loops_of<O>(std::make_integer_sequence<int, type_count>{});
        if (op == ops::number<O>) found = row.of[static_cast<int>(t)];
    };
    (look(Op{}), ...);
    return found;
}
using ops_with_own_loops =
    ops::op_list<ops::add, ops::multiply, ops::minimum, ops::maximum, ops::fmin, ops::fmax, ops::logical_and,
                 ops::logical_or, ops::bitwise_and, ops::bitwise_or, ops::bitwise_xor>;

strip_function loop_by_kernel(std::int32_t size) noexcept {
    strip_function found = nullptr;
    with_item_size(size, [&](auto bytes) { found = scan_by_kernel<bytes()>; });
    return found;
}

// How an op's T, T -> T loop runs over elements of one type.
struct loop_choice {
    strip_function loop = nullptr;  // null: `missing` says why
    step op;
    bool watches = false;  // NumPy reads the processor's flags after the same arithmetic
    char const* missing = nullptr;
};

loop_choice loop_for(std::uint16_t op, type_id t, bool checks_all) noexcept {
    loop_choice c;
    if (op >= ops::op_count || ops::table[op].call != ops::form::elementwise || ops::table[op].nin != 2)
        c.missing = "expected a binary op";
    else if (!contains(ops::loops(op), t)) c.missing = "there is no loop";
    else if (ops::result_type(op, t) != t) c.missing = "expected an op that returns the dtype it takes";
    if (c.missing) return c;
    if (c.loop = own_loop(ops_with_own_loops{}, op, t); !c.loop) {
        kernel_table const* const kernels = active_kernels();
        c.op.run = kernels != nullptr ? kernels->op[op][static_cast<int>(t)][vv] : nullptr;
        if (c.op.run == nullptr) {
            c.missing = "there is no kernel";
            return c;
        }
        c.op.kernels = kernels, c.op.value.op = op, c.op.value.dtype = t, c.op.value.check = ops::fp::all;
        if (checks_all && reads_values(inspection_of(c.op.value, t, *kernels)))
            c.op.check = ops::fp::all & ~ops::fp::under;
        c.loop = loop_by_kernel(itemsize(t));
    }
    op_traits const& traits = traits_of(op);
    c.watches = checks_all && !c.op.check && !is_integer(t) && contains(traits.exact_status, t);
    return c;
}

status refuse(char const* who, char const* what, std::uint16_t op, type_id t) noexcept {
    char text[160];
    std::snprintf(text, sizeof text, "[%s] %s: %s, dtype number %d", who,
                  op < ops::op_count ? ops::table[op].name : "unknown op", what, static_cast<int>(t));
    set_last_error(text);
    return status::not_supported;
}

// Runs `work`, which returns the errors that it looked for, and records them and those in the processor's status.
template <class Work> void noting(bool watches, std::uint32_t* flags, Work work) noexcept {
    if (watches) fp_status::clear();
    std::uint8_t found = work();
    if (watches) found |= fp_status::raised();
    if (found && flags) __atomic_fetch_or(flags, found, __ATOMIC_RELAXED);
}

// ---- where
// The outer dimensions with the one that varies fastest in memory moved last: its elements are the lanes.
struct lane_space {
    run_space<2> outer;
    explicit lane_space(scan_args const& a) noexcept : outer(a.ndim - 1, a.shape) {
        outer.add(a.in.strides);
        outer.add(a.out.strides);
        int fastest = outer.ndim - 1;
        for (int d = 0; d < outer.ndim; ++d)
            if (outer.shape[d] > 1 && outer.strides[1][d] == itemsize(a.out.dtype)) fastest = d;
        for (int d = fastest; d + 1 < outer.ndim; ++d) {
            std::swap(outer.shape[d], outer.shape[d + 1]);
            for (auto& s : outer.strides) std::swap(s[d], s[d + 1]);
        }
        outer.simplify();
    }
};

constexpr std::int64_t most_reduces = 64;

bool reduces_in_pieces(scan_args const& a) noexcept {
    bool const bitwise = a.op == ops::number<ops::bitwise_and> || a.op == ops::number<ops::bitwise_or> ||
                         a.op == ops::number<ops::bitwise_xor>;
    return bitwise && a.ndim == 1 && a.out.strides[0] == 0 && a.shape[0] > piece_size;
}

// One long reduce whose pieces may be joined in any order.
void reduce_pieces(scan_args const& a, loop_choice const& chosen) noexcept {
    std::int64_t const n = a.shape[0], step = a.in.strides[0], pieces = std::min(2 * n / piece_size, most_reduces);
    alignas(16) char part[most_reduces][16];
    sched::parallel_for(pieces, true, [&](std::int64_t t) {
        std::int64_t const first = n * t / pieces, end = n * (t + 1) / pieces;
        chosen.loop({static_cast<char const*>(a.in.base) + first * step, part[t], step, 0, 0, 0, end - first, 1},
                    chosen.op);
    });
    chosen.loop({part[0], static_cast<char*>(a.out.base), sizeof *part, 0, 0, 0, pieces, 1}, chosen.op);
}

status run_scan(scan_args const& a, loop_choice const& chosen) noexcept {
    if (reduces_in_pieces(a)) {
        reduce_pieces(a, chosen);
        return status::ok;
    }
    lane_space const lanes(a);
    std::int64_t const n = a.shape[a.ndim - 1], scans = lanes.outer.size();
    strip shape{nullptr,
                nullptr,
                a.in.strides[a.ndim - 1],
                a.out.strides[a.ndim - 1],
                lanes.outer.run_stride(0),
                lanes.outer.run_stride(1),
                n,
                1};
    // Neighbouring lanes stay together, a few cache lines at least; a row of them stays in L1.
    bool const interleaved_loads = shape.in_lane == itemsize(a.in.dtype) && shape.out_lane == shape.in_lane;
    std::int64_t const width = std::clamp<std::int64_t>(piece_size / n, interleaved_loads ? 64 : 1, widest),
                       tasks = (scans + width - 1) / width;
    sched::parallel_for(tasks, scans * n > piece_size, [&](std::int64_t t) {
        noting(chosen.watches, a.fp_flags, [&] {
            std::uint8_t found = ops::fp::none;
            lanes.outer.for_each_run(t * width, std::min(scans, (t + 1) * width),
                                     [&](std::int64_t const* offset, std::int64_t count, std::int64_t const*) {
                                         strip s = shape;
                                         s.in = static_cast<char const*>(a.in.base) + offset[0];
                                         s.out = static_cast<char*>(a.out.base) + offset[1];
                                         s.lanes = count;
                                         found |= chosen.loop(s, chosen.op);
                                     });
            return found;
        });
    });
    return status::ok;
}

// ---- segments The kernels that reduce a long segment, or the rest of a sum, in vectors; null: only the loop can.
reduction_kernels const* vectors_for(std::uint16_t op, type_id t) noexcept {
    static constexpr char const* pairs[][2] = {{"add", "sum"}, {"minimum", "min"}, {"maximum", "max"}};
    kernel_table const* const kernels = active_kernels();
    for (auto const& [of, aggregate] : pairs) {
        if (ops::find(of) != op || !kernels) continue;
        int const which = ops::find_aggregate(aggregate);
        if (!contains(ops::aggregate_table[which].types, t)) return nullptr;
        if (ops::aggregate_result_type(static_cast<std::uint16_t>(which), t) != t) return nullptr;
        return &kernels->reduction[which][static_cast<int>(t)];
    }
    return nullptr;
}

class segment_reducer {
public:
    segment_reducer(loop_choice const& chosen, std::uint16_t op, type_id t) noexcept
        : chosen_(chosen), vectors_(vectors_for(op, t)), size_(itemsize(t)),
          pairwise_(op == ops::number<ops::add> && !is_boolean(t) && !is_integer(t)),
          sums_few_(t == type_id::float64   ? sum_few<double>
                    : t == type_id::float32 ? sum_few<float>
                                            : nullptr),
          in_order_(!pairwise_      ? least_in_vectors
                    : is_complex(t) ? 4
                                    : 8) {}
    bool ready() const noexcept { return !vectors_ || (vectors_->reduce && vectors_->state_size <= most_state); }

    std::uint8_t reduce(char const* from, char* to, std::int64_t n) const noexcept {
        if (!pairwise_ || n <= 2) return reduce_run(from, to, n);
        if (n <= few_ && sums_few_) return sums_few_(from, to, n), ops::fp::none;
        alignas(16) char parts[2][16];
        __builtin_memcpy(parts[0], from, static_cast<std::size_t>(size_));
        std::uint8_t const found = reduce_run(from + size_, parts[1], n - 1);
        return found | chosen_.loop({parts[0], to, sizeof *parts, 0, 0, 0, 2, 1}, chosen_.op);
    }

private:
    static constexpr int most_state = 256;
    static constexpr std::int64_t least_in_vectors = 32, few_ = 64;  // with fewer, the work around the vectors costs
                                                                     // more

    template <class T> static void sum_few(char const* from, char* to, std::int64_t n) noexcept {
        auto const* const x = reinterpret_cast<T const*>(from);
        store(to, x[0] + ops::aggregate::sum::of<T>::reduce(x + 1, n - 1, 0));
    }

    std::uint8_t reduce_run(char const* from, char* to, std::int64_t n) const noexcept {
        if (!vectors_ || n < in_order_) return chosen_.loop({from, to, size_, 0, 0, 0, n, 1}, chosen_.op);
        alignas(64) char state[most_state];
        vectors_->init(state, 1);
        vectors_->reduce(state, from, n, 0);
        vectors_->finish({to, 0, state, 1, n, 0});
        return ops::fp::none;
    }

    loop_choice const& chosen_;
    reduction_kernels const* vectors_;
    std::int64_t size_;
    bool pairwise_;
    void (*sums_few_)(char const*, char*, std::int64_t) noexcept;
    std::int64_t in_order_;  // elements from which on vectors are worth it, or sums pairwise
};

}  // namespace

status scan(scan_args const& a) noexcept {
    loop_choice const chosen = loop_for(a.op, a.in.dtype, a.fp_flags != nullptr);
    if (chosen.missing) return refuse("scan", chosen.missing, a.op, a.in.dtype);
    if (a.out.dtype != a.in.dtype) return refuse("scan", "expected an output of the same dtype", a.op, a.in.dtype);
    for (int d = 0; d < a.ndim; ++d)
        if (a.shape[d] == 0) return status::ok;
    if (a.ndim == 0) {
        __builtin_memmove(a.out.base, a.in.base, static_cast<std::size_t>(itemsize(a.in.dtype)));
        return status::ok;
    }
    return run_scan(a, chosen);
}

status reduce_segments(reduce_segments_args const& a) noexcept {
    loop_choice const chosen = loop_for(a.op, a.dtype, a.fp_flags != nullptr);
    char const* const missing = a.dtype == type_id::float16 ? "float16 is summed in float32" : chosen.missing;
    if (missing) return refuse("reduce_segments", missing, a.op, a.dtype);
    segment_reducer const segments(chosen, a.op, a.dtype);
    if (!segments.ready()) return refuse("reduce_segments", "its state is too large", a.op, a.dtype);
    std::int64_t const size = itemsize(a.dtype), all = a.rows * a.count,
                       tasks = std::min(all, std::max<std::int64_t>(a.rows * a.length / piece_size, 1));
    auto const* const data = static_cast<char const*>(a.data);
    auto* const out = static_cast<char*>(a.out);
    sched::parallel_for(tasks, tasks > 1, [&](std::int64_t t) {
        noting(chosen.watches, a.fp_flags, [&] {
            std::uint8_t found = ops::fp::none;
            for (std::int64_t i = all * t / tasks; i < all * (t + 1) / tasks; ++i) {
                std::int64_t const row = i / a.count, k = i % a.count, first = a.starts[k],
                                   end = k + 1 < a.count ? a.starts[k + 1] : a.length;
                found |= segments.reduce(data + (row * a.length + first) * size, out + i * size,
                                         std::max<std::int64_t>(end - first, 1));
            }
            return found;
        });
    });
    return status::ok;
}

}  // namespace bascule::cpu
