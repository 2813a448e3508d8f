#include "bascule/array/fourier.hpp"

#include "bascule/array/arguments.hpp"
#include "bascule/array/graph.hpp"
#include "dense.hpp"

namespace bascule {
namespace {

constexpr type_set reals = bit(type_id::float32) | bit(type_id::float64);

void check(array const& a, fourier_kind kind, int rank, std::int64_t n) {
    if (kind > fourier_kind::to_real) throw value_error("[fourier] no such transform");
    arguments::type(a, kind == fourier_kind::from_real ? reals : types::complexes, "fourier");
    bool const back = kind == fourier_kind::to_real;
    if (rank < 1 || rank > (back ? 1 : 3) || rank > a.ndim())
        throw value_error("[fourier] not along " + std::to_string(rank) + " axes");
    for (int d = a.ndim() - rank; d < a.ndim(); ++d)
        if (a.shape[d] < 1) throw value_error("[fourier] no transform along an axis of length 0");
    if (back && (n < 1 || n / 2 + 1 != a.shape[a.ndim() - 1]))
        throw value_error("[fourier] " + std::to_string(n) + " values have " + std::to_string(n / 2 + 1) +
                          " frequencies, got " + std::to_string(a.shape[a.ndim() - 1]));
}

}  // namespace

array fourier(array const& a, fourier_kind kind, int rank, std::int64_t n) {
    check(a, kind, rank, n);
    auto const where = a.where();
    if (!where.api->supports(algorithm_kind::fourier_transform, a.type.id))
        throw not_supported("[fft] does not run on " + where.name() + " yet");
    bool const wide = a.type.id == type_id::float64 || a.type.id == type_id::complex128;
    // The device overwrites its input in transforms to real values.
    array const from = kind == fourier_kind::to_real ? copy(a, 'C') : in_c_order(a);
    dims shape = a.shape, lengths(a.shape.data() + a.ndim() - rank, rank);
    std::int64_t& last = shape[a.ndim() - 1];
    type_id type = wide ? type_id::complex128 : type_id::complex64;
    if (kind == fourier_kind::from_real) last = last / 2 + 1;
    if (kind == fourier_kind::to_real) type = wide ? type_id::float64 : type_id::float32, last = lengths[0] = n;
    array const r = empty(where, make_dtype(type), shape);
    if (r.size() == 0) return r;
    storage* const read[] = {from.memory()};
    graph::memory_in_use const used(read);
    fourier_args p;
    p.kind = kind, p.wide = wide, p.rank = rank, p.lengths = lengths.data();
    p.batch = from.size();
    for (int d = a.ndim() - rank; d < a.ndim(); ++d) p.batch /= a.shape[d];
    p.in = address(from), p.out = address(r);
    run_algorithm(r, algorithm_kind::fourier_transform, p);
    return r;
}

}  // namespace bascule
