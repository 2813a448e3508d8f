#include "bascule/array/linalg.hpp"

#include <optional>
#include <span>

#include "../graph/late_fp_flags.hpp"
#include "bascule/array/arguments.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/ops/spec.hpp"
#include "dense.hpp"

namespace bascule {
namespace {

dims stack_of(array const& a) { return dims(a.shape.data(), a.ndim() - 2); }

// The strides of the last two axes, and of the axes before them, over the stack `shape`.
struct placed {
    dims stack;
    matrix_stack args;
    placed(array const& a, dims const& shape)
        : stack(broadcast_strides(stack_of(a), dims(a.strides.data(), a.ndim() - 2), shape)) {
        args = {address(a), nullptr, a.strides[a.ndim() - 2], a.strides[a.ndim() - 1]};
    }
    matrix_stack get() {
        args.stack = stack.data();
        return args;
    }
};

template <class Args> void run(array const& a, algorithm_kind kind, Args& args) {
    auto const where = a.where();
    if (!where.api->supports(kind, a.type.id)) throw not_supported("[linalg] does not run on " + where.name() + " yet");
    run_algorithm(a, kind, args);
}

// ---- products: operands and result as matrices
struct form_rules {
    char const *name, *signature, *core[2];
    bool row, column;  // a is one row, b is one column
    bool conjugate;
};
constexpr form_rules forms[] = {
    {"matmul", "(n?,k),(k,m?)->(n?,m?)", {"1", "1"}, false, false, false},
    {"matvec", "(m,n),(n)->(m)", {"2", "1"}, false, true, false},
    {"vecmat", "(n),(n,m)->(m)", {"1", "2"}, true, false, true},
    {"vecdot", "(n),(n)->()", {"1", "1"}, true, true, true},
};

[[noreturn]] void too_few_axes(form_rules const& f, int operand, int has) {
    throw value_error(std::string(f.name) + ": Input operand " + std::to_string(operand) +
                      " does not have enough dimensions (has " + std::to_string(has) + ", gufunc core with signature " +
                      f.signature + " requires " + f.core[operand] + ")");
}
[[noreturn]] void core_mismatch(form_rules const& f, int axis, std::int64_t got, std::int64_t expected) {
    throw value_error(std::string(f.name) + ": Input operand 1 has a mismatch in its core dimension " +
                      std::to_string(axis) + ", with gufunc signature " + f.signature + " (size " +
                      std::to_string(got) + " is different from " + std::to_string(expected) + ")");
}

array with_axis(array const& a, int at) {
    array r = a;
    r.shape.insert(at, 1);
    r.strides.insert(at, 0);
    return r;
}

std::string joined(std::int64_t const* p, int n) {
    std::string text;
    for (int d = 0; d < n; ++d) text += (d > 0 ? "," : "") + std::to_string(p[d]);
    return text;
}

// (2,3,4)->(2,newaxis,newaxis): how NumPy says where an operand's stack went.
std::string remapped(array const& a, int core, int core_of_result) {
    int const own = a.ndim() - core;
    std::string text = to_string(a.shape) + "->(" + joined(a.shape.data(), own);
    if (own == 1 && core_of_result == 0) text += ",";
    for (int d = 0; d < core_of_result; ++d) text += own + d > 0 ? ",newaxis" : "newaxis";
    return text + ")";
}

dims common_stack(array const& a, array const& b, dims const& x, dims const& y, dims const& core) {
    dims const* const both[] = {&x, &y};
    try {
        return broadcast_shapes(both);
    } catch (value_error const&) {
        throw value_error("operands could not be broadcast together with remapped shapes [original->remapped]: " +
                          remapped(a, a.ndim() - x.size(), core.size()) + " " +
                          remapped(b, b.ndim() - y.size(), core.size()) + "  and requested shape (" +
                          joined(core.data(), core.size()) + ")");
    }
}

// One dimension of the stack as more rows of a, if b is the same all along it; the mirror image for columns of b.
bool join(std::int64_t n, std::int64_t& extent, std::int64_t& step, std::int64_t& out_step, std::int64_t stack,
          std::int64_t out_stack, std::int64_t others) {
    bool const next = extent == 1 || (stack == extent * step && out_stack == extent * out_step);
    if (others != 0 || !next) return false;
    if (extent == 1) step = stack, out_step = out_stack;
    extent *= n;
    return true;
}

// Matrices that follow each other as the rows (or columns) of one large matrix do are one product with it.
void join_stack(matrix_product_args& p, dims const& shape, placed const& a, placed const& b, placed const& out) {
    for (; p.ndim > 0; --p.ndim) {
        int const d = p.ndim - 1;
        if (shape[d] != 1 && !join(shape[d], p.m, p.a.row, p.out.row, a.stack[d], out.stack[d], b.stack[d]) &&
            !join(shape[d], p.n, p.b.column, p.out.column, b.stack[d], out.stack[d], a.stack[d]))
            return;
    }
}

bool overlap(array const& a, array const& b) { return a.memory() == b.memory(); }

void multiply(product_form form, array const& a, array const& b, array const& out) {
    bool const conjugate = forms[static_cast<int>(form)].conjugate;
    dims shape = stack_of(out);
    storage* const read[] = {a.memory(), b.memory()};
    graph::memory_in_use const used(read, out.memory());
    placed x(a, shape), y(b, shape), z(out, shape);
    matrix_product_args p;
    p.dtype = out.type.id, p.conjugate_a = conjugate && is_complex(out.type.id);
    p.ndim = shape.size(), p.shape = shape.data();
    p.m = out.shape[out.ndim() - 2], p.k = a.shape[a.ndim() - 1], p.n = out.shape[out.ndim() - 1];
    p.a = x.get(), p.b = y.get(), p.out = z.get();
    join_stack(p, shape, x, y, z);
    std::uint8_t const check =
        is_float(p.dtype) || is_complex(p.dtype) ? errstate::current.check & (ops::fp::invalid | ops::fp::over) : 0;
    auto f = errstate::here(errstate::kind::ufunc,
                            static_cast<std::uint16_t>(errstate::product_call + static_cast<int>(form)));
    auto const later = late_fp_flags::report_later(f, check, out.where());
    if (later) p.flags_later = later->words();
    std::uint32_t flags = 0;
    if (check && !later) p.fp_flags = &flags;
    run(out, algorithm_kind::matrix_product, p);
    if (later) return;
    f.fp_errors = check & static_cast<std::uint8_t>(flags);
    errstate::report(f);
}

array in_type(array const& a, type_id t) { return a.type.id == t ? a : astype(a, make_dtype(t)); }

array without_axes(array r, bool row, bool column) {
    if (column) r.shape.resize(r.ndim() - 1), r.strides.resize(r.strides.size() - 1);
    if (row) {
        int const at = column ? r.ndim() - 1 : r.ndim() - 2;
        r.shape.erase(at), r.strides.erase(at);
    }
    return r;
}

void check_out(form_rules const& f, array const& out, dims const& shape, int core) {
    if (out.shape == shape) return;
    for (int d = 0; d < core && out.ndim() >= core; ++d)
        if (std::int64_t const got = out.shape[out.ndim() - core + d], want = shape[shape.size() - core + d];
            got != want)
            throw value_error(std::string(f.name) + ": Output operand 0 has a mismatch in its core dimension " +
                              std::to_string(d) + ", with gufunc signature " + f.signature + " (size " +
                              std::to_string(got) + " is different from " + std::to_string(want) + ")");
    throw value_error("non-broadcastable output operand with shape " + to_string(out.shape) +
                      " doesn't match the broadcast shape " + to_string(shape));
}

}  // namespace

array product(product_form form, array const& given_a, array const& given_b, std::optional<type_id> type,
              array const* out) {
    if (static_cast<std::size_t>(form) >= std::size(forms)) throw value_error("[product] no such form");
    form_rules const& f = forms[static_cast<int>(form)];
    arguments::same_device(given_a, given_b, f.name);
    if (out) arguments::same_device(given_a, *out, f.name);
    bool const matmul = form == product_form::matmul;
    bool const row = matmul ? given_a.ndim() == 1 : f.row, column = matmul ? given_b.ndim() == 1 : f.column;
    int const core_a = row ? 1 : 2, core_b = column ? 1 : 2;
    if (given_a.ndim() < core_a) too_few_axes(f, 0, given_a.ndim());
    if (given_b.ndim() < core_b) too_few_axes(f, 1, given_b.ndim());
    type_id const t = type ? *type : promote(given_a.type.id, given_b.type.id);
    if (is_time(t))
        throw type_error(std::string("ufunc '") + f.name + "' did not contain a loop with signature matching types");
    array a = in_type(row ? with_axis(given_a, given_a.ndim() - 1) : given_a, t);
    array b = in_type(column ? with_axis(given_b, given_b.ndim()) : given_b, t);
    std::int64_t const k = a.shape[a.ndim() - 1], given_k = b.shape[b.ndim() - 2];
    if (k != given_k) core_mismatch(f, 0, given_k, k);
    dims core;
    if (!row) core.push_back(a.shape[a.ndim() - 2]);
    if (!column) core.push_back(b.shape[b.ndim() - 1]);
    dims shape = common_stack(given_a, given_b, stack_of(a), stack_of(b), core);
    dims full = shape;
    full.push_back(a.shape[a.ndim() - 2]), full.push_back(b.shape[b.ndim() - 1]);
    for (auto n : core) shape.push_back(n);
    if (out) {
        check_out(f, *out, shape, core.size());
        check_output_cast(f.name, t, out->type.id, casting::same_kind);
    }
    bool const in_place = out && out->type.id == t && !overlap(*out, a) && !overlap(*out, b);
    array r = in_place ? *out : empty(a.where(), make_dtype(t), full);
    if (in_place) {
        if (row) r = with_axis(r, r.ndim() - (column ? 0 : 1));
        if (column) r = with_axis(r, r.ndim());
    }
    multiply(form, a, b, r);
    if (in_place) return *out;
    r = without_axes(std::move(r), row, column);
    if (!out) return r;
    assign(*out, r);
    return *out;
}

namespace {

type_id real_type(type_id t) {
    if (t == type_id::complex64) return type_id::float32;
    return t == type_id::complex128 ? type_id::float64 : t;
}
type_id complex_type(type_id t) {
    if (t == type_id::float32) return type_id::complex64;
    return t == type_id::float64 ? type_id::complex128 : t;
}

// Shape and type of an output of a task; a vector counts as one column, which its array does not show.
struct output {
    type_id type;
    std::int64_t rows, columns;
    bool vector = false, absent = false;
};
std::vector<output> outputs_of(factor_request const& q, type_id t, std::int64_t m, std::int64_t n,
                               std::int64_t columns) {
    std::int64_t const r = std::min(m, n), left = q.full ? m : r;
    type_id const real = real_type(t), wide = complex_type(t);
    output const none{t, 0, 0, false, true};
    switch (q.task) {
        case matrix_task::solve: return {{t, n, columns}};
        case matrix_task::invert:
        case matrix_task::cholesky: return {{t, n, n}};
        case matrix_task::determinant:
            if (!q.vectors) return {{t, 1, 1}};
            return {{t, 1, 1}, {real, 1, 1}};
        case matrix_task::orthogonal:
            if (!q.vectors) return {none, {t, r, n}};
            return {{t, m, left}, {t, left, n}};
        case matrix_task::reflectors: return {{t, m, n}, {t, r, 1, true}};
        case matrix_task::eigen_hermitian: return {{real, n, 1, true}, q.vectors ? output{t, n, n} : none};
        case matrix_task::eigen: return {{wide, n, 1, true}, q.vectors ? output{wide, n, n} : none};
        case matrix_task::singular_values:
            if (!q.vectors) return {none, {real, r, 1, true}, none};
            return {{t, m, left}, {real, r, 1, true}, {t, q.full ? n : r, n}};
        case matrix_task::least_squares:
            return {{t, n, columns}, {real, columns, 1, true}, {type_id::int64, 1, 1}, {real, r, 1, true}};
    }
    return {};
}

}  // namespace

namespace {

// Checks the shapes that a task requires of its operands; the device checks their types.
void check_operands(factor_request const& q, array const& a, array const* b) {
    if (q.task > matrix_task::least_squares) throw value_error("[factor] no such task");
    bool const wants_b = q.task == matrix_task::solve || q.task == matrix_task::least_squares;
    if (wants_b != (b != nullptr)) throw value_error("[factor] a right side is for solve and least squares alone");
    for (array const* x : {&a, b})
        if (x && x->ndim() < 2)
            throw value_error("[factor] expected at least two dimensions, got " + std::to_string(x->ndim()));
    std::int64_t const m = a.shape[a.ndim() - 2], n = a.shape[a.ndim() - 1];
    bool const any_shape = q.task == matrix_task::orthogonal || q.task == matrix_task::reflectors ||
                           q.task == matrix_task::singular_values || q.task == matrix_task::least_squares;
    if (!any_shape && m != n) throw value_error("[factor] expected square matrices, got " + to_string(a.shape));
    if (!b) return;
    arguments::same_device(a, *b, "factor");
    arguments::type(*b, bit(a.type.id), "factor");
    if (b->shape[b->ndim() - 2] != m)
        throw value_error("[factor] " + std::to_string(m) + " equations need as many right sides, got " +
                          std::to_string(b->shape[b->ndim() - 2]));
}

}  // namespace

factorization_result factor(factor_request const& q, array const& a, array const* b) {
    check_operands(q, a, b);
    dims shape = stack_of(a);
    if (b) {
        dims const x = shape, y = stack_of(*b);
        dims const* const both[] = {&x, &y};
        shape = broadcast_shapes(both);
    }
    std::int64_t const m = a.shape[a.ndim() - 2], n = a.shape[a.ndim() - 1], columns = b ? b->shape[b->ndim() - 1] : 0;
    auto const kinds = outputs_of(q, a.type.id, m, n, columns);
    factorization_result r;
    for (auto const& o : kinds) {
        dims whole = shape;
        whole.push_back(o.rows), whole.push_back(o.columns);
        r.out.push_back(empty(a.where(), make_dtype(o.type), whole));
    }
    std::vector<storage*> read{a.memory()};
    if (b) read.push_back(b->memory());
    {
        graph::memory_in_use const used(read);
        placed x(a, shape), y(b ? *b : a, shape);
        std::vector<placed> outputs;
        for (auto const& o : r.out) outputs.emplace_back(o, shape);
        matrix_factor_args p;
        p.task = q.task, p.dtype = a.type.id, p.wide = q.wide;
        p.vectors = q.vectors, p.full = q.full, p.upper = q.upper, p.tolerance = q.tolerance;
        p.ndim = shape.size(), p.shape = shape.data(), p.m = m, p.n = n, p.columns = columns;
        p.a = x.get();
        if (b) p.b = y.get();
        for (std::size_t i = 0; i < outputs.size(); ++i) p.out[i] = outputs[i].get();
        run(a, algorithm_kind::matrix_factor, p);
        r.failed = p.failed;
    }
    for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i].vector) r.out[i] = without_axes(r.out[i], false, true);
    return r;
}

}  // namespace bascule
