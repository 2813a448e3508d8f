#include "pandas_scalars.hpp"

#include <chrono>
#include <datetime.h>

namespace bascule::python {
namespace {

pandas_scalars known;

// Of a resolution of pandas, which is NumPy's number of the unit, too; 0: of one that columns have not.
std::int64_t a_second(std::int64_t resolution) {
    for (auto const u : {time_unit::second, time_unit::ms, time_unit::us, time_unit::ns})
        if (pandas_resolution(u) == resolution) return units_a_second(u);
    return 0;
}

// numpy.datetime64 and numpy.timedelta64: a number, and the unit with its multiple (numpy/arrayscalars.h).
struct numpy_time {
    PyObject_HEAD std::int64_t count;
    std::int32_t unit, multiple;
};

PyTypeObject* numpy_type_of(type_id t) {
    static auto const of = [](char const* name) {
        PyObject* const found = PyObject_GetAttrString(numpy_module(), name);
        if (!found) throw python_error{};
        return reinterpret_cast<PyTypeObject*>(found);
    };
    static PyTypeObject *const date = of("datetime64"), *const length = of("timedelta64");
    return t == type_id::datetime64 ? date : length;
}

// Of a Timestamp or Timedelta.
bool read_pandas_time(PyObject* o, scalar_time& to) {
    static PyObject *const value = PyUnicode_InternFromString("_value"), *const resolution =
                                                                             PyUnicode_InternFromString("_creso");
    reference const v{PyObject_GetAttr(o, value)}, r{v.p ? PyObject_GetAttr(o, resolution) : nullptr};
    if (!r.p) throw python_error{};
    to.count = PyLong_AsLongLong(v.p);
    to.a_second = a_second(PyLong_AsLongLong(r.p));
    if (PyErr_Occurred()) throw python_error{};
    return to.a_second != 0;
}

bool read_datetime(PyObject* o, scalar_time& to) {
    if (reinterpret_cast<_PyDateTime_BaseTZInfo*>(o)->hastzinfo) return false;
    std::chrono::sys_days const day = std::chrono::year(PyDateTime_GET_YEAR(o)) /
                                      static_cast<int>(PyDateTime_GET_MONTH(o)) /
                                      static_cast<int>(PyDateTime_GET_DAY(o));
    std::int64_t const days = day.time_since_epoch().count();
    std::int64_t const seconds = (PyDateTime_DATE_GET_HOUR(o) * 60 + PyDateTime_DATE_GET_MINUTE(o)) * 60 +
                                 PyDateTime_DATE_GET_SECOND(o);
    to.a_second = 1'000'000;
    to.count = (days * 86400 + seconds) * to.a_second + PyDateTime_DATE_GET_MICROSECOND(o);
    return true;
}

bool load_datetime() {
    if (!PyDateTimeAPI) PyDateTime_IMPORT;
    return PyDateTimeAPI != nullptr;
}

PyObject* set_pandas_scalars(PyObject*, PyObject* args) {
    pandas_scalars p;
    if (!PyArg_ParseTuple(args, "OOOOO", &p.timestamp, &p.timedelta, &p.nat, &p.make_timestamp, &p.make_timedelta))
        return nullptr;
    for (PyObject* o : {p.timestamp, p.timedelta, p.nat, p.make_timestamp, p.make_timedelta}) Py_INCREF(o);
    known = p;
    Py_RETURN_NONE;
}

}  // namespace

bool read_time(PyObject* o, type_id t, scalar_time& to) {
    auto const* const type = Py_TYPE(o);
    bool const point = t == type_id::datetime64;
    if (reinterpret_cast<PyObject const*>(type) == (point ? known.timestamp : known.timedelta)) {
        to.zoned = point && reinterpret_cast<_PyDateTime_BaseTZInfo*>(o)->hastzinfo;
        return read_pandas_time(o, to);
    }
    if (type == numpy_type_of(t)) {
        auto const* const there = reinterpret_cast<numpy_time const*>(o);
        to.count = there->count, to.a_second = a_second(there->unit);
        return to.a_second != 0 && there->multiple == 1;
    }
    if (!load_datetime()) throw python_error{};
    if (point) return PyDateTime_CheckExact(o) && read_datetime(o, to);
    if (!PyDelta_CheckExact(o)) return false;
    to.a_second = 1'000'000;
    to.count = (PyDateTime_DELTA_GET_DAYS(o) * std::int64_t{86400} + PyDateTime_DELTA_GET_SECONDS(o)) * to.a_second +
               PyDateTime_DELTA_GET_MICROSECONDS(o);
    return true;
}

pandas_scalars const& pandas() {
    if (!known.timestamp) {  // bascule.pandas names them once pandas is imported
        reference const imported{PyImport_ImportModule("pandas")};
        if (!imported.p) throw python_error{};
    }
    if (!known.timestamp) throw type_error("pandas' scalars are known once bascule.pandas is imported");
    return known;
}

bool add_pandas_scalars(PyObject* module) {
    static PyMethodDef functions[] = {{"set_pandas_scalars", set_pandas_scalars, METH_VARARGS, nullptr},
                                      {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
