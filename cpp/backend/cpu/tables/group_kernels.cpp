#include "backend/cpu/tables/group_kernels.hpp"

#include <algorithm>
#include <memory>

#include "backend/cpu/tables/group_keys.hpp"
#include "bascule/core/element_dispatch.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

using ops::aggregate::missing_value;

template <class T> bool is_missing(rows_view const& r, T value, i64 i) {
    if (r.bytes != nullptr) return r.bytes[i] == 0;
    return r.bitmap != nullptr ? !is_valid(r.bitmap, i) : ops::is_nan(value);
}

template <class S, class T> void run_rows(S* states, rows_view const& r, group_request const& request) {
    using result = typename S::result_type;
    auto const* const values = static_cast<T const*>(r.values);
    auto* const out = static_cast<result*>(request.out);
    for (i64 j = r.begin; j < r.end; ++j) {
        i64 const i = r.chosen[j];
        bool const missing = is_missing(r, values[i], i);
        auto& state = states[r.codes[i] - r.first_group];
        if (!missing) state.add(values[i]);
        bool const valid = ops::aggregate::has_result_at_missing<S> ? state.n != 0 : !missing;
        out[i] = valid ? state.result(request.ddof) : missing_value<result>();
        request.valid[i] = valid;
    }
}

template <class S, class T, bool Masked> void add_rows(S* states, rows_view const& r) {
    // Copies: states could lie where a member of r does.
    auto const* const values = static_cast<T const*>(r.values);
    auto const *const codes = r.codes, *const chosen = r.chosen;
    auto const *const bitmap = r.bitmap, *const bytes = r.bytes;
    u32 const first = r.first_group;
    auto const add = [=](i64 i) __attribute__((always_inline)) {
        if constexpr (Masked) {
            if (bytes != nullptr ? bytes[i] == 0 : !is_valid(bitmap, i)) return;
        } else {
            if (ops::is_nan(values[i])) return;
        }
        states[codes[i] - first].add(values[i]);
    };
    i64 const begin = r.begin, end = r.end;
    if (r.spans != nullptr) {
        static_assert(lanes == 4);
        i64 const a = r.spans[0], b = r.spans[1], c = r.spans[2], d = r.spans[3];
        i64 const all = std::min(std::min(b - a, c - b), std::min(d - c, r.spans[4] - d));
        for (i64 t = 0; t < all; ++t) add(a + t), add(b + t), add(c + t), add(d + t);
        i64 const rest[] = {a, b, c, d, r.spans[4]};
        for (int k = 0; k < lanes; ++k)
            for (i64 i = rest[k] + all; i < rest[k + 1]; ++i) add(i);
    } else if (chosen != nullptr) {
        for (i64 j = begin; j < end; ++j) add(chosen[j]);
    } else {
        for (i64 i = begin; i < end; ++i) add(i);
    }
}

template <class S> void clear_states(void* states, i64 groups) {
    std::uninitialized_fill_n(static_cast<S*>(states), groups, S{});
}

template <class S, class T> kernel running_kernel() {
    using result = typename S::result_type;
    kernel k;
    k.state_size = sizeof(S);
    k.clear = clear_states<S>;
    k.run = [](void* states, rows_view const& r, group_request const& request) {
        run_rows<S, T>(static_cast<S*>(states), r, request);
    };
    k.leave_out = [](i64 begin, i64 end, u32 const* codes, group_request const& r) {
        for (i64 i = begin; i < end; ++i)
            if (codes[i] == null_group) static_cast<result*>(r.out)[i] = missing_value<result>(), r.valid[i] = 0;
    };
    return k;
}

template <class A, class T> kernel whole_kernel() {
    using state = typename A::template in_groups<T>;
    using result = typename state::result_type;
    kernel k;
    k.state_size = sizeof(state);
    k.clear = clear_states<state>;
    k.add = [](void* states, rows_view const& r) {
        auto* const s = static_cast<state*>(states);
        if (r.bitmap != nullptr || r.bytes != nullptr) add_rows<state, T, true>(s, r);
        else add_rows<state, T, false>(s, r);
    };
    if constexpr (requires(state s) { s.value = ops::compensated<double>{}; })
        k.put = [](void* states, i64 group, ops::compensated<double> value, u32 n) {
            auto& s = static_cast<state*>(states)[group];
            s.value = value, s.n = n;
        };
    k.finish = [](void const* states, i64 groups, i64 first_group, group_request const& r) {
        auto const* const s = static_cast<state const*>(states);
        auto* const out = static_cast<result*>(r.out) + first_group;
        i64 const needed = ops::aggregate::values_needed<A>(r.ddof, r.min_count);
        for (i64 g = 0; g < groups; ++g) {
            bool const valid = static_cast<i64>(s[g].n) >= needed;
            out[g] = valid ? s[g].result(r.ddof) : missing_value<result>();
            if (r.valid != nullptr) r.valid[first_group + g] = valid;
        }
    };
    return k;
}

template <class A, class T> kernel make_kernel(bool running) {
    if (!running) return whole_kernel<A, T>();
    if constexpr (ops::has_running<A>) return running_kernel<typename A::template running<T>, T>();
    else return {};
}

}  // namespace

kernel kernel_for(group_request const& r) {
    kernel k;
    type_id const values = counts_rows(r) ? type_id::uint32 : r.column.dtype;
    ops::with_aggregate(r.aggregate, [&]<class A>(A) {
        with_element<A::meta.group_types>(values, [&]<class T>(T) { k = make_kernel<A, T>(r.running); });
    });
    return k;
}

}  // namespace bascule::cpu::tables::grouping
