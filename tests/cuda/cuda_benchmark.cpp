// Bandwidth of a few plans on the device that the driver offers: bytes read and written per second, the result checked
// first. Without a GPU it runs on nothing and says so.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bascule/core/backend.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace {

using namespace bascule;
std::int64_t n = std::int64_t{1} << 26;  // elements, or the program's argument, a multiple of 4096

struct buffer {
    backend const& d;
    void* p = nullptr;
    explicit buffer(backend const& device, std::int64_t bytes = n * 8) : d(device), size(bytes) {
        check(d.allocate(0, bytes, &p));
    }
    ~buffer() { d.release(0, p, size); }
    void check(status s) const {
        if (s == status::ok) return;
        std::printf("%s\n", d.last_error());
        std::exit(1);
    }
    std::int64_t size;
};

double seconds(backend const& d, plan const& p) {
    using clock = std::chrono::steady_clock;
    double best = 1e9;
    for (int k = 0; k < 12; ++k) {
        auto const start = clock::now();
        if (d.run(0, &p, nullptr) != status::ok || d.synchronize(0, nullptr) != status::ok) {
            std::printf("%s\n", d.last_error());
            std::exit(1);
        }
        if (k > 1) best = std::min(best, std::chrono::duration<double>(clock::now() - start).count());
    }
    return best;
}

bool expect(char const* name, double got, double wanted) {
    if (got == wanted) return true;
    std::printf("%s: %.17g instead of %.17g\n", name, got, wanted);
    return false;
}

double first_element(backend const& d, buffer const& b) {
    double x = 0;
    b.check(d.copy(0, &x, b.p, 8, copy_kind::device_to_host, nullptr));
    b.check(d.synchronize(0, nullptr));
    return x;
}

void report(char const* name, double time, double bytes) {
    std::printf("%-28s %9.3f ms  %8.1f GB/s\n", name, time * 1e3, bytes / time * 1e-9);
}

// out = x * 2 + 1
bool scaled(backend const& d, buffer const& x, buffer const& out) {
    std::int64_t const shape = n, stride = 8;
    plan_operand const load{x.p, &stride, type_id::float64};
    plan_constant constants[2] = {};
    constants[0].f64[0] = 2, constants[1].f64[0] = 1;
    auto const number = [](char const* op) { return static_cast<std::uint16_t>(ops::find(op)); };
    plan_value const values[] = {{.kind = value_kind::load},
                                 {.kind = value_kind::constant, .operand = 0},
                                 {.kind = value_kind::constant, .operand = 1},
                                 {.kind = value_kind::op, .nargs = 2, .op = number("multiply"), .args = {0, 1}},
                                 {.kind = value_kind::op, .nargs = 2, .op = number("add"), .args = {3, 2}}};
    plan_store const store{4, {out.p, &stride, type_id::float64}};
    plan p;
    p.ndim = 1, p.shape = &shape, p.operands = &load, p.noperands = 1, p.constants = constants, p.nconstants = 2;
    p.values = values, p.nvalues = 5, p.stores = &store, p.nstores = 1;
    double const time = seconds(d, p);
    report("x * 2 + 1", time, 16.0 * static_cast<double>(n));
    return expect("x * 2 + 1", first_element(d, out), 3.5);
}

bool reduced(backend const& d, buffer const& x, buffer const& out, char const* aggregate, double wanted) {
    std::int64_t const shape = n, stride = 8, none = 0;
    std::uint8_t const reduced = 1;
    plan_operand const load{x.p, &stride, type_id::float64};
    plan_value const value{.kind = value_kind::load};
    plan_reduction const r{
        static_cast<std::uint16_t>(ops::find_aggregate(aggregate)), 0, {out.p, &none, type_id::float64}, 0};
    plan p;
    p.ndim = 1, p.shape = &shape, p.reduced = &reduced, p.operands = &load, p.noperands = 1, p.values = &value,
    p.nvalues = 1;
    p.reductions = &r, p.nreductions = 1;
    double const time = seconds(d, p);
    report(aggregate, time, 8.0 * static_cast<double>(n));
    return expect(aggregate, first_element(d, out), wanted);
}

bool reduced_columns(backend const& d, buffer const& x, buffer const& out) {
    std::int64_t const columns = 4096, shape[] = {n / columns, columns}, strides[] = {columns * 8, 8},
                       out_strides[] = {0, 8};
    std::uint8_t const reduced[] = {1, 0};
    plan_operand const load{x.p, strides, type_id::float64};
    plan_value const value{.kind = value_kind::load};
    plan_reduction const r{
        static_cast<std::uint16_t>(ops::find_aggregate("sum")), 0, {out.p, out_strides, type_id::float64}, 0};
    plan p;
    p.ndim = 2, p.shape = shape, p.reduced = reduced, p.operands = &load, p.noperands = 1, p.values = &value,
    p.nvalues = 1;
    p.reductions = &r, p.nreductions = 1;
    double const time = seconds(d, p);
    report("sum over rows", time, 8.0 * static_cast<double>(n));
    return expect("sum over rows", first_element(d, out), 1.25 * static_cast<double>(n / columns));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) n = std::atoll(argv[1]);
    void* const library = dlopen(BASCULE_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return std::printf("%s\n", dlerror()), 1;
    backend const* d = nullptr;
    std::vector<std::string> directories;
    for (char const* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (char const* home = std::getenv(variable))
            for (char const* lib : {"/lib64", "/lib"}) directories.push_back(std::string(home) + lib);
    std::vector<char const*> list;
    for (auto const& folder : directories) list.push_back(folder.c_str());
    list.push_back(nullptr);
    host_api host;
    host.library_directories = list.data();
    if (reinterpret_cast<backend_entry>(dlsym(library, backend_entry_name))(&host, &d) != status::ok)
        return std::printf("%s\n", d->last_error()), 1;
    std::printf("%s, %lld elements of float64\n", d->describe(0), static_cast<long long>(n));
    buffer x(*d), out(*d);
    std::vector<double> const data(static_cast<std::size_t>(n), 1.25);
    x.check(d->copy(0, x.p, data.data(), n * 8, copy_kind::host_to_device, nullptr));
    bool ok = scaled(*d, x, out);
    ok = reduced(*d, x, out, "sum", 1.25 * static_cast<double>(n)) && ok;
    ok = reduced(*d, x, out, "max", 1.25) && ok;
    ok = reduced(*d, x, out, "var", 0) && ok;
    ok = reduced_columns(*d, x, out) && ok;
    return ok ? 0 : 1;
}
