#include "bascule/array/reduce.hpp"

#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "../eager/immediate.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/core/algorithms.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "float16_extrema.hpp"
#include "float16_sums.hpp"
#include "masked_moments.hpp"
#include "scan.hpp"

namespace bascule {

dims reduced_shape(dims const& shape, std::uint64_t reduced, bool keepdims) {
    dims out;
    for (int d = 0; d < shape.size(); ++d) {
        if (((reduced >> d) & 1) == 0) out.push_back(shape[d]);
        else if (keepdims) out.push_back(1);
    }
    return out;
}

bool all_finite(array const& a) {
    array const all = reduce_with(ops::aggregate_number<ops::aggregate::all>, apply(ops::number<ops::isfinite>, a));
    return item(all).bytes[0] != 0;
}

number_range range_of(array const& a) {
    constexpr auto min = ops::aggregate_number<ops::aggregate::minimum>,
                   max = ops::aggregate_number<ops::aggregate::maximum>;
    plan_constant least{}, most{};
    if (!eager::reduce(min, a, 0, least).done || !eager::reduce(max, a, 0, most).done) {
        array const low = reduce_with(min, a), high = reduce_with(max, a);  // both wait, for one pass
        least = item(low), most = item(high);
    }
    return {cast_constant(least, a.type.id, type_id::int64).i64, cast_constant(most, a.type.id, type_id::int64).i64};
}

namespace {

std::int64_t reduced_count(dims const& shape, std::uint64_t reduced) {
    std::int64_t n = 1;
    for (int d = 0; d < shape.size(); ++d)
        if ((reduced >> d) & 1) n *= shape[d];
    return n;
}

// The op that joins an aggregation's partial results, for `initial` and `where`.
int joining_op(char const* name) {
    struct pair {
        char const *aggregate, *op;
    };
    static constexpr pair pairs[] = {{"sum", "add"},         {"prod", "multiply"},  {"minimum", "minimum"},
                                     {"maximum", "maximum"}, {"min", "minimum"},    {"max", "maximum"},
                                     {"any", "logical_or"},  {"all", "logical_and"}};
    for (auto const& p : pairs)
        if (std::strcmp(p.aggregate, name) == 0) return ops::find(p.op);
    return -1;
}

array reduced_identity(std::uint16_t aggregate, device where, dtype t, dims const& shape) {
    plan_constant one{};
    one.i64 = ops::aggregate_table[aggregate].identity;
    return full(where, t, shape, cast_constant(one, type_id::int64, t.id));
}

dtype result_dtype(std::uint16_t aggregate, array const& a) {
    auto const t = ops::aggregate_result_type(aggregate, a.type.id);
    return is_time(t) && t == a.type.id ? a.type : make_dtype(t);
}

// The result where no element is reduced; `some` is whether the reduced axes would hold elements were the other axes
// not empty.
array reduce_nothing(std::uint16_t aggregate, array const& a, dims const& shape, bool some) {
    auto const& meta = ops::aggregate_table[aggregate];
    auto const t = result_dtype(aggregate, a);
    if (meta.identity >= 0 || some) return reduced_identity(aggregate, a.where(), t, shape);
    if (*meta.empty_error) throw value_error(meta.empty_error);
    plan_constant nan{};
    nan.f64[0] = nan.f64[1] = -__builtin_nan("");  // as x86 divides 0 by 0
    return full(a.where(), t, shape,
                cast_constant(nan, is_complex(t.id) ? type_id::complex128 : type_id::float64, t.id));
}

// Results have the order of the kept axes in memory.
dims kept_strides(array const& a, std::uint64_t reduced, dims const& shape, std::int64_t itemsize) {
    dims like;
    for (int d = 0; d < a.ndim(); ++d) {
        if (((reduced >> d) & 1) == 0) like.push_back(a.strides[d]);
        else if (shape.size() == a.ndim()) like.push_back(0);
    }
    return dense_strides_like(shape, like, itemsize);
}

array reduce_on_device(std::uint16_t aggregate, array const& a, std::uint64_t reduced, dims const& shape, double ddof) {
    errstate::naming const rounding_is_part(errstate::kind::reduce, aggregate);
    bool const half = a.type.id == type_id::float16;
    type_id const as = half ? type_id::float32 : a.type.id;
    dtype const t = result_dtype(aggregate, a);
    bool const rounds = half && t.id == type_id::float16;  // reduced in float32, rounded once
    dtype const stored = rounds ? make_dtype(type_id::float32) : t;
    dims const strides = kept_strides(a, reduced, shape, stored.itemsize);
    operand const input = graph::argument(a, a.shape);
    // An array that one thread reduces to one result in any case has nothing to wait for.
    std::int64_t const times = product(shape) == 1 ? 4 : 1;
    if (graph_lock lock; eager::can_run(a.where(), a.shape, std::span(&input, 1), times)) {
        array const r(storage::make(a.where(), product(shape) * stored.itemsize), stored, shape, strides);
        eager::run_reduction(aggregate, a, as, reduced, ddof, stored.id, r);
        return rounds ? astype(r, t) : r;
    }
    auto node = std::make_unique<pending_operation>();
    node->reduces = true, node->op = aggregate, node->ddof = ddof, node->nargs = 1;
    node->shape = a.shape, node->input_strides = a.strides, node->reduced = reduced;
    node->args[0] = input;
    node->args[0].as = as;
    node->result = stored.id;
    array r;
    {
        graph_lock lock;
        bool const at_once = errstate::mark(*node, errstate::kind::reduce,
                                            errstate::of_reduction(aggregate, as, errstate::current.check));
        r = graph::add(lock, a.where(), stored, shape, strides, std::move(node), at_once);
        if (a.where().api->host_memory && a.size() < settings().eager_below && a.memory()->ready())
            graph::evaluate(lock, r.memory(), flush_reason::small);
    }
    return rounds ? astype(r, t) : r;
}

array masked_input(std::uint16_t aggregate, array const& a, array const& mask) {
    auto const& meta = ops::aggregate_table[aggregate];
    int const op = joining_op(meta.name);
    if (op < 0) throw not_supported(std::string("[") + meta.name + "] where= is not supported in this reduction");
    if (meta.identity < 0)
        throw value_error(std::string("reduction operation '") + ops::table[op].name +
                          "' does not have an identity, so to use a where mask one has to specify 'initial'");
    plan_constant v{};
    v.i64 = meta.identity;
    argument const args[] = {
        {&mask}, {&a}, {nullptr, cast_constant(v, type_id::int64, a.type.id), a.type.id, weak_kind::strong}};
    return apply(ops::number<ops::where>, args);
}

array masked_with(array const& a, array const& mask, argument const& initial) {
    argument const args[] = {{&mask}, {&a}, initial};
    call_options o;
    o.type = a.type.id, o.rule = casting::unsafe;
    return apply(ops::number<ops::where>, args, o);
}

// One part of complex numbers, the real one of others, as a view.
array part_of(array const& a, bool imaginary) {
    if (!is_complex(a.type.id)) return a;
    array part = a;
    part.type = make_dtype(a.type.id == type_id::complex64 ? type_id::float32 : type_id::float64);
    part.offset += imaginary ? part.itemsize() : 0;
    return part;
}

plan_constant initial_value(argument const& initial) {
    if (initial.a) return cast_constant(item(*initial.a), initial.a->type.id, type_id::complex128);
    return cast_constant(initial.value, initial.type, type_id::complex128);
}

bool is_negative_zero(double x) { return x == 0 && std::signbit(x); }

// A sum starts at 0 and `initial` is added to it. NumPy starts at `initial`: a sum of nothing but -0 from -0 on is -0.
array keep_negative_zeros(array const& sum, array const& a, plan_constant const& initial,
                          aggregation_options const& o) {
    static constexpr std::uint16_t signbit = ops::number<ops::signbit>, equal = ops::number<ops::equal>,
                                   both = ops::number<ops::logical_and>;
    array const r = copy(sum);
    evaluate(r.memory()), evaluate(a.memory());  // parts are bytes, which a pending value does not have yet
    argument zero;
    zero.type = type_id::float64, zero.weak = weak_kind::floating;
    argument minus_zero = zero;
    minus_zero.value.f64[0] = -0.0;
    aggregation_options f;
    f.axes = o.axes, f.keepdims = o.keepdims, f.where = o.where;
    for (bool const imaginary : {false, true}) {
        if (!is_negative_zero(initial.f64[imaginary]) || (imaginary && !is_complex(a.type.id))) continue;
        array const x = part_of(a, imaginary), to = part_of(r, imaginary);
        array const negative = apply(both, apply(signbit, x), apply(equal, x, zero));
        array const all = reduce_with(ops::aggregate_number<ops::aggregate::all>, negative, f);
        argument const args[] = {{&all}, minus_zero, {&to}};
        call_options at;
        at.type = to.type.id, at.out = &to;
        apply(ops::number<ops::where>, args, at);
    }
    return r;
}

bool starts_at_negative_zero(std::uint16_t aggregate, array const& a, aggregation_options const& o) {
    if (aggregate != ops::aggregate_number<ops::aggregate::sum> || !o.initial) return false;
    if (!(is_float(a.type.id) || is_complex(a.type.id)) || (o.initial->a && o.initial->a->size() != 1)) return false;
    plan_constant const v = initial_value(*o.initial);
    return is_negative_zero(v.f64[0]) || is_negative_zero(v.f64[1]);
}

// Products start at one by themselves. One more factor of one would take the sign of a complex product's zeros.
bool starts_at_one(std::uint16_t aggregate, array const& a, aggregation_options const& o) {
    if (aggregate != ops::aggregate_number<ops::aggregate::prod> || !is_complex(a.type.id)) return false;
    if (!o.initial || o.initial->a) return false;
    plan_constant const v = initial_value(*o.initial);
    return v.f64[0] == 1 && v.f64[1] == 0 && !std::signbit(v.f64[1]);
}

array finish(array const& r, std::uint16_t aggregate, aggregation_options const& o) {
    errstate::naming const all_is_part(errstate::kind::reduce, aggregate);
    array result = r;
    if (o.initial) {
        int const op = joining_op(ops::aggregate_table[aggregate].name);
        if (op < 0)
            throw type_error(std::string(ops::aggregate_table[aggregate].name) +
                             "() got an unexpected keyword argument 'initial'");
        argument args[] = {{&result}, *o.initial};
        if (float16_extrema::may_mix_zeros(aggregate, result.type.id)) std::swap(args[0], args[1]);
        call_options c;
        c.type = result.type.id, c.rule = casting::unsafe;
        result = apply(static_cast<std::uint16_t>(op), args, c);
    }
    if (o.type && result.type.id != *o.type) result = astype(result, make_dtype(*o.type));
    result.scalar = result.ndim() == 0;
    if (!o.out) return result;
    int const joins = joining_op(ops::aggregate_table[aggregate].name);
    if (joins >= 0 && o.out->ndim() != result.ndim())
        throw value_error(std::string("output parameter for reduction operation ") + ops::table[joins].name +
                          " has the wrong number of dimensions: Found " + std::to_string(o.out->ndim()) +
                          " but expected " + std::to_string(result.ndim()));
    if (!(o.out->shape == result.shape))
        throw value_error("output parameter for reduction operation " +
                          std::string(ops::aggregate_table[aggregate].name) + " has the wrong shape: expected " +
                          to_string(result.shape) + ", got " + to_string(o.out->shape));
    // Argument reductions need an integer output; other results are cast to the output's type, as NumPy's reductions
    // do.
    bool const positions = std::string_view(ops::aggregate_table[aggregate].name).starts_with("arg");
    if (positions && !is_boolean(o.out->type.id) && (!is_integer(o.out->type.id) || o.out->type.id == type_id::uint64))
        throw type_error(std::string("Cannot cast ") + (o.out->ndim() ? "array data" : "scalar") + " from dtype('" +
                         type_name(o.out->type.id) + "') to dtype('int64') according to the rule 'safe'");
    assign(*o.out, result);
    return *o.out;
}

bool starts_at_initial_value(std::uint16_t aggregate, array const& a, aggregation_options const& o) {
    if (aggregate != ops::aggregate_number<ops::aggregate::prod> || !o.initial) return false;
    if (!(is_float(a.type.id) || is_complex(a.type.id)) || (o.initial->a && o.initial->a->size() != 1)) return false;
    plan_constant const v = initial_value(*o.initial);
    return v.f64[0] != 1 || v.f64[1] != 0;
}

constexpr std::uint8_t leaves_the_range = ops::fp::over | ops::fp::under | ops::fp::invalid;

// Returns the errors that a reduction in `f` raises itself, without reporting them. Errors of other computations in f
// are reported as usual.
template <class F> std::uint8_t raised_in(F const& f) {
    auto const before = errstate::take();
    std::vector<errstate::finding> meanwhile;
    std::uint8_t raised = 0;
    {
        errstate::scope const looks(leaves_the_range, true);
        errstate::current.line = 1;  // some line: errors are checked even where the program ignores warnings
        f();
        meanwhile = errstate::take();
    }
    for (auto const& x : before) errstate::report(x);
    for (auto const& x : meanwhile)
        if (x.line == 0 && x.how == errstate::kind::reduce) raised |= x.fp_errors;
        else errstate::report(x);
    return raised;
}

// NumPy multiplies one factor after the other. Products in a tree are the same but for rounding, as long as no
// intermediate result overflows or underflows: otherwise an infinite part may be multiplied by one that vanished, or a
// part has lost its digits.
array product(std::uint16_t aggregate, array const& a, std::uint64_t reduced, dims const& shape,
              argument const* initial = nullptr) {
    array r;
    bool const asks_for_all = (errstate::current.check & ops::fp::under) != 0;  // on NumPy's way
    std::uint8_t const raised = asks_for_all ? leaves_the_range : raised_in([&] {
        r = reduce_on_device(aggregate, a, reduced, shape, 0);
        aggregation_options from;
        from.initial = initial;
        if (initial) r = finish(r, aggregate, from);
        evaluate(r.memory());
    });
    // Which parts of a complex product become NaN depends on the order, too. Devices other than the host's report
    // later.
    bool const looks_at_values = is_complex(a.type.id) || (initial && !a.where().api->host_memory);
    if (!raised && (!looks_at_values || all_finite(r))) return r;
    errstate::naming const reports_once(errstate::kind::reduce, aggregate);
    bool const half = a.type.id == type_id::float16;  // rounded once
    array const wide = half ? astype(a, make_dtype(type_id::float32)) : a;
    r = scan::reduced(ops::number<ops::multiply>, wide, reduced, shape, initial);
    return half ? astype(r, a.type) : r;
}

// Whether a product's order shows in more than rounding. Complex ones of few factors are made in NumPy's order.
bool may_need_numpys_order(std::uint16_t aggregate, array const& a, std::int64_t factors) {
    if (aggregate != ops::aggregate_number<ops::aggregate::prod>) return false;
    if (is_complex(a.type.id)) return may_leave_the_finite(aggregate, a.type.id, factors);
    constexpr std::int64_t lanes = ops::tree_lanes<double>;
    return is_float(a.type.id) && factors > lanes && a.where().api->host_memory;
}

}  // namespace

bool may_leave_the_finite(std::uint16_t aggregate, type_id t, std::int64_t factors) {
    return aggregate == ops::aggregate_number<ops::aggregate::prod> && is_complex(t) && factors > 1024;
}

static bool finds_position(std::uint16_t aggregate) {
    static auto const least = ops::find_aggregate("argmin"), largest = ops::find_aggregate("argmax");
    return aggregate == least || aggregate == largest;
}

// Where nothing but an output names a type, the loop holds the output's and the input's, as every ufunc's reduction.
static bool output_names_type(std::uint16_t aggregate, array const& input, aggregation_options const& o) {
    if (!o.out || o.type || is_time(input.type.id) || is_time(o.out->type.id)) return false;
    int const joins = joining_op(ops::aggregate_table[aggregate].name);
    return joins >= 0 && !std::string_view(ops::table[joins].name).starts_with("logical_");
}

namespace {

// The state of a reduction between the call and its plan.
struct reduction {
    std::uint16_t aggregate;
    array a;
    aggregation_options options;
    std::uint64_t axes = 0;  // reduced axes, and the shape of the result: once the elements are known
    dims shape{};

    [[nodiscard]] char const* name() const { return ops::aggregate_table[aggregate].name; }
    [[nodiscard]] bool has_identity() const { return ops::aggregate_table[aggregate].identity >= 0; }
    // The options that finish() still has to apply after one of them is done.
    template <class T> [[nodiscard]] aggregation_options without(T const* aggregation_options::*what) const {
        aggregation_options rest = options;
        rest.*what = nullptr;
        return rest;
    }
};

array sum_from_negative_zero(reduction const& r) {
    aggregation_options plain = r.options, rest;
    plain.out = nullptr, plain.initial = nullptr;
    rest = plain, rest.out = r.options.out;
    array const sum = reduce_with(r.aggregate, r.a, plain);
    return finish(keep_negative_zeros(sum, r.a, initial_value(*r.options.initial), r.options), r.aggregate, rest);
}

void find_axes(reduction& r) {
    std::uint64_t const all = r.a.ndim() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << r.a.ndim()) - 1;
    r.axes = r.options.axes & all;
    // A position among all elements counts in C order, a reduction in the order of memory.
    if (r.axes == all && r.a.ndim() > 1 && finds_position(r.aggregate) &&
        !is_c_contiguous(r.a.shape, r.a.strides, r.a.itemsize()))
        r.a = copy(r.a, 'C');
    r.shape = reduced_shape(r.a.shape, r.axes, r.options.keepdims);
}

array of_nothing(reduction const& r) {
    aggregation_options const& o = r.options;
    if (!o.initial || r.has_identity())
        return finish(reduce_nothing(r.aggregate, r.a, r.shape, reduced_count(r.a.shape, r.axes) > 0), r.aggregate, o);
    type_id const t = result_dtype(r.aggregate, r.a).id;
    plan_constant const first = o.initial->a ? cast_constant(item(*o.initial->a), o.initial->a->type.id, t)
                                             : cast_constant(o.initial->value, o.initial->type, t);
    array const start = full(r.a.where(), result_dtype(r.aggregate, r.a), r.shape, first);
    return finish(start, r.aggregate, r.without(&aggregation_options::initial));
}

// The rules for a reduction, tried in this order; the last one always applies. A rule without a result changes the
// reduction, and the next ones are tried.
struct reduction_rule {
    bool (*applies)(reduction const&);
    std::optional<array> (*run)(reduction&);
};
using result = std::optional<array>;

constexpr reduction_rule rules[] = {
    // out= of another type
    {[](reduction const& r) { return output_names_type(r.aggregate, r.a, r.options); },
     [](reduction& r) -> result {
         r.options.type = promote(r.options.out->type.id, r.a.type.id);
         return {};
     }},
    // moments of complex numbers as real ones
    {[](reduction const& r) {
         auto const& as = r.options.type;
         return as && sums_real_squares(r.name(), r.a.type.id, *as) && r.a.size() > 0;
     },
     [](reduction& r) -> result {
         auto const& o = r.options;
         return finish(moment_by_steps(r.name(), r.a, o.where, o.axes, o.keepdims, o.ddof, *o.type), r.aggregate,
                       r.without(&aggregation_options::where));
     }},
    // dtype=
    {[](reduction const&) { return true; },
     [](reduction& r) -> result {
         auto const& as = r.options.type;
         r.a = as && r.a.type.id != *as ? astype(r.a, make_dtype(*as), false) : plain_booleans(r.a);
         return {};
     }},
    // sums that start at -0
    {[](reduction const& r) { return starts_at_negative_zero(r.aggregate, r.a, r.options); },
     [](reduction& r) -> result { return sum_from_negative_zero(r); }},
    // complex products that start at one
    {[](reduction const& r) { return starts_at_one(r.aggregate, r.a, r.options); },
     [](reduction& r) -> result { return r.options.initial = nullptr, std::nullopt; }},
    // types without a loop
    {[](reduction const& r) { return !contains(ops::aggregate_table[r.aggregate].types, r.a.type.id); },
     [](reduction& r) -> result {
         throw type_error(std::string("ufunc '") + r.name() +
                          "' did not contain a loop with signature matching types dtype('" + type_name(r.a.type.id) +
                          "')");
     }},
    // moments of the elements that where= selects
    {[](reduction const& r) { return r.options.where && is_moment(r.name()); },
     [](reduction& r) -> result {
         auto const& o = r.options;
         return finish(moment_by_steps(r.name(), r.a, o.where, o.axes, o.keepdims, o.ddof), r.aggregate,
                       r.without(&aggregation_options::where));
     }},
    // where=
    {[](reduction const& r) { return r.options.where != nullptr; },
     [](reduction& r) -> result {
         auto const& o = r.options;
         r.a = o.initial && !r.has_identity() ? masked_with(r.a, *o.where, *o.initial)
                                              : masked_input(r.aggregate, r.a, *o.where);
         return {};
     }},
    // axes
    {[](reduction const&) { return true; }, [](reduction& r) -> result { return find_axes(r), std::nullopt; }},
    // no elements
    {[](reduction const& r) { return r.a.size() == 0; }, [](reduction& r) -> result { return of_nothing(r); }},
    // float16 moments whose intermediate results overflow
    {[](reduction const& r) { return overflows_on_the_way(r.name(), r.a.type.id); },
     [](reduction& r) -> result {
         auto const& o = r.options;
         return finish(moment_by_steps(r.name(), r.a, nullptr, r.axes, o.keepdims, o.ddof), r.aggregate, o);
     }},
    // float16 sums that are rounded row by row
    {[](reduction const& r) { return float16_sums::rounds_by_steps(r.aggregate, r.a, r.axes); },
     [](reduction& r) -> result {
         return finish(float16_sums::reduced(r.aggregate, r.a, r.axes, r.shape, r.options.initial), r.aggregate,
                       r.without(&aggregation_options::initial));
     }},
    // products that start at another number
    {[](reduction const& r) { return starts_at_initial_value(r.aggregate, r.a, r.options); },
     [](reduction& r) -> result {
         return finish(product(r.aggregate, r.a, r.axes, r.shape, r.options.initial), r.aggregate,
                       r.without(&aggregation_options::initial));
     }},
    // products whose order may show
    {[](reduction const& r) { return may_need_numpys_order(r.aggregate, r.a, reduced_count(r.a.shape, r.axes)); },
     [](reduction& r) -> result { return finish(product(r.aggregate, r.a, r.axes, r.shape), r.aggregate, r.options); }},
    // float16 extrema, of whose zeros the first stays
    {[](reduction const& r) { return float16_extrema::may_mix_zeros(r.aggregate, r.a.type.id); },
     [](reduction& r) -> result {
         array found = reduce_on_device(r.aggregate, r.a, r.axes, r.shape, r.options.ddof);
         if (float16_extrema::mixes_zeros(r.a, found))
             found = scan::reduced(static_cast<std::uint16_t>(joining_op(r.name())), r.a, r.axes, r.shape);
         return finish(found, r.aggregate, r.options);
     }},
    // all others
    {[](reduction const&) { return true; },
     [](reduction& r) -> result {
         return finish(reduce_on_device(r.aggregate, r.a, r.axes, r.shape, r.options.ddof), r.aggregate, r.options);
     }},
};

}  // namespace

// A mask is repeated along the input's axes, never these along its own.
void check_mask(array const& input, array const& mask) {
    int const more = input.ndim() - mask.ndim();
    if (more < 0) throw value_error("input operand has more dimensions than allowed by the axis remapping");
    dims whole = input.shape;
    bool repeats = false;
    for (int d = 0; d < mask.ndim(); ++d)
        if (input.shape[more + d] == 1 && mask.shape[d] != 1) whole[more + d] = mask.shape[d], repeats = true;
    if (repeats)
        throw value_error("non-broadcastable operand with shape " + to_string(input.shape) +
                          " doesn't match the broadcast shape " + to_string(whole));
}

array reduce_with(std::uint16_t aggregate, array const& input, aggregation_options const& o) {
    if (o.where) check_mask(input, *o.where);
    reduction r{aggregate, input, o};
    for (auto const& rule : rules)
        if (rule.applies(r))
            if (auto done = rule.run(r)) return std::move(*done);
    throw error("[reduce] no rule answers");
}

}  // namespace bascule
