// Tasks by orthogonal transformations: QR, singular values, least squares.
#include <algorithm>
#include <bit>
#include <limits>

#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/libraries/batched.hpp"
#include "backend/cuda/libraries/factor_call.hpp"

namespace bascule::cuda::libraries {
namespace {

// Householder's reflectors, as geqrf leaves them, and their scales.
struct reflected {
    dense_matrices a, scales;

    explicit reflected(factor_call& c) : a(c.make(c.computed, c.m, c.n)), scales(c.make(c.computed, c.r, 1)) {
        c.read(a, c.args.a, c.m, c.n);
        if (c.r == 0) return;
        c.each(
            "cusolverDnXgeqrf",
            [&](auto* on_device, auto* on_host) {
                return c.api.geqrf_size(c.handle, c.parameters, c.m, c.n, c.type, a.data(), a.leading(), c.type,
                                        scales.data(), c.type, on_device, on_host);
            },
            [&](std::int64_t i, work_space const& w) {
                return c.api.geqrf(c.handle, c.parameters, c.m, c.n, c.type, a.matrix(i), a.leading(), c.type,
                                   scales.matrix(i), c.type, w.device, w.device_bytes, w.host, w.host_bytes, c.info(i));
            });
    }
};

void form_columns(factor_call& c, dense_matrices const& q, dense_matrices const& scales, std::int64_t columns) {
    auto const m = static_cast<int>(c.m), wide = static_cast<int>(columns), k = static_cast<int>(c.r);
    int const t = among_types(c.type), leading = static_cast<int>(q.leading());
    int length = 0;
    c.each(
        "cusolverDnXorgqr",
        [&](auto* on_device, auto* on_host) {
            int const code = c.api.orgqr_size[t](c.handle, m, wide, k, q.data(), leading, scales.data(), &length);
            *on_device = static_cast<std::size_t>(length) * static_cast<std::size_t>(itemsize(c.computed)),
            *on_host = 0;
            return code;
        },
        [&](std::int64_t i, work_space const& w) {
            return c.api.orgqr[t](c.handle, m, wide, k, q.matrix(i), leading, scales.matrix(i), w.device, length,
                                  c.info(i));
        });
}

// U (rows, left), values and V^H (r, columns) of a, or of its conjugate transpose where that is the taller one.
struct decomposed {
    bool const turned;
    std::int64_t const rows, columns, left;
    dense_matrices a, values, u, vt;

    decomposed(factor_call& c, bool vectors, bool full)
        : turned(c.m < c.n), rows(std::max(c.m, c.n)), columns(c.r), left(full ? rows : columns),
          a(c.make(c.computed, rows, columns)), values(c.make(c.real, columns, 1)),
          u(c.make(c.computed, vectors ? rows : 0, left)), vt(c.make(c.computed, vectors ? columns : 0, columns)) {
        c.read(a, c.args.a, c.m, c.n, turned);
        if (columns == 0) return;
        if (is_batch(c, rows, largest_rotated)) rotate_singular(c, a, values, u, vt, rows, columns);
        else decompose_each(c, vectors, full);
        c.fail_where_unknown(values, c.real, columns, 1);
    }

private:
    void decompose_each(factor_call& c, bool vectors, bool full) {
        auto const job = static_cast<signed char>(!vectors ? 'N' : full ? 'A' : 'S');
        c.each(
            "cusolverDnXgesvd",
            [&](auto* on_device, auto* on_host) {
                return c.api.gesvd_size(c.handle, c.parameters, job, job, rows, columns, c.type, a.data(), a.leading(),
                                        c.type_real, values.data(), c.type, u.data(), rows, c.type, vt.data(), columns,
                                        c.type, on_device, on_host);
            },
            [&](std::int64_t i, work_space const& w) {
                return c.api.gesvd(c.handle, c.parameters, job, job, rows, columns, c.type, a.matrix(i), a.leading(),
                                   c.type_real, values.matrix(i), c.type, u.matrix(i), rows, c.type, vt.matrix(i),
                                   columns, c.type, w.device, w.device_bytes, w.host, w.host_bytes, c.info(i));
            });
    }
};

}  // namespace

// Arguments alone can be wrong here, so nothing is waited for.
void orthogonal_task(factor_call& c) {
    std::int64_t const left = c.args.full ? c.m : c.r, kept = c.args.vectors ? left : c.r;
    reflected const h(c);
    placed_matrices triangle = h.a.placed();
    triangle.rows = kept;
    c.stacks.copy(c.stacks.placed(c.args.out[1], c.stored, kept, c.n), triangle, matrix_part::upper);
    if (!c.args.vectors) return;
    dense_matrices const q = c.make(c.computed, c.m, left);
    if (c.r == 0) {
        c.stacks.set_identity(q.placed());
    } else {
        placed_matrices to = q.placed(), from = h.a.placed();
        to.columns = from.columns = c.r;
        c.stacks.copy(to, from);
        form_columns(c, q, h.scales, left);
    }
    c.write(c.args.out[0], q, c.m, left);
}

void reflectors_task(factor_call& c) {
    reflected const h(c);
    c.write(c.args.out[0], h.a, c.m, c.n);
    c.write(c.args.out[1], h.scales, c.r, 1);
}

void singular_values_task(factor_call& c) {
    bool const vectors = c.args.vectors, full = c.args.full;
    std::int64_t const left = full ? c.m : c.r, right = full ? c.n : c.r;
    decomposed const d(c, vectors, full);
    if (vectors && c.r == 0) {
        c.stacks.set_identity(c.stacks.placed(c.args.out[0], c.stored, c.m, left));
        c.stacks.set_identity(c.stacks.placed(c.args.out[2], c.stored, right, c.n));
    } else if (vectors) {
        c.write(c.args.out[0], d.turned ? d.vt : d.u, c.m, left, matrix_part::whole, d.turned);
        c.write(c.args.out[2], d.turned ? d.u : d.vt, right, c.n, matrix_part::whole, d.turned);
    }
    c.write_values(c.args.out[1], real_type_of(c.stored), d.values.placed());
    c.count_failures();
}

namespace {

// Sums of squared residuals, from the rows behind the solution: only where the system has full rank and more rows than
// columns.
void write_residuals(factor_call& c, dense_matrices const& b, dense_matrices const& x, blas_call const& blas,
                     scratch const& ranks) {
    std::int64_t const columns = c.args.columns, items = c.stacks.count() * columns;
    dense_matrices const sums = c.make(c.real, columns, 1), a = c.make(c.computed, c.m, c.n);
    c.read(a, c.args.a, c.m, c.n);
    if (c.m > 0 && c.n > 0 && columns > 0)
        blas.multiply(c.computed, c.m, columns, c.n, -1, {a.data(), as_it_is, a.leading(), a.elements()},
                      {x.data(), as_it_is, x.leading(), x.elements()}, 1,
                      {b.data(), as_it_is, b.leading(), b.elements()}, c.stacks.count());
    algorithm_kernel k = c.kernel(items);
    k.pointer(b.data());
    k.word(c.m), k.word(columns);
    k.pointer(ranks.get());
    k.word(c.m > c.n ? c.n : -2);
    k.pointer(sums.data());
    k.add("sum", "sum_squares<" + element_text(c.computed) + ">");
    if (items > 0) k.launch("sum", items);
    c.write_values(c.args.out[1], real_type_of(c.stored), sums.placed());
}

double tolerance_of(factor_call const& c) {
    if (c.args.tolerance >= 0) return c.args.tolerance;
    return c.real == type_id::float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

}  // namespace

// x = V (U^H b / values), without the values that are too small.
void least_squares_task(factor_call& c) {
    std::int64_t const columns = c.args.columns, count = c.stacks.count();
    decomposed const d(c, true, false);
    dense_matrices const b = c.make(c.computed, c.m, columns), x = c.make(c.computed, c.n, columns),
                         along = c.make(c.computed, c.r, columns);
    scratch const ranks(c.stacks.on(), 8 * count, c.stacks.stream());
    c.read(b, c.args.b, c.m, columns);
    bool const any = c.r > 0 && columns > 0;
    blas_call const blas(c.stacks.on(), c.stacks.stream(), "lstsq");
    blas_operand const u{d.u.data(), conjugate_transposed, d.u.leading(), d.u.elements()},
        vt{d.vt.data(), as_it_is, d.vt.leading(), d.vt.elements()};
    auto const turned_back = [](blas_operand o) {
        o.op = o.op == as_it_is ? conjugate_transposed : as_it_is;
        return o;
    };
    auto const dense = [](dense_matrices const& m) {
        return blas_operand{m.data(), as_it_is, m.leading(), m.elements()};
    };
    if (any) blas.multiply(c.computed, c.r, columns, c.m, 1, d.turned ? vt : u, dense(b), 0, dense(along), count);
    algorithm_kernel k = c.kernel(count);
    k.pointer(along.data());
    k.pointer(d.values.data());
    k.word(c.r), k.word(columns), k.word(std::bit_cast<std::int64_t>(tolerance_of(c)));
    k.pointer(c.infos());
    k.pointer(ranks.get());
    k.add("divide", "divide_by_values<" + element_text(c.computed) + ">");
    k.launch("divide", count);
    if (any)
        blas.multiply(c.computed, c.n, columns, c.r, 1, turned_back(d.turned ? u : vt), dense(along), 0, dense(x),
                      count);
    else c.stacks.on().fill(x.data(), 0, count * x.elements() * itemsize(c.computed), c.stacks.stream());
    c.write(c.args.out[0], x, c.n, columns);
    write_residuals(c, b, x, blas, ranks);
    placed_matrices const found = c.stacks.dense(ranks.get(), type_id::int64, 1, 1);
    c.stacks.copy(c.stacks.placed(c.args.out[2], type_id::int64, 1, 1), found);
    c.write_values(c.args.out[3], real_type_of(c.stored), d.values.placed());
    c.count_failures();
}

}  // namespace bascule::cuda::libraries
