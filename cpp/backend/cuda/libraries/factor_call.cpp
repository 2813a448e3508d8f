#include "backend/cuda/libraries/factor_call.hpp"

#include <algorithm>
#include <limits>

#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/driver/failure.hpp"
#include "backend/cuda/libraries/factor.hpp"
#include "backend/cuda/libraries/handles.hpp"
#include "bascule/core/algorithms.hpp"

namespace bascule::cuda::libraries {
namespace {

struct solver {
    solver_handle handle = nullptr;
    solver_parameters parameters = nullptr;
    rotation_parameters rotations = nullptr;  // these two say that the defaults hold
    singular_rotation_parameters singular_rotations = nullptr;
};
handle_store<solver>& handles() {
    static auto* const all = new handle_store<solver>;
    return *all;
}

solver take(device& d, cusolver_api const& api) {
    return handles().take(&d, [&] {
        solver s;
        must(created(d, [&] { return api.create(&s.handle); }), solver_no_memory, "cusolverDnCreate");
        auto const made = [&](int code, char const* function) {
            if (code == 0) return;
            api.destroy(s.handle);
            must(code, solver_no_memory, function);
        };
        made(api.create_parameters(&s.parameters), "cusolverDnCreateParams");
        made(api.create_rotations(&s.rotations), "cusolverDnCreateSyevjInfo");
        made(api.create_singular_rotations(&s.singular_rotations), "cusolverDnCreateGesvdjInfo");
        return s;
    });
}

type_id computed_type(matrix_factor_args const& a) {
    if (!a.wide) return a.dtype;
    return a.dtype == type_id::float32     ? type_id::float64
           : a.dtype == type_id::complex64 ? type_id::complex128
                                           : a.dtype;
}

}  // namespace

void make_factor_handle(device& d) {
    if (cusolver().api) handles().give_back(&d, take(d, *cusolver().api));
}

factor_call::factor_call(device& d, matrix_factor_args& a, stream_handle stream)
    : args(a), m(a.m), n(a.n), r(std::min(a.m, a.n)), stored(a.dtype), computed(computed_type(a)),
      real(real_type_of(computed)), type(library_type(computed)), type_real(library_type(real)),
      api(needed(cusolver(), describe(algorithm_kind::matrix_factor))), stacks(d, stream, a.ndim, a.shape),
      info_(d, 4 * stacks.count(), stream) {
    d.fill(info_.get(), 0, 4 * stacks.count(), stream);
    solver const s = take(d, api);
    handle = s.handle, parameters = s.parameters;
    rotations = s.rotations, singular_rotations = s.singular_rotations;
    if (int const code = api.set_stream(handle, stream)) {
        handles().give_back(&d, s);
        must(code, solver_no_memory, "cusolverDnSetStream");
    }
}

factor_call::~factor_call() { handles().give_back(&stacks.on(), {handle, parameters, rotations, singular_rotations}); }

void factor_call::read(dense_matrices const& to, matrix_stack const& from, std::int64_t rows, std::int64_t columns,
                       bool turned) const {
    placed_matrices const source = stacks.placed(from, stored, rows, columns);
    stacks.copy(to.placed(), turned ? source.turned() : source, matrix_part::whole, turned);
}

void factor_call::write(matrix_stack const& to, dense_matrices const& from, std::int64_t rows, std::int64_t columns,
                        matrix_part part, bool turned) const {
    placed_matrices const source = from.placed();
    stacks.copy(stacks.placed(to, stored, rows, columns), turned ? source.turned() : source, part, turned, info_.get());
}

void factor_call::write_values(matrix_stack const& to, type_id stored_as, placed_matrices const& from) const {
    stacks.copy(stacks.placed(to, stored_as, from.rows, from.columns), from, matrix_part::whole, false, info_.get());
}

algorithm_kernel factor_call::kernel(std::int64_t const& items) const {
    algorithm_kernel k(stacks.on(), stacks.stream(), 1, &items);
    k.needs("backend/cuda/kernels/matrices.cuh");
    return k;
}

void factor_call::fail_where_unknown(dense_matrices const& values, type_id t, std::int64_t count,
                                     std::int64_t step) const {
    std::int64_t const items = stacks.count();
    algorithm_kernel k = kernel(items);
    k.pointer(values.data());
    k.word(count), k.word(step), k.word(values.elements());
    k.pointer(info_.get());
    k.add("find", "find_unknown<" + element_text(t) + ">");
    k.launch("find", items);
}

void factor_call::count_failures() {
    std::vector<std::int32_t> found(static_cast<std::size_t>(stacks.count()));
    stacks.on().copy(found.data(), info_.get(), 4 * stacks.count(), copy_kind::device_to_host, stacks.stream());
    stacks.on().synchronize(stacks.stream());
    for (std::int32_t i : found) {
        if (i < 0)
            throw failure{status::device_error,
                          "[cuda] cuSOLVER says that its argument " + std::to_string(-i) + " is not what it expects"};
        args.failed += i != 0;
    }
}

void factor(device& d, matrix_factor_args& a, stream_handle stream) {
    a.failed = 0;
    if (std::max({a.m, a.n, a.columns}) >= std::numeric_limits<int>::max())
        throw failure{status::not_supported, "[cuda] factors: expected fewer than 2^31 rows and columns"};
    if (library_type(a.dtype) < 0 || a.dtype == type_id::float16)
        throw failure{status::not_supported, "[cuda] factors: expected float32, float64, complex64 or complex128"};
    for (int k = 0; k < a.ndim; ++k)
        if (a.shape[k] == 0) return;
    factor_call call(d, a, stream);
    switch (a.task) {
        case matrix_task::solve: return solve_task(call, false);
        case matrix_task::invert: return solve_task(call, true);
        case matrix_task::determinant: return determinant_task(call);
        case matrix_task::cholesky: return cholesky_task(call);
        case matrix_task::orthogonal: return orthogonal_task(call);
        case matrix_task::reflectors: return reflectors_task(call);
        case matrix_task::eigen_hermitian: return hermitian_task(call);
        case matrix_task::eigen: return eigen_task(call);
        case matrix_task::singular_values: return singular_values_task(call);
        case matrix_task::least_squares: return least_squares_task(call);
    }
    throw failure{status::not_supported, "[cuda] factors: this task does not exist"};
}

}  // namespace bascule::cuda::libraries
