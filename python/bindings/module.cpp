// The extension module bascule._core: what Python sees of the C++ library.
#include <pybind11/pybind11.h>

PYBIND11_MODULE(_core, m) {
    m.doc() = "bascule's C++ core";
    m.attr("__version__") = BASCULE_VERSION;
}
