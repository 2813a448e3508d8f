#include "bascule/array/programs.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "bascule/array/graph.hpp"
#include "bascule/core/error.hpp"

namespace bascule {
namespace {

std::string number(std::size_t n, char const* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

// A Python integer's 64 bits as those of a parameter of fewer.
void narrow(kernel_argument& a, std::int32_t size, std::size_t place) {
    std::int64_t v = 0;
    std::memcpy(&v, a.bytes.data(), sizeof v);
    int const bits = 8 * size;
    bool const fits = bits >= 64 || (v >= -(std::int64_t{1} << (bits - 1)) && v < (std::int64_t{1} << bits));
    if (!fits)
        throw value_error("argument " + std::to_string(place + 1) + " is " + std::to_string(v) +
                          ", and the parameter has " + std::to_string(size) + " bytes");
    a.bytes.resize(static_cast<std::size_t>(size));
}

void check(std::span<kernel_argument> arguments, std::int32_t const* sizes) {
    std::size_t count = 0;
    while (sizes[count] != 0) ++count;
    if (count != arguments.size())
        throw value_error("the kernel has " + number(count, "parameter") + ", and it was given " +
                          number(arguments.size(), "argument"));
    for (std::size_t k = 0; k < count; ++k) {
        kernel_argument& a = arguments[k];
        std::int32_t const size = sizes[k] < 0 ? -sizes[k] : sizes[k];
        bool const is_pointer = a.is == kernel_argument::kind::pointer;
        auto const given = is_pointer ? sizeof(void*) : a.bytes.size();
        if (a.is == kernel_argument::kind::python_integer && size < 8) narrow(a, size, k);
        else if (sizes[k] > 0 && given != static_cast<std::size_t>(size))
            throw value_error(
                "argument " + std::to_string(k + 1) + " is " +
                (is_pointer ? "an array's address" : "a value of " + number(given, "byte")) +
                ", and the parameter has " + number(static_cast<std::size_t>(size), "byte") +
                (is_pointer ? "" : ": numbers of NumPy's types have their size, as numpy.float32(x) does"));
    }
}

}  // namespace

void launch_kernel(device where, void* function, launch_shape const& shape, std::span<kernel_argument> arguments) {
    backend_programs const& programs = *where.api->programs;
    std::int32_t const* const sizes = programs.parameters(function);
    if (sizes) check(arguments, sizes);
    std::vector<storage*> all, written;
    auto const once = [](std::vector<storage*>& list, storage* s) {
        if (std::find(list.begin(), list.end(), s) == list.end()) list.push_back(s);
    };
    for (auto const& a : arguments) {
        if (a.is != kernel_argument::kind::pointer) continue;
        if (!(a.memory.where() == where))
            throw value_error("the kernel runs on " + where.name() + ", and an array lies on " +
                              a.memory.where().name());
        once(all, a.memory.memory());
        if (a.memory.writeable && a.memory.memory()->writeable) once(written, a.memory.memory());
    }
    graph::memory_in_use const used(all, written, false);
    std::vector<void*> addresses(arguments.size()), words(arguments.size());
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        kernel_argument& a = arguments[k];
        addresses[k] = a.bytes.data();
        bool const by_address = sizes && sizes[k] < 0 && a.is == kernel_argument::kind::value;
        if (a.is == kernel_argument::kind::pointer) words[k] = a.memory.memory()->data() + a.memory.offset;
        else if (by_address) words[k] = a.bytes.data();
        if (by_address || a.is == kernel_argument::kind::pointer) addresses[k] = &words[k];
        bool const booleans = a.is == kernel_argument::kind::pointer && a.memory.writeable && a.memory.itemsize() == 1;
        if (booleans) a.memory.memory()->noncanonical_bools = true;
    }
    throw_if(programs.launch(where.index, function, &shape, addresses.data(), current_stream(where)), where);
}

}  // namespace bascule
