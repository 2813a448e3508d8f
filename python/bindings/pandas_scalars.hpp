// pandas' scalars, read and made: Timestamp, Timedelta, NaT and NA.
#pragma once
#include "array_object.hpp"

namespace bascule::python {

// A point or a span of time as so many units, of which a second has `a_second`.
struct scalar_time {
    std::int64_t count = 0, a_second = 1;
    bool zoned = false;
};
// Of Python's, NumPy's and pandas' objects; false: it is none of this type, or of a unit longer than a second.
bool read_time(PyObject* o, type_id t, scalar_time& to);
// 0: of a unit that columns have not.
constexpr std::int64_t units_a_second(time_unit u) {
    return u == time_unit::second ? 1
           : u == time_unit::ms   ? 1'000
           : u == time_unit::us   ? 1'000'000
           : u == time_unit::ns   ? 1'000'000'000
                                  : 0;
}

// pandas' number of a unit, NPY_DATETIMEUNIT.
constexpr int pandas_resolution(time_unit u) {
    return u == time_unit::second ? 7 : u == time_unit::ms ? 8 : u == time_unit::us ? 9 : 10;
}

// The objects that pandas has under these names, passed in by a Python module, and the functions that make its times
// of a number and a resolution.
struct pandas_scalars {
    PyObject *timestamp = nullptr, *timedelta = nullptr, *nat = nullptr;
    PyObject *make_timestamp = nullptr, *make_timedelta = nullptr;
};
pandas_scalars const& pandas();  // throws type_error before they are there
bool add_pandas_scalars(PyObject* module);

}  // namespace bascule::python
