#include "backend/cuda/libraries/batched.hpp"

#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/driver/failure.hpp"

namespace bascule::cuda::libraries {
namespace {

int as_int(std::int64_t n) { return static_cast<int>(n); }

// "cusolverDnDpotrfBatched": the function of a type, S, D, C or Z.
std::string of_type(char const* library, int t, char const* function) {
    return std::string(library) + "SDCZ"[t] + function;
}
std::string rotations_of(int t, char const* what = "") {
    return of_type("cusolverDn", t, t < 2 ? "syevjBatched" : "heevjBatched") + what;
}

}  // namespace

matrix_addresses::matrix_addresses(factor_call const& c, dense_matrices const& of)
    : memory_(c.stacks.on(), 8 * c.stacks.count(), c.stacks.stream()) {
    std::int64_t const items = c.stacks.count();
    algorithm_kernel k = c.kernel(items);
    k.pointer(of.data());
    k.word(of.elements() * itemsize(c.computed));
    k.pointer(memory_.get());
    k.add("find", "matrix_addresses");
    k.launch("find", items);
}

eliminated_together::eliminated_together(factor_call& c, dense_matrices const& a)
    : c_(c), a_(a), blas_(c.stacks.on(), c.stacks.stream(), "factors of stacks of matrices"), addresses_(c, a),
      pivots_(c.stacks.on(), 4 * c.stacks.count() * c.n, c.stacks.stream()) {
    must(blas_.api().getrf_batched[among_types(c.type)](blas_.handle(), as_int(c.n), addresses_.get(),
                                                        as_int(a.leading()), static_cast<int*>(pivots_.get()),
                                                        static_cast<int*>(c.infos()), as_int(c.stacks.count())),
         blas_no_memory, of_type("cublas", among_types(c.type), "getrfBatched").c_str());
}

void eliminated_together::solve(dense_matrices const& b, std::int64_t columns) const {
    if (columns == 0) return;
    matrix_addresses const to(c_, b);
    int wrong = 0;
    must(blas_.api().getrs_batched[among_types(c_.type)](
             blas_.handle(), as_it_is, as_int(c_.n), as_int(columns), addresses_.get(), as_int(a_.leading()),
             static_cast<int const*>(pivots_.get()), to.get(), as_int(b.leading()), &wrong, as_int(c_.stacks.count())),
         blas_no_memory, of_type("cublas", among_types(c_.type), "getrsBatched").c_str());
    if (wrong != 0)
        throw failure{status::device_error,
                      "[cuda] cuBLAS says that its argument " + std::to_string(-wrong) + " is not what it expects"};
}

void cholesky_together(factor_call& c, dense_matrices const& a, int triangle) {
    matrix_addresses const addresses(c, a);
    must(c.api.potrf_batched[among_types(c.type)](c.handle, triangle, as_int(c.n), addresses.get(), as_int(a.leading()),
                                                  static_cast<int*>(c.infos()), as_int(c.stacks.count())),
         solver_no_memory, of_type("cusolverDn", among_types(c.type), "potrfBatched").c_str());
}

void rotate_hermitian(factor_call& c, dense_matrices const& a, dense_matrices const& values, int job, int triangle) {
    int const t = among_types(c.type), n = as_int(c.n), count = as_int(c.stacks.count()), leading = as_int(a.leading());
    int length = 0;
    must(c.api.syevj_batched_size[t](c.handle, job, triangle, n, a.data(), leading, values.data(), &length, c.rotations,
                                     count),
         solver_no_memory, rotations_of(t, "_bufferSize").c_str());
    scratch const work(c.stacks.on(), std::int64_t{length} * itemsize(c.computed), c.stacks.stream());
    must(c.api.syevj_batched[t](c.handle, job, triangle, n, a.data(), leading, values.data(), work.get(), length,
                                static_cast<int*>(c.infos()), c.rotations, count),
         solver_no_memory, rotations_of(t).c_str());
}

// It gives all of U, and V where gesvd gives its conjugate transpose.
void rotate_singular(factor_call& c, dense_matrices const& a, dense_matrices const& values, dense_matrices const& u,
                     dense_matrices const& vt, std::int64_t rows, std::int64_t columns) {
    bool const vectors = vt.elements() > 0;
    dense_matrices const left = c.make(c.computed, rows, vectors ? rows : 0),
                         right = c.make(c.computed, columns, vectors ? columns : 0);
    int const t = among_types(c.type), m = as_int(rows), n = as_int(columns), count = as_int(c.stacks.count()),
              job = vectors ? with_vectors : without_vectors;
    int length = 0;
    must(c.api.gesvdj_batched_size[t](c.handle, job, m, n, a.data(), m, values.data(), left.data(), m, right.data(), n,
                                      &length, c.singular_rotations, count),
         solver_no_memory, of_type("cusolverDn", t, "gesvdjBatched_bufferSize").c_str());
    scratch const work(c.stacks.on(), std::int64_t{length} * itemsize(c.computed), c.stacks.stream());
    must(c.api.gesvdj_batched[t](c.handle, job, m, n, a.data(), m, values.data(), left.data(), m, right.data(), n,
                                 work.get(), length, static_cast<int*>(c.infos()), c.singular_rotations, count),
         solver_no_memory, of_type("cusolverDn", t, "gesvdjBatched").c_str());
    if (!vectors) return;
    placed_matrices from = left.placed();
    from.columns = u.placed().columns;
    c.stacks.copy(u.placed(), from);
    c.stacks.copy(vt.placed(), right.placed().turned(), matrix_part::whole, true);
}

}  // namespace bascule::cuda::libraries
