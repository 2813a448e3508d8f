// cuFFT for machines without a GPU: by the smallest prime factor, large primes by Bluestein's convolution.
#include "fake_libraries.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>

namespace bascule::fake {
namespace {

constexpr int invalid_plan = 1, invalid_type = 3, invalid_value = 4, exec_failed = 6, invalid_size = 8;
using line = std::vector<number>;

number turn(std::int64_t k, std::int64_t n, int sign) {
    double const angle = sign * 2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
    return {std::cos(angle), std::sin(angle)};
}
std::int64_t least_factor(std::int64_t n) {
    for (std::int64_t p = 2; p * p <= n; ++p)
        if (n % p == 0) return p;
    return n;
}

line transformed(line const& x, int sign);

line by_sums(line const& x, int sign) {
    auto const n = static_cast<std::int64_t>(x.size());
    line y(x.size());
    for (std::int64_t k = 0; k < n; ++k)
        for (std::int64_t j = 0; j < n; ++j)
            y[static_cast<std::size_t>(k)] += x[static_cast<std::size_t>(j)] * turn(k * j, n, sign);
    return y;
}

// jk = (j^2 + k^2 - (k - j)^2) / 2 makes a convolution of it.
line by_convolution(line const& x, int sign) {
    auto const n = static_cast<std::int64_t>(x.size());
    std::size_t wide = 1;
    while (wide < 2 * x.size()) wide *= 2;
    auto const chirp = [&](std::int64_t k) { return turn(k * k % (2 * n), 2 * n, sign); };
    line a(wide), b(wide);
    for (std::int64_t k = 0; k < n; ++k) {
        a[static_cast<std::size_t>(k)] = x[static_cast<std::size_t>(k)] * chirp(k);
        b[static_cast<std::size_t>(k)] = b[(wide - static_cast<std::size_t>(k)) % wide] = std::conj(chirp(k));
    }
    a = transformed(a, -1), b = transformed(b, -1);
    for (std::size_t k = 0; k < wide; ++k) a[k] *= b[k];
    a = transformed(a, 1);
    line y(x.size());
    for (std::int64_t k = 0; k < n; ++k)
        y[static_cast<std::size_t>(k)] = a[static_cast<std::size_t>(k)] * chirp(k) / static_cast<double>(wide);
    return y;
}

line transformed(line const& x, int sign) {
    auto const n = static_cast<std::int64_t>(x.size());
    if (n == 1) return x;
    std::int64_t const p = least_factor(n), q = n / p;
    if (q == 1) return p < 32 ? by_sums(x, sign) : by_convolution(x, sign);
    std::vector<line> parts;
    for (std::int64_t r = 0; r < p; ++r) {
        line part;
        for (std::int64_t j = r; j < n; j += p) part.push_back(x[static_cast<std::size_t>(j)]);
        parts.push_back(transformed(part, sign));
    }
    line y(x.size());
    for (std::int64_t k = 0; k < n; ++k)
        for (std::int64_t r = 0; r < p; ++r)
            y[static_cast<std::size_t>(k)] += parts[static_cast<std::size_t>(r)][static_cast<std::size_t>(k % q)] *
                                              turn(k * r, n, sign);
    return y;
}

struct plan {
    void* context = nullptr;
    std::vector<std::int64_t> n;
    std::int64_t batch = 0;
    int in = -1, out = -1;
    bool own_area = true;
    void *stream = nullptr, *area = nullptr;
    std::size_t bytes = 0;
    std::thread::id thread{};

    std::int64_t size() const {
        std::int64_t all = 1;
        for (std::int64_t k : n) all *= k;
        return all;
    }
    // With the frequencies that are kept where the other side is real.
    std::int64_t half() const { return size() / n.back() * (n.back() / 2 + 1); }
    std::int64_t in_size() const { return !is_complex_type(out) ? half() : size(); }
    std::int64_t out_size() const { return !is_complex_type(in) ? half() : size(); }
};

struct plan_table {
    std::mutex mutex;
    std::map<int, std::shared_ptr<plan>> all;
    int next = 1;
};
plan_table& plans() {
    static auto* t = new plan_table;
    return *t;
}
std::shared_ptr<plan> plan_of(int handle) {
    std::lock_guard const lock(plans().mutex);
    auto const found = plans().all.find(handle);
    return found == plans().all.end() ? nullptr : found->second;
}

// Along one axis of a block of these extents.
void along(line& block, std::vector<std::int64_t> const& n, std::size_t axis, int sign) {
    std::int64_t inner = 1;
    for (std::size_t d = axis + 1; d < n.size(); ++d) inner *= n[d];
    auto const all = static_cast<std::int64_t>(block.size());
    for (std::int64_t outer = 0; outer < all; outer += n[axis] * inner)
        for (std::int64_t i = 0; i < inner; ++i) {
            line x;
            for (std::int64_t k = 0; k < n[axis]; ++k)
                x.push_back(block[static_cast<std::size_t>(outer + i + k * inner)]);
            x = transformed(x, sign);
            for (std::int64_t k = 0; k < n[axis]; ++k)
                block[static_cast<std::size_t>(outer + i + k * inner)] = x[static_cast<std::size_t>(k)];
        }
}

// One axis alone: the library promises nothing about values that a real line cannot have, so neither does this.
line back_to_real(line const& half, std::int64_t n) {
    line x(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k <= n / 2; ++k) {
        x[static_cast<std::size_t>(k)] = half[static_cast<std::size_t>(k)];
        if (k > 0) x[static_cast<std::size_t>(n - k)] = std::conj(half[static_cast<std::size_t>(k)]);
    }
    bool const real_ends = x[0].imag() == 0 && (n % 2 != 0 || x[static_cast<std::size_t>(n / 2)].imag() == 0);
    x = transformed(x, 1);
    if (!real_ends) x.assign(x.size(), number(NAN, NAN));
    return x;
}

void run(plan const& p, void* in, void* out, int sign) {
    std::size_t const in_bytes = size_of_type(p.in), out_bytes = size_of_type(p.out);
    for (std::int64_t b = 0; b < p.batch; ++b) {
        void* const from = static_cast<char*>(in) + static_cast<std::size_t>(b * p.in_size()) * in_bytes;
        void* const to = static_cast<char*>(out) + static_cast<std::size_t>(b * p.out_size()) * out_bytes;
        line block = gather(p.in, from, p.in_size(), 1, p.in_size());
        if (!is_complex_type(p.out)) {
            block = back_to_real(block, p.n.back());
            scatter(p.in, from, p.in_size(), 1, p.in_size(),
                    line(static_cast<std::size_t>(p.in_size()), number(NAN, NAN)));
        } else {
            for (std::size_t axis = 0; axis < p.n.size(); ++axis) along(block, p.n, axis, sign);
        }
        if (!is_complex_type(p.in)) {
            line kept;
            for (std::int64_t k = 0; k < p.size(); ++k)
                if (k % p.n.back() <= p.n.back() / 2) kept.push_back(block[static_cast<std::size_t>(k)]);
            block = kept;
        }
        scatter(p.out, to, p.out_size(), 1, p.out_size(), block);
    }
}

}  // namespace
}  // namespace bascule::fake

using namespace bascule::fake;
using wide = long long;

EXPORTED int cufftGetProperty(int which, int* value) {
    *value = which == 0 ? 12 + versions_ahead() : 0;
    return enter_call("cufftGetProperty") ? exec_failed : 0;
}
EXPORTED int bascule_fake_plans() { return static_cast<int>(plans().all.size()); }
EXPORTED int cufftCreate(int* out) {
    if (enter_call("cufftCreate") || !current_context() || is_capturing()) return exec_failed;
    std::lock_guard const lock(plans().mutex);
    auto p = std::make_shared<plan>();
    p->context = current_context();
    plans().all[*out = plans().next++] = p;
    return 0;
}
EXPORTED int cufftDestroy(int handle) {
    int const code = enter_call("cufftDestroy");
    std::lock_guard const lock(plans().mutex);
    return plans().all.erase(handle) == 1 && code == 0 ? 0 : invalid_plan;
}
EXPORTED int cufftSetStream(int handle, void* stream) {
    if (enter_call("cufftSetStream")) return exec_failed;
    auto const p = plan_of(handle);
    if (!p || p->context != current_context() || context_of_stream(stream) != p->context) return invalid_plan;
    p->stream = stream, p->thread = std::this_thread::get_id();
    return 0;
}
EXPORTED int cufftSetAutoAllocation(int handle, int yes) {
    if (enter_call("cufftSetAutoAllocation")) return exec_failed;
    auto const p = plan_of(handle);
    if (!p || !p->n.empty()) return invalid_plan;
    p->own_area = yes != 0;
    return 0;
}
EXPORTED int cufftSetWorkArea(int handle, void* area) {
    if (enter_call("cufftSetWorkArea")) return exec_failed;
    auto const p = plan_of(handle);
    if (!p || p->n.empty()) return invalid_plan;
    if (!checked("cufftSetWorkArea").bytes("the work area", area, p->bytes, 16).good()) return invalid_value;
    p->area = area;
    return 0;
}
EXPORTED int cufftXtMakePlanMany(int handle, int rank, wide* n, wide* in_extents, wide, wide, int in, wide* out_extents,
                                 wide, wide, int out, wide batch, std::size_t* bytes, int compute) {
    if (enter_call("cufftXtMakePlanMany")) return exec_failed;
    auto const p = plan_of(handle);
    if (!p || !p->n.empty() || p->own_area) return invalid_plan;
    bool const two = size_of_type(in) && size_of_type(out) && is_complex_type(compute);
    int const real = real_type_of(compute);
    bool const known =
        two && ((in == compute && out == compute) || (in == real && out == compute) || (in == compute && out == real));
    if (!known) return invalid_type;
    if (rank < 1 || rank > 3 || batch < 1 || in_extents || out_extents) return invalid_size;
    if (!is_complex_type(out) && rank != 1) return invalid_size;  // cuFFT's results for such values are not emulated
    for (int d = 0; d < rank; ++d)
        if (n[d] < 1) return invalid_size;
    p->n.assign(n, n + rank), p->batch = batch, p->in = in, p->out = out;
    *bytes = p->bytes = 16 * (static_cast<std::size_t>(p->size()) + 3);
    return 0;
}
EXPORTED int cufftXtExec(int handle, void* in, void* out, int direction) {
    auto const p = plan_of(handle);
    if (!p || p->n.empty()) return invalid_plan;
    std::size_t const reads = size_of_type(p->in) * static_cast<std::size_t>(p->in_size() * p->batch),
                      writes = size_of_type(p->out) * static_cast<std::size_t>(p->out_size() * p->batch);
    checked c("cufftXtExec");
    c.that(p->thread == std::this_thread::get_id(), "a plan whose stream another thread chose")
        .that(p->area != nullptr, "no work area")
        .that(direction == (is_complex_type(p->in) ? (is_complex_type(p->out) ? direction : 1) : -1),
              "the other direction")
        .that(direction == 1 || direction == -1, "no direction")
        .bytes("in", in, reads, size_of_type(p->in))
        .bytes("out", out, writes, size_of_type(p->out))
        .that(static_cast<char*>(in) + reads <= out || static_cast<char*>(out) + writes <= in, "in and out overlap");
    if (!c.good()) return invalid_value;
    plan const copy = *p;
    p->area = nullptr;  // a call's own: the next says its own again
    return submit_as("cufftXtExec", copy.stream,
                     [=] {
                         use(copy.area, copy.bytes);
                         run(copy, in, out, direction);
                     })
               ? exec_failed
               : 0;
}
