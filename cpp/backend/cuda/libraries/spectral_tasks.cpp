// Eigenvalues and vectors, of Hermitian matrices and of any.
#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/driver/failure.hpp"
#include "backend/cuda/libraries/batched.hpp"
#include "backend/cuda/libraries/factor_call.hpp"

namespace bascule::cuda::libraries {

void hermitian_task(factor_call& c) {
    dense_matrices const a = c.make(c.computed, c.n, c.n), values = c.make(c.real, c.n, 1);
    int const job = c.args.vectors ? with_vectors : without_vectors,
              triangle = c.args.upper ? upper_triangle : lower_triangle;
    c.read(a, c.args.a, c.n, c.n);
    if (is_batch(c, c.n, largest_rotated)) {
        rotate_hermitian(c, a, values, job, triangle);
    } else if (c.n > 0) {
        c.each(
            "cusolverDnXsyevd",
            [&](auto* on_device, auto* on_host) {
                return c.api.syevd_size(c.handle, c.parameters, job, triangle, c.n, c.type, a.data(), a.leading(),
                                        c.type_real, values.data(), c.type, on_device, on_host);
            },
            [&](std::int64_t i, work_space const& w) {
                return c.api.syevd(c.handle, c.parameters, job, triangle, c.n, c.type, a.matrix(i), a.leading(),
                                   c.type_real, values.matrix(i), c.type, w.device, w.device_bytes, w.host,
                                   w.host_bytes, c.info(i));
            });
    }
    if (c.n > 0) c.fail_where_unknown(values, c.real, c.n, 1);
    c.write_values(c.args.out[0], real_type_of(c.stored), values.placed());
    if (c.args.vectors) c.write(c.args.out[1], a, c.n, c.n);
    c.count_failures();
}

// Values of real matrices are computed by real arithmetic and come as complex numbers, vectors of pairs in two columns.
void eigen_task(factor_call& c) {
    if (!c.api.geev)
        throw failure{
            status::not_supported,
            "[cuda] eigenvalues of matrices that are not Hermitian need cuSOLVER 11.7.1 or newer (CUDA 12.6), "
            "this is " +
                cusolver().version + "; .to_device(\"cpu\") brings the operands to where they are"};
    type_id const answer = complex_type_of(c.computed), stored = complex_type_of(c.stored);
    bool const pairs = c.computed != answer;
    std::int64_t const columns = c.args.vectors ? c.n : 0;
    dense_matrices const a = c.make(c.computed, c.n, c.n), values = c.make(answer, c.n, 1),
                         vectors = c.make(c.computed, c.n, columns), joined = c.make(answer, c.n, pairs ? columns : 0);
    int const job = c.args.vectors ? with_vectors : without_vectors, type_of_values = library_type(answer);
    c.read(a, c.args.a, c.n, c.n);
    if (c.n > 0) {
        c.each(
            "cusolverDnXgeev",
            [&](auto* on_device, auto* on_host) {
                return c.api.geev_size(c.handle, c.parameters, without_vectors, job, c.n, c.type, a.data(), a.leading(),
                                       type_of_values, values.data(), c.type, nullptr, a.leading(), c.type,
                                       vectors.data(), vectors.leading(), c.type, on_device, on_host);
            },
            [&](std::int64_t i, work_space const& w) {
                return c.api.geev(c.handle, c.parameters, without_vectors, job, c.n, c.type, a.matrix(i), a.leading(),
                                  type_of_values, values.matrix(i), c.type, nullptr, a.leading(), c.type,
                                  vectors.matrix(i), vectors.leading(), c.type, w.device, w.device_bytes, w.host,
                                  w.host_bytes, c.info(i));
            });
    }
    std::int64_t const items = c.stacks.count() * c.n * columns;
    if (pairs && items > 0) {
        algorithm_kernel k = c.kernel(items);
        k.pointer(values.data());
        k.pointer(vectors.data());
        k.pointer(joined.data());
        k.word(c.n);
        k.add("join", "join_pairs<" + element_text(c.computed) + ">");
        k.launch("join", items);
    }
    c.write_values(c.args.out[0], stored, values.placed());
    if (c.args.vectors) c.write_values(c.args.out[1], stored, (pairs ? joined : vectors).placed());
    c.count_failures();
}

}  // namespace bascule::cuda::libraries
