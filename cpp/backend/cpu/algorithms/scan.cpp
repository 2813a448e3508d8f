// Running aggregates. The usual ops have loops of their own; every other one goes through its element-wise kernel.
#include <cstdio>

#include "backend/cpu/algorithms/algorithms.hpp"
#include "backend/cpu/algorithms/runs.hpp"
#include "backend/cpu/fp_status.hpp"
#include "backend/cpu/kernels.hpp"
#include "backend/cpu/run.hpp"
#include "bascule/ops/table.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

// `lanes` scans side by side, each n long: neighbours in memory where that is how the array lies, so that the inner
// loop runs over them.
constexpr std::int64_t widest = 1024;
struct strip {
    char const* in;
    char* out;
    std::int64_t in_step, out_step;  // bytes along the scan
    std::int64_t in_lane, out_lane;  // bytes from one scan to the next
    std::int64_t n, lanes;           // lanes <= widest
};
// A step of an op without a loop of its own; `check`: conditions that are looked for in the values of every step, where
// the processor's flags would tell of more than the operation.
struct step {
    kernel run = nullptr;
    kernel_table const* kernels = nullptr;
    plan_value value;
    std::uint8_t check = 0;
};
using strip_function = std::uint8_t (*)(strip const&, step const&);  // returns what `check` found

template <class T> T load(char const* p) noexcept {
    T x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
}
template <class T> void store(char* p, T x) noexcept { __builtin_memcpy(p, &x, sizeof x); }

// What a number in float32 lost as the float16 that it became: NumPy's conversion tells of it. Bits are compared, since
// comparisons with NaN raise a condition of their own.
inline std::uint8_t lost_in_half(float from, float16 to) noexcept {
    constexpr std::uint32_t magnitude = 0x7fffffff, infinite = 0x7f800000, least_normal = 0x38800000;  // 2^-14
    auto const given = __builtin_bit_cast(std::uint32_t, from),
               kept = __builtin_bit_cast(std::uint32_t, ops::to_float32(to));
    bool const over = (kept & magnitude) == infinite && (given & magnitude) != infinite;
    bool const under = (given & magnitude) < least_normal && kept != given;
    return static_cast<std::uint8_t>((over ? ops::fp::over : 0) | (under ? ops::fp::under : 0));
}

// float16 is computed in float32 and rounded at every step, as NumPy's loop does.
template <class Op, class T> inline T combine(T a, T b, std::uint8_t& found) noexcept {
    if constexpr (std::is_same_v<T, float16>) {
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
    for (std::int64_t i = 1; i < s.n; ++i) {
        running = combine<Op>(running, load<T>(s.in + i * s.in_step), found);
        store(s.out + i * s.out_step, running);
    }
    return found;
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
                found |= conditions_of(op.value, op.value.dtype,
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

status refuse(char const* what, scan_args const& a) noexcept {
    char text[160];
    std::snprintf(text, sizeof text, "[scan] %s: %s, dtype number %d",
                  a.op < ops::op_count ? ops::table[a.op].name : "unknown op", what, static_cast<int>(a.in.dtype));
    set_last_error(text);
    return status::not_supported;
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

status run_scan(scan_args const& a, strip_function loop, step const& op) noexcept {
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
    bool const neighbours = shape.in_lane == itemsize(a.in.dtype) && shape.out_lane == shape.in_lane;
    std::int64_t const width = std::clamp<std::int64_t>(piece_size / n, neighbours ? 64 : 1, widest),
                       tasks = (scans + width - 1) / width;
    // NumPy reads the processor's flags after the same arithmetic.
    op_traits const& traits = traits_of(a.op);
    bool const watches = a.fp_flags && !op.check && !is_integer(a.in.dtype) &&
                         (is_complex(a.in.dtype) ? traits.plain_complex : traits.plain);
    sched::parallel_for(tasks, scans * n > piece_size, [&](std::int64_t t) {
        std::uint8_t found = ops::fp::none;
        if (watches) fp_status::clear();
        lanes.outer.for_each_run(t * width, std::min(scans, (t + 1) * width),
                                 [&](std::int64_t const* offset, std::int64_t count, std::int64_t const*) {
                                     strip s = shape;
                                     s.in = static_cast<char const*>(a.in.base) + offset[0];
                                     s.out = static_cast<char*>(a.out.base) + offset[1];
                                     s.lanes = count;
                                     found |= loop(s, op);
                                 });
        if (watches) found |= fp_status::raised();
        if (found && a.fp_flags) __atomic_fetch_or(a.fp_flags, found, __ATOMIC_RELAXED);
    });
    return status::ok;
}

}  // namespace

status scan(scan_args const& a) noexcept {
    if (a.op >= ops::op_count || ops::table[a.op].call != ops::form::elementwise || ops::table[a.op].nin != 2)
        return refuse("expected a binary op", a);
    if (!contains(ops::loops(a.op), a.in.dtype)) return refuse("there is no loop", a);
    if (a.out.dtype != a.in.dtype || ops::result_type(a.op, a.in.dtype) != a.in.dtype)
        return refuse("expected an op that returns the dtype it takes", a);
    for (int d = 0; d < a.ndim; ++d)
        if (a.shape[d] == 0) return status::ok;
    if (a.ndim == 0) {
        __builtin_memmove(a.out.base, a.in.base, static_cast<std::size_t>(itemsize(a.in.dtype)));
        return status::ok;
    }
    if (strip_function const loop = own_loop(ops_with_own_loops{}, a.op, a.in.dtype)) return run_scan(a, loop, {});
    kernel_table const* const kernels = active_kernels();
    step op;
    op.run = kernels != nullptr ? kernels->op[a.op][static_cast<int>(a.in.dtype)][vv] : nullptr;
    if (op.run == nullptr) return refuse("there is no kernel", a);
    op.kernels = kernels, op.value.op = a.op, op.value.dtype = a.in.dtype, op.value.check = ops::fp::all;
    if (a.fp_flags != nullptr && reads_values(inspection_of(op.value, a.in.dtype, *kernels)))
        op.check = ops::fp::all & ~ops::fp::under;
    return run_scan(a, loop_by_kernel(itemsize(a.in.dtype)), op);
}

}  // namespace bascule::cpu
