#include "backend/cpu/tables/group_kernels.hpp"

#include <memory>

#include "backend/cpu/tables/group_keys.hpp"
#include "bascule/core/group_states.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

using namespace bascule::grouping;

template <class T> bool is_missing(rows_view const& r, T value, i64 i) {
    if (r.bytes != nullptr) return r.bytes[i] == 0;
    return r.bitmap != nullptr ? !is_valid(r.bitmap, i) : is_null(value);
}

template <group_op Op, class T>
void run_rows(group_state<Op, T>* states, rows_view const& r, group_request const& request) {
    using result = result_of<Op, T>;
    auto const* const values = static_cast<T const*>(r.values);
    auto* const out = static_cast<result*>(request.out);
    for (i64 j = r.begin; j < r.end; ++j) {
        i64 const i = r.chosen[j];
        bool const missing = is_missing(r, values[i], i);
        auto& state = states[r.codes[i] - r.first_group];
        if constexpr (Op == group_op::sum && std::is_floating_point_v<T>) {
            if (!missing) state.total.add_as_is(values[i]);
        } else {
            if (!missing) state.add(values[i]);
        }
        out[i] = missing ? null_value<result>() : static_cast<result>(state.result(request));
        request.valid[i] = !missing;
    }
}

template <class S, class T, bool Masked> void add_rows(S* states, rows_view const& r) {
    auto const* const values = static_cast<T const*>(r.values);
    auto const add = [&](i64 i) {
        if constexpr (Masked) {
            if (r.bytes != nullptr ? r.bytes[i] == 0 : !is_valid(r.bitmap, i)) return;
        } else {
            if (is_null(values[i])) return;
        }
        states[r.codes[i] - r.first_group].add(values[i]);
    };
    if (r.chosen != nullptr) {
        for (i64 j = r.begin; j < r.end; ++j) add(r.chosen[j]);
    } else {
        for (i64 i = r.begin; i < r.end; ++i) add(i);
    }
}

template <group_op Op, class T> kernel make_kernel() {
    using state = group_state<Op, T>;
    kernel k;
    k.state_size = sizeof(state);
    k.clear = [](void* states, i64 groups) { std::uninitialized_fill_n(static_cast<state*>(states), groups, state{}); };
    k.add = [](void* states, rows_view const& r) {
        auto* const s = static_cast<state*>(states);
        if (r.bitmap != nullptr || r.bytes != nullptr) add_rows<state, T, true>(s, r);
        else add_rows<state, T, false>(s, r);
    };
    k.finish = [](void const* states, i64 groups, i64 first_group, group_request const& r) {
        auto const* const s = static_cast<state const*>(states);
        using result = result_of<Op, T>;
        auto* const out = static_cast<result*>(r.out) + first_group;
        i64 const needed = values_needed<Op>(r);
        for (i64 g = 0; g < groups; ++g) {
            bool const valid = static_cast<i64>(s[g].n) >= needed;
            out[g] = valid ? static_cast<result>(s[g].result(r)) : null_value<result>();
            if (r.valid != nullptr) r.valid[first_group + g] = valid;
        }
    };
    if constexpr (Op == group_op::sum || Op == group_op::prod || Op == group_op::min || Op == group_op::max) {
        k.run = [](void* states, rows_view const& r, group_request const& request) {
            run_rows<Op, T>(static_cast<state*>(states), r, request);
        };
        k.leave_out = [](i64 begin, i64 end, u32 const* codes, group_request const& r) {
            using result = result_of<Op, T>;
            for (i64 i = begin; i < end; ++i) {
                if (codes[i] == null_group) static_cast<result*>(r.out)[i] = null_value<result>(), r.valid[i] = 0;
            }
        };
    }
    return k;
}

template <group_op Op, type_id... Id> kernel kernel_of_type(type_id t) {
    kernel k;
    (void)((t == Id && (k = make_kernel<Op, element<Id>>(), true)) || ...);
    return k;
}

template <group_op Op> kernel kernel_of(type_id t) {
    using enum type_id;
    if constexpr (Op == group_op::prod)
        return kernel_of_type<Op, bool_, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64>(t);
    else
        return kernel_of_type<Op, bool_, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64,
                              datetime64, timedelta64>(t);
}

template <group_op... Op> kernel find_kernel(group_request const& r) {
    kernel k;
    (void)((r.op == Op && (k = kernel_of<Op>(r.column.dtype), true)) || ...);
    return k;
}

}  // namespace

kernel kernel_for(group_request const& r) {
    if (r.op == group_op::size) return kernel_of<group_op::count>(type_id::uint32);
    using enum group_op;
    return find_kernel<count, sum, mean, min, max, var, std_, first, last, prod, any, all>(r);
}

}  // namespace bascule::cpu::tables::grouping
