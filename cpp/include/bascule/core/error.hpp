// The errors of the library. Each is bound once to a Python class.
// A message names the function, the expected and the actual values: "[groupby] keys have 3 rows, values have 4".
#pragma once
#include <stdexcept>
#include <string>

namespace bascule {

struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct value_error : error {
    using error::error;
};  // ValueError
struct type_error : error {
    using error::error;
};  // TypeError
struct index_error : error {
    using error::error;
};  // IndexError
struct memory_error : error {
    using error::error;
};  // MemoryError
struct not_supported : error {
    using error::error;
};  // NotImplementedError
struct device_error : error {
    using error::error;
};  // bascule.DeviceError (RuntimeError)
struct interrupted : error {
    using error::error;
};  // KeyboardInterrupt, or the exception that the signal handler raised
struct overflow_error : value_error {
    using value_error::value_error;
};  // OverflowError, NumPy's for Python integers out of range

}  // namespace bascule
