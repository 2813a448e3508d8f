// Elements of a column whose type is known when it is read, as the few types that aggregates are made of.
#pragma once
#include "backend/cuda/algorithms/thrust/execution.hpp"
#include "bascule/core/table_algorithms_group.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cuda::algorithms {

inline constexpr char const* no_such_aggregate = "an aggregate does not exist for its column's element type";

struct cell_reader {
    void const* data = nullptr;
    std::uint8_t const* validity = nullptr;
    type_id type = type_id::float64;

    explicit cell_reader(group_column const& c) : data(c.data), validity(c.validity), type(c.dtype) {
        if (c.offsets || !contains(ops::aggregate::groupable_types, type)) throw unsupported{no_such_aggregate};
    }
    // f(T{}) with the type as which values are added up: T holds all of them.
    template <class F> void with_wide_type(F&& f) const {
        if (type == type_id::float64) f(double{});
        else if (type == type_id::float32) f(float{});
        else if (type == type_id::uint64) f(std::uint64_t{});
        else f(std::int64_t{});
    }
    template <class T, class From> BASCULE_HD T as(std::int64_t row) const {
        return static_cast<T>(static_cast<From const*>(data)[row]);
    }
    template <class T> BASCULE_HD T read(std::int64_t row) const {
        switch (type) {
            case type_id::bool_:
            case type_id::uint8: return as<T, std::uint8_t>(row);
            case type_id::int8: return as<T, std::int8_t>(row);
            case type_id::int16: return as<T, std::int16_t>(row);
            case type_id::uint16: return as<T, std::uint16_t>(row);
            case type_id::int32: return as<T, std::int32_t>(row);
            case type_id::uint32: return as<T, std::uint32_t>(row);
            case type_id::uint64: return as<T, std::uint64_t>(row);
            case type_id::float32: return as<T, float>(row);
            case type_id::float64: return as<T, double>(row);
            default: return as<T, std::int64_t>(row);
        }
    }
    // A bitmap, where there is one, decides alone which cells are null; without one NaN and NaT are null.
    BASCULE_HD bool is_null(std::int64_t row) const {
        if (validity) return (validity[row >> 3] >> (row & 7) & 1) == 0;
        if (type == type_id::float64) return ops::is_nan(static_cast<double const*>(data)[row]);
        if (type == type_id::float32) return ops::is_nan(static_cast<float const*>(data)[row]);
        return is_time(type) && static_cast<std::int64_t const*>(data)[row] == nat;
    }
};

struct cell_writer {
    void* data;
    type_id type;

    template <class To, class T> BASCULE_HD void as(std::int64_t at, T v) const {
        static_cast<To*>(data)[at] = static_cast<To>(v);
    }
    template <class T> BASCULE_HD void write(std::int64_t at, T v) const {
        switch (type) {
            case type_id::bool_: return as<bool>(at, v);
            case type_id::uint8: return as<std::uint8_t>(at, v);
            case type_id::int8: return as<std::int8_t>(at, v);
            case type_id::int16: return as<std::int16_t>(at, v);
            case type_id::uint16: return as<std::uint16_t>(at, v);
            case type_id::int32: return as<std::int32_t>(at, v);
            case type_id::uint32: return as<std::uint32_t>(at, v);
            case type_id::uint64: return as<std::uint64_t>(at, v);
            case type_id::float32: return as<float>(at, v);
            case type_id::float64: return as<double>(at, v);
            default: return as<std::int64_t>(at, v);
        }
    }
    BASCULE_HD void write_null(std::int64_t at) const {
        if (type == type_id::float64) as<double>(at, ops::aggregate::missing_value<double>());
        else if (type == type_id::float32) as<float>(at, ops::aggregate::missing_value<float>());
        else if (is_time(type)) as<std::int64_t>(at, nat);
        else write<std::int64_t>(at, 0);
    }
};

}  // namespace bascule::cuda::algorithms
