// Making arrays of known values and reading them back.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "bascule/array/graph.hpp"
#include "bascule/array/indexing.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/array/ufunc_methods.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::testing {

inline device cpu() { return {cpu_backend(), 0}; }
inline device reference() { return {reference_backend(), 0}; }

inline std::uint16_t op(char const* name) {
    int const n = ops::find(name);
    EXPECT_GE(n, 0) << name;
    return static_cast<std::uint16_t>(n);
}
inline std::uint16_t aggregate(char const* name) {
    int const n = ops::find_aggregate(name);
    EXPECT_GE(n, 0) << name;
    return static_cast<std::uint16_t>(n);
}

template <class T> constexpr type_id element_type() {
    if constexpr (std::is_same_v<T, bool>) return type_id::bool_;
    else if constexpr (std::is_same_v<T, std::int32_t>) return type_id::int32;
    else if constexpr (std::is_same_v<T, std::int64_t>) return type_id::int64;
    else if constexpr (std::is_same_v<T, float>) return type_id::float32;
    else return type_id::float64;
}

template <class T> array make(device where, std::vector<T> const& v, dims shape = {-1}) {
    if (shape.size() == 1 && shape[0] == -1) shape[0] = static_cast<std::int64_t>(v.size());
    dtype const t = make_dtype(element_type<T>());
    return from_host(where, v.data(), t, shape, contiguous_strides(shape, t.itemsize));
}
inline array make_mask(device where, std::vector<std::uint8_t> const& v) {
    dims const shape{static_cast<std::int64_t>(v.size())};
    return from_host(where, v.data(), make_dtype(type_id::bool_), shape, {1});
}

inline std::vector<double> numbers(std::int64_t n, unsigned seed = 1) {
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> spread(-100, 100);
    std::vector<double> v(static_cast<std::size_t>(n));
    for (auto& x : v) x = spread(generator);
    return v;
}
inline std::vector<double> counted(std::int64_t n, double first = 0) {
    std::vector<double> v(static_cast<std::size_t>(n));
    std::iota(v.begin(), v.end(), first);
    return v;
}

template <class T> std::vector<T> values(array const& a) {
    EXPECT_EQ(a.itemsize(), static_cast<std::int64_t>(sizeof(T)));
    std::vector<T> v(static_cast<std::size_t>(a.size()));
    to_host(a, v.data());
    return v;
}
inline std::vector<std::byte> bytes_of(array const& a) {
    std::vector<std::byte> v(static_cast<std::size_t>(a.size() * a.itemsize()));
    to_host(a, v.data());
    return v;
}

inline argument scalar(double v) {
    argument a;
    a.value.f64[0] = v, a.type = type_id::float64, a.weak = weak_kind::floating;
    return a;
}
inline argument scalar(std::int64_t v) {
    argument a;
    a.value = plan_constant{}, a.value.i64 = v, a.type = type_id::int64, a.weak = weak_kind::integer;
    return a;
}
inline plan_constant constant(double v) {
    plan_constant c{};
    c.f64[0] = v;
    return c;
}

inline array apply(char const* name, array const& a) { return bascule::apply(op(name), a); }
inline array apply(char const* name, array const& a, array const& b) { return bascule::apply(op(name), a, b); }
inline array apply(char const* name, array const& a, double b) { return bascule::apply(op(name), a, scalar(b)); }
inline array reduce_with(char const* name, array const& a, aggregation_options const& o = {}) {
    return bascule::reduce_with(aggregate(name), a, o);
}

// a[first:first+count*step:step] along the first axis.
inline array sliced(array const& a, std::int64_t first, std::int64_t count, std::int64_t step = 1) {
    dims shape = a.shape, strides = a.strides;
    shape[0] = count, strides[0] = a.strides[0] * step;
    return view(a, shape, strides, a.offset + first * a.strides[0]);
}
inline array transposed(array const& a) {
    std::vector<int> axes(static_cast<std::size_t>(a.ndim()));
    for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int>(axes.size() - 1 - i);
    return transpose(a, axes);
}

inline index_entry at(std::int64_t i) {
    index_entry e;
    e.kind = index_entry::what::integer, e.integer = i;
    return e;
}
inline index_entry at(array const& a) {
    index_entry e;
    e.kind = index_entry::what::array, e.array = a;
    return e;
}
inline index_entry all() {
    index_entry e;
    e.kind = index_entry::what::slice;
    return e;
}

inline void run(array const& a) { evaluate(a.memory()); }
inline bool pending(array const& a) { return !a.memory()->ready(); }

// Sets a process-wide setting for the time of a test.
template <class T> class with_setting {
public:
    with_setting(std::atomic<T>& s, T v) : s_(s), before_(s.exchange(v)) {}
    ~with_setting() { s_ = before_; }
    with_setting(with_setting const&) = delete;
    with_setting& operator=(with_setting const&) = delete;

private:
    std::atomic<T>& s_;
    T before_;
};

// Limits a device's memory to its present use plus `more`.
class with_memory_limit {
public:
    with_memory_limit(device where, std::int64_t more) : where_(where) {
        where.api->trim(where.index);
        backend_memory m{};
        where.api->memory(where.index, &m);
        where.api->set_memory_limit(where.index, std::max(m.held, m.in_use) + more);
    }
    ~with_memory_limit() { where_.api->set_memory_limit(where_.index, 0); }
    with_memory_limit(with_memory_limit const&) = delete;
    with_memory_limit& operator=(with_memory_limit const&) = delete;

private:
    device where_;
};

template <class Error, class F> std::string text_of(F&& f) {
    try {
        f();
    } catch (Error const& e) { return e.what(); }
    return "nothing was thrown";
}

}  // namespace bascule::testing
