// Columns of random values, and the paths of sorts and joins that a test is run on.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "backend/cpu/sort/sort.hpp"
#include "bascule/core/table_algorithms_sort_join.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::sort_join_tests {

using rows = std::vector<std::int64_t>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

// Threads, and the number of rows from which the paths for many are taken (0: as measured).
struct by_path : testing::TestWithParam<std::pair<int, std::int64_t>> {
    int const before = sched::thread_count();
    std::mt19937_64 random{5};
    void SetUp() override {
        sched::set_thread_count(GetParam().first);
        cpu::sorting::set_path_limit_for_tests(GetParam().second);
    }
    void TearDown() override {
        sched::set_thread_count(before);
        cpu::sorting::set_path_limit_for_tests(0);
    }
    std::uint64_t below(std::uint64_t n) { return random() % n; }
};
inline auto const all_paths = testing::Values(std::pair{1, std::int64_t{0}}, std::pair{4, std::int64_t{0}},
                                              std::pair{1, std::int64_t{64}}, std::pair{4, std::int64_t{64}});
inline std::string path_name(testing::TestParamInfo<std::pair<int, std::int64_t>> const& info) {
    return "threads" + std::to_string(info.param.first) + "limit" + std::to_string(info.param.second);
}

// A column and its memory.
struct column {
    std::vector<unsigned char> bytes, bitmap;
    std::vector<std::int64_t> offsets;
    type_id dtype = type_id::float64;
    std::int64_t length = 0;
    template <class T> static column of(std::vector<T> const& v, type_id t = id_of<T>::value) {
        column c;
        c.dtype = t;
        c.length = static_cast<std::int64_t>(v.size());
        c.bytes.resize(v.size() * sizeof(T) + 8);
        if (!v.empty()) std::memcpy(c.bytes.data(), v.data(), v.size() * sizeof(T));
        return c;
    }
    static column text(std::vector<std::string> const& v) {
        column c;
        c.length = static_cast<std::int64_t>(v.size());
        c.offsets.push_back(0);
        for (auto const& s : v) {
            c.bytes.insert(c.bytes.end(), s.begin(), s.end());
            c.offsets.push_back(static_cast<std::int64_t>(c.bytes.size()));
        }
        c.bytes.shrink_to_fit();  // so that reading beyond the last string is found
        return c;
    }
    column& null_at(std::function<bool(std::int64_t)> const& f) {
        bitmap.assign(static_cast<std::size_t>(length / 8 + 1), 0xff);
        for (std::int64_t i = 0; i < length; ++i)
            if (f(i)) bitmap[static_cast<std::size_t>(i / 8)] &= static_cast<unsigned char>(~(1 << (i % 8)));
        return *this;
    }
    sort_key key(bool ascending = true) const {
        return {dtype, bytes.data(), bitmap.empty() ? nullptr : bitmap.data(),
                offsets.empty() ? nullptr : offsets.data(), ascending};
    }
    join_side side() const { return {bytes.data(), bitmap.empty() ? nullptr : bitmap.data(), length}; }
};

template <class T> std::vector<T> random_values(std::mt19937_64& random, std::int64_t n, int kind) {
    std::vector<T> v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i) {
        std::uint64_t const r = kind == 0             ? random()
                                : kind == 1           ? random() % 5
                                : kind == 2           ? i
                                : kind == 3           ? v.size() - i
                                : kind == 4           ? 7
                                : random() % 100 < 97 ? 3
                                                      : random();
        std::memcpy(&v[i], &r, sizeof(T));
        if constexpr (std::is_floating_point_v<T>)
            if (kind != 0) v[i] = static_cast<T>(static_cast<double>(r % 1000) - 2);
    }
    return v;
}
template <class F> void for_each_type(F const& f) {
    f(std::int8_t{}), f(std::uint8_t{}), f(std::int16_t{}), f(std::uint16_t{}), f(std::int32_t{}), f(std::uint32_t{}),
        f(std::int64_t{}), f(std::uint64_t{});
    f(float16{}), f(float{}), f(double{}), f(datetime64{}), f(timedelta64{});
}

}  // namespace bascule::sort_join_tests
