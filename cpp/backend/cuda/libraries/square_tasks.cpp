// Tasks on square matrices by elimination: solving, inverses, determinants, Cholesky factors.
#include <optional>

#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/libraries/batched.hpp"
#include "backend/cuda/libraries/factor_call.hpp"

namespace bascule::cuda::libraries {
namespace {

// LU factors with pivots.
struct eliminated {
    dense_matrices a;
    std::optional<eliminated_together> batched;  // it has pivots of its own, of 32 bits
    std::optional<scratch> own_pivots;           // of 64

    explicit eliminated(factor_call& c) : a(c.make(c.computed, c.n, c.n)) {
        c.read(a, c.args.a, c.n, c.n);
        if (c.n == 0) return;
        if (is_batch(c, c.n, largest_eliminated)) {
            batched.emplace(c, a);
            return;
        }
        own_pivots.emplace(c.stacks.on(), 8 * c.stacks.count() * c.n, c.stacks.stream());
        c.each(
            "cusolverDnXgetrf",
            [&](auto* on_device, auto* on_host) {
                return c.api.getrf_size(c.handle, c.parameters, c.n, c.n, c.type, a.data(), a.leading(), c.type,
                                        on_device, on_host);
            },
            [&](std::int64_t i, work_space const& w) {
                return c.api.getrf(c.handle, c.parameters, c.n, c.n, c.type, a.matrix(i), a.leading(), pivots_of(c, i),
                                   c.type, w.device, w.device_bytes, w.host, w.host_bytes, c.info(i));
            });
    }
    std::int64_t* pivots_of(factor_call const& c, std::int64_t i) const {
        return static_cast<std::int64_t*>(own_pivots->get()) + i * c.n;
    }
    void const* pivots() const { return batched ? batched->pivots() : own_pivots ? own_pivots->get() : nullptr; }
    type_id type_of_pivots() const { return batched ? type_id::int32 : type_id::int64; }
};

}  // namespace

// getrf and getrs; without a right-hand side the identity is one, and the answer the inverse.
void solve_task(factor_call& c, bool invert) {
    std::int64_t const columns = invert ? c.n : c.args.columns;
    dense_matrices const b = c.make(c.computed, c.n, columns);
    if (invert) c.stacks.set_identity(b.placed());
    else c.read(b, c.args.b, c.n, columns);
    {
        eliminated const lu(c);
        if (lu.batched) lu.batched->solve(b, columns);
        scratch const unused(c.stacks.on(), 4, c.stacks.stream());  // getrs reports invalid arguments only
        for (std::int64_t i = 0; i < c.stacks.count() && c.n > 0 && columns > 0 && !lu.batched; ++i)
            must(c.api.getrs(c.handle, c.parameters, as_it_is, c.n, columns, c.type, lu.a.matrix(i), lu.a.leading(),
                             lu.pivots_of(c, i), c.type, b.matrix(i), b.leading(), static_cast<int*>(unused.get())),
                 solver_no_memory, "cusolverDnXgetrs");
    }
    c.write(c.args.out[0], b, c.n, columns);
    c.count_failures();
}

// Sign and logarithm, or the determinant made of both; a singular matrix has an answer, so nothing is waited for.
void determinant_task(factor_call& c) {
    bool const whole = !c.args.vectors;
    dense_matrices const sign = c.make(c.computed, 1, 1), log = c.make(c.real, 1, 1);
    eliminated const lu(c);
    std::int64_t const items = c.stacks.count();
    algorithm_kernel k = c.kernel(items);
    k.pointer(lu.a.data());
    k.word(c.n);
    k.pointer(lu.pivots());
    k.pointer(c.infos());
    k.pointer(sign.data());
    k.pointer(log.data());
    k.add("find", "determinants<" + element_text(c.computed) + ", " + element_text(lu.type_of_pivots()) +
                      (whole ? ", true>" : ", false>"));
    k.launch("find", items);
    auto const put = [&](matrix_stack const& to, type_id t, dense_matrices const& from) {
        c.stacks.copy(c.stacks.placed(to, t, 1, 1), from.placed());
    };
    put(c.args.out[0], c.stored, sign);
    if (!whole) put(c.args.out[1], real_type_of(c.stored), log);
}

void cholesky_task(factor_call& c) {
    dense_matrices const a = c.make(c.computed, c.n, c.n);
    c.read(a, c.args.a, c.n, c.n);
    int const triangle = c.args.upper ? upper_triangle : lower_triangle;
    if (is_batch(c, c.n, largest_eliminated)) cholesky_together(c, a, triangle);
    else if (c.n > 0)
        c.each(
            "cusolverDnXpotrf",
            [&](auto* on_device, auto* on_host) {
                return c.api.potrf_size(c.handle, c.parameters, triangle, c.n, c.type, a.data(), a.leading(), c.type,
                                        on_device, on_host);
            },
            [&](std::int64_t i, work_space const& w) {
                return c.api.potrf(c.handle, c.parameters, triangle, c.n, c.type, a.matrix(i), a.leading(), c.type,
                                   w.device, w.device_bytes, w.host, w.host_bytes, c.info(i));
            });
    c.fail_where_unknown(a, c.computed, c.n, c.n + 1);
    c.write(c.args.out[0], a, c.n, c.n, c.args.upper ? matrix_part::upper : matrix_part::lower);
    c.count_failures();
}

}  // namespace bascule::cuda::libraries
