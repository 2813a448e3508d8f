// Partitions: the values at the wanted positions are selected, then the values less than the first of them, those equal
// to it, those between it and the next ... follow one another, each group in its order. So the result is the same on
// every machine.
#include <numeric>
#include <span>
#include <vector>

#include "backend/cpu/dispatch/partition_kernels.hpp"
#include "backend/cpu/sort/comparison_key.hpp"
#include "backend/cpu/sort/each_row.hpp"
#include "backend/cpu/sort/lane_form.hpp"
#include "backend/cpu/sort/radix.hpp"
#include "backend/cpu/sort/sort.hpp"

namespace bascule::cpu::sorting {
namespace {

constexpr std::int64_t sorted_length = 128;  // sorting is as fast
constexpr std::int32_t most_positions = 8;

template <class T, class Out> Out item(T const* in, std::int64_t i) noexcept {
    if constexpr (std::is_same_v<Out, T>) return in[i];
    else return static_cast<Out>(i);
}

// A type for positions, distinct from values of the same integer type.
enum class position : std::int64_t {};

template <class T, class Out>
void part_by_keys(T const* in, Out* out, std::int64_t n, std::span<T const> values) noexcept {
    std::uint64_t keys[most_positions];
    std::int64_t start[2 * most_positions + 2] = {};
    std::size_t count = 0;
    for (T const v : values)
        if (auto const k = comparison_key(v); count == 0 || keys[count - 1] != k) keys[count++] = k;
    auto const group = [&](T v) {
        auto const k = comparison_key(v);
        int g = 0;
        for (std::size_t j = 0; j < count; ++j) g += (k >= keys[j] ? 1 : 0) + (k > keys[j] ? 1 : 0);
        return g;
    };
    for (std::int64_t i = 0; i < n; ++i) ++start[group(in[i]) + 1];
    std::partial_sum(start, start + 2 * count + 1, start);
    for (std::int64_t i = 0; i < n; ++i) out[start[group(in[i])]++] = item<T, Out>(in, i);
}

template <class T, class Out> void part_by_kernels(T const* in, Out* out, std::int64_t n, T pivot) noexcept {
    auto const& kernels = std::get<partition_kernels_of_type<T>>(active_partition_kernels());
    auto const found = kernels.count(in, n, pivot);
    Out *const equal = out + found.less, *const rest = equal + found.equal;
    if constexpr (std::is_same_v<Out, T>) kernels.part(in, n, pivot, out, equal, rest);
    else
        kernels.part_positions(in, n, pivot, reinterpret_cast<std::int64_t*>(out),
                               reinterpret_cast<std::int64_t*>(equal), reinterpret_cast<std::int64_t*>(rest));
}

template <class T, class Out>
status part_line(type_id type, T const* in, Out* out, std::int64_t n, std::span<std::int64_t const> kth) {
    T values[most_positions];
    select_ranks_args s;
    s.dtype = type, s.data = in, s.length = n;
    s.ranks = kth.data(), s.count = static_cast<std::int64_t>(kth.size()), s.out = values;
    if (status const r = select_ranks(s); r != status::ok) return r;
    using form = lane_form<T>;
    if constexpr (form::exists && form::is_value)
        if (kth.size() == 1 && values[0] == values[0]) return part_by_kernels(in, out, n, values[0]), status::ok;
    part_by_keys(in, out, n, std::span<T const>(values, kth.size()));
    return status::ok;
}

constexpr char const* no_memory = "[partition] no memory for the values";

}  // namespace

bool is_partition(std::int64_t length, std::int64_t const* kth, std::int32_t nkth) noexcept {
    return kth != nullptr && nkth > 0 && nkth <= most_positions && length > sorted_length;
}

status partition(sort_args const& a) noexcept {
    std::span const kth(a.kth, static_cast<std::size_t>(a.nkth));
    status result = status::ok;
    visit_key_type(a.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        result = each_row(a.rows, a.length, no_memory, [&](std::int64_t r) {
            auto const* const in = static_cast<T const*>(a.data) + r * a.length;
            auto* const out = static_cast<T*>(a.out) + r * a.length;
            if (in != out) return part_line(a.dtype, in, out, a.length, kth);
            std::vector<T> const before(in, in + a.length);
            return part_line(a.dtype, before.data(), out, a.length, kth);
        });
    });
    return result;
}

status argpartition(argsort_args const& a) noexcept {
    std::span const kth(a.kth, static_cast<std::size_t>(a.nkth));
    status result = status::ok;
    visit_key_type(a.keys[0].dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        result = each_row(a.rows, a.length, no_memory, [&](std::int64_t r) {
            auto const* const in = static_cast<T const*>(a.keys[0].data) + r * a.length;
            return part_line(a.keys[0].dtype, in, static_cast<position*>(a.out) + r * a.length, a.length, kth);
        });
    });
    return result;
}

}  // namespace bascule::cpu::sorting
