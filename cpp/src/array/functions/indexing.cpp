#include "bascule/array/indexing.hpp"

#include "../eager/immediate.hpp"
#include "../plan/selection.hpp"
#include "bascule/array/arguments.hpp"
#include "bascule/array/device_calls.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/core/algorithms.hpp"
#include "bascule/ops/table.hpp"

namespace bascule {
namespace {

using what = index_entry::what;

int consumed_axes(index_entry const& e) {
    if (e.kind == what::new_axis || e.kind == what::ellipsis) return 0;
    return e.kind == what::array && e.array.type.id == type_id::bool_ ? e.array.ndim() : 1;
}

// The index with its ellipsis spelt out as full slices.
std::vector<index_entry> expand(array const& a, std::span<index_entry const> index) {
    int used = 0, dots = 0;
    for (auto const& e : index) used += consumed_axes(e), dots += e.kind == what::ellipsis;
    if (dots > 1) throw index_error("an index can only have a single ellipsis ('...')");
    if (used > a.ndim())
        throw index_error("too many indices for array: array is " + std::to_string(a.ndim()) + "-dimensional, but " +
                          std::to_string(used) + " were indexed");
    index_entry all;
    all.kind = what::slice;
    std::vector<index_entry> out;
    for (auto const& e : index) {
        // It is kept as an entry: even an ellipsis of no axis separates the arrays on its sides.
        out.push_back(e);
        if (e.kind == what::ellipsis) out.insert(out.end(), static_cast<std::size_t>(a.ndim() - used), all);
    }
    if (dots == 0) out.insert(out.end(), static_cast<std::size_t>(a.ndim() - used), all);
    return out;
}

struct resolved_slice {
    std::int64_t start, step, count;
};

resolved_slice resolve(index_entry::raw_slice const& s, std::int64_t n) {
    if (s.step == 0) throw value_error("slice step cannot be zero");
    bool const down = s.step < 0;
    auto clamp = [&](std::int64_t v) {
        if (v < 0) v += n;
        return v < 0 ? (down ? -1 : 0) : v >= n ? (down ? n - 1 : n) : v;
    };
    std::int64_t const start = s.has_start ? clamp(s.start) : down ? n - 1 : 0;
    std::int64_t const stop = s.has_stop ? clamp(s.stop) : down ? -1 : n;
    std::int64_t const span = down ? start - stop : stop - start, step = down ? -s.step : s.step;
    return {start, s.step, span <= 0 ? 0 : (span + step - 1) / step};
}

std::int64_t checked(std::int64_t i, std::int64_t n, int axis) {
    if (i < -n || i >= n)
        throw index_error("index " + std::to_string(i) + " is out of bounds for axis " + std::to_string(axis) +
                          " with size " + std::to_string(n));
    return i < 0 ? i + n : i;
}

// Everything of an index but its arrays: the view they walk over, in which each array entry has an axis of its own.
struct split_index {
    array base;
    struct place {
        int axis;
        int original;
        array positions;
    };
    std::vector<place> arrays;
    bool together = true;  // the array entries are adjacent
};

void add_mask(split_index& s, array const& mask, int& axis, int source_axis, array const& a) {
    for (int d = 0; d < mask.ndim(); ++d)
        if (mask.shape[d] != 0 && mask.shape[d] != a.shape[source_axis + d])  // an empty axis chooses nothing of any
            throw index_error("boolean index did not match indexed array along axis " +
                              std::to_string(source_axis + d) + "; size of axis is " +
                              std::to_string(a.shape[source_axis + d]) + " but size of corresponding boolean axis is " +
                              std::to_string(mask.shape[d]));
    for (auto const& positions : nonzero(mask)) {
        s.arrays.push_back({axis, source_axis, positions});
        ++axis, ++source_axis;
    }
}

// A truth value alone indexes a new axis of length one: its position when true, none when false.
array positions_on_new_axis(array const& boolean, device where) {
    return full(where, make_dtype(type_id::int64), {item(boolean).bytes[0] ? 1 : 0}, plan_constant{});
}

split_index split(array const& a, std::span<index_entry const> index) {
    auto const full = expand(a, index);
    split_index out;
    dims shape, strides;
    std::int64_t offset = a.offset;
    int source = 0, last_array = -1, position = -1;
    for (auto const& e : full) {
        ++position;
        if (e.kind == what::ellipsis) continue;
        if (e.kind == what::new_axis) {
            shape.push_back(1), strides.push_back(0);
        } else if (e.kind == what::slice) {
            auto const r = resolve(e.slice, a.shape[source]);
            if (r.count > 0) offset += r.start * a.strides[source];
            shape.push_back(r.count), strides.push_back(r.step * a.strides[source]);
            ++source;
        } else if (e.kind == what::integer) {
            offset += checked(e.integer, a.shape[source], source) * a.strides[source];
            ++source;
        } else {
            if (last_array >= 0 && position != last_array + 1) out.together = false;
            last_array = position;
            int const before = source;
            int axis = shape.size();
            if (is_boolean(e.array.type.id) && e.array.ndim() == 0) {
                out.arrays.push_back({axis, source, positions_on_new_axis(e.array, a.where())});
                shape.push_back(1), strides.push_back(0);
            } else if (e.array.type.id == type_id::bool_) {
                add_mask(out, e.array, axis, source, a);
                source += e.array.ndim();
            } else {
                out.arrays.push_back({axis, source, e.array});
                ++source;
            }
            for (int k = before; k < source; ++k) shape.push_back(a.shape[k]), strides.push_back(a.strides[k]);
        }
    }
    if (shape.size() > max_dims)
        throw index_error("number of dimensions must be within [0, 64], indexing result would have " +
                          std::to_string(shape.size()));
    out.base = view(a, std::move(shape), std::move(strides), offset);
    return out;
}

// An index array on the device of `a`: one in host memory is copied there, any other has to be there already.
array alongside(array const& a, array const& i) {
    if (i.where() == a.where()) return i;
    if (!i.where().api->host_memory)
        throw type_error("cannot index an array on " + a.where().name() + " by one on " + i.where().name());
    array const dense = copy(i, 'C');
    evaluate(dense.memory());
    return from_host(a.where(), dense.memory()->data(), dense.type, dense.shape, dense.strides);
}

// The entries with their arrays on a's device. Integers next to arrays count as arrays of one element in NumPy: they
// decide where the indexed axes go.
std::vector<index_entry> entries_alongside(array const& a, std::span<index_entry const> index) {
    std::vector<index_entry> out(index.begin(), index.end());
    for (auto& e : out) {
        if (e.kind == what::array) e.array = alongside(a, e.array);
        if (e.kind != what::integer) continue;
        e.kind = what::array;
        e.array = from_host(a.where(), &e.integer, make_dtype(type_id::int64), {}, {});
    }
    return out;
}

// The iteration space of a gather or scatter and everything laid over it.
struct gather_frame {
    dims shape, base_strides;
    int first = 0, spread = 0;     // the axes of the positions
    std::vector<array> positions;  // int64
    std::vector<dims> position_strides;
    std::vector<plan_operand> index;
    std::vector<std::int64_t> step, size;
    std::vector<std::int32_t> axis;
};

// Whether a write to `written` might change `x` while it is read.
bool may_lie_in(array const& x, array const& written) {
    return x.memory() == written.memory() || (x.memory()->foreign() && written.memory()->foreign());
}

gather_frame frame_of(split_index const& s, array const* written = nullptr) {
    gather_frame f;
    std::vector<dims const*> shapes;
    for (auto const& p : s.arrays) shapes.push_back(&p.positions.shape);
    dims spread;
    try {
        spread = broadcast_shapes(shapes);
    } catch (value_error const&) {
        std::string text = "shape mismatch: indexing arrays could not be broadcast together with shapes";
        for (auto const* sh : shapes) text += " " + to_string(*sh);
        throw index_error(text + " ");
    }
    // The indexed axes take the position of the first one, or come first when others are between them.
    int const at = s.together ? s.arrays.front().axis : 0;
    std::vector<bool> indexed(static_cast<std::size_t>(s.base.ndim()), false);
    for (auto const& p : s.arrays) indexed[static_cast<std::size_t>(p.axis)] = true;
    int kept = 0;
    auto insert_spread = [&] {
        for (auto n : spread) f.shape.push_back(n), f.base_strides.push_back(0);
    };
    bool inserted = false;
    for (int d = 0; d <= s.base.ndim(); ++d) {
        if (!inserted && ((s.together && d == at) || (!s.together && kept == 0))) insert_spread(), inserted = true;
        if (d == s.base.ndim() || indexed[static_cast<std::size_t>(d)]) continue;
        f.shape.push_back(s.base.shape[d]), f.base_strides.push_back(s.base.strides[d]);
        ++kept;
    }
    std::int64_t elements = 1;
    bool some = true, countable = true;
    for (auto n : f.shape)
        some = some && n > 0, countable = countable && !__builtin_mul_overflow(elements, n, &elements);
    if (some && !countable) throw value_error("advanced indexing operation result is too large");
    int first = 0;
    if (s.together)
        for (int d = 0; d < at; ++d) first += !indexed[static_cast<std::size_t>(d)];
    f.first = first, f.spread = spread.size();
    for (auto const& p : s.arrays) {
        array positions = p.positions;
        if (!is_integer(positions.type.id))
            throw index_error("arrays used as indices must be of integer (or boolean) type");
        positions = astype(positions, make_dtype(type_id::int64), false);
        if (written && may_lie_in(positions, *written)) positions = copy(positions);
        dims const over = broadcast_strides(positions.shape, positions.strides, spread);
        dims strides(f.shape.size(), 0);
        for (int k = 0; k < spread.size(); ++k) strides[first + k] = over[k];
        f.positions.push_back(positions);
        f.position_strides.push_back(std::move(strides));
        f.step.push_back(s.base.strides[p.axis]);
        f.size.push_back(s.base.shape[p.axis]);
        f.axis.push_back(p.original);
    }
    return f;
}

// Where no element is moved no kernel checks the positions: NumPy checks them all the same.
void check_positions(gather_frame const& f) {
    for (auto const& p : f.positions)
        if (p.size() == 0) return;  // nor does NumPy where no position is left
    for (std::size_t k = 0; k < f.positions.size(); ++k) {
        auto const [least, most] = range_of(f.positions[k]);
        checked(least, f.size[k], f.axis[k]), checked(most, f.size[k], f.axis[k]);
    }
}

// Positions in the host's memory are checked before anything happens (design rule 1), those of a device with memory of
// its own when it reads them.
bool may_be_late(array const& a, std::span<index_entry const> index) {
    if (a.where().api->host_memory || !settings().late_index_errors) return false;
    for (auto const& e : index)
        if (e.kind == what::integer || (e.kind == what::array && !(e.array.where() == a.where()))) return false;
    return true;
}

// With `late`, a bad index is reported when the device is synchronized.
void run(algorithm_kind kind, gather_frame& f, array const& base, array const& other, bool late) {
    if (product(f.shape) == 0) return check_positions(f);
    bool const writes = kind == algorithm_kind::scatter;
    std::vector<storage*> read{writes ? other.memory() : base.memory()};
    for (auto const& p : f.positions) read.push_back(p.memory());
    auto const where = base.where();
    graph::memory_in_use const used(read, writes ? base.memory() : nullptr, late);
    for (std::size_t k = 0; k < f.positions.size(); ++k)
        f.index.push_back(
            {f.positions[k].memory()->data() + f.positions[k].offset, f.position_strides[k].data(), type_id::int64});
    gather_args g;
    g.ndim = f.shape.size(), g.shape = f.shape.data();
    g.base = base.memory()->data() + base.offset, g.base_strides = f.base_strides.data();
    g.nindex = static_cast<std::int32_t>(f.index.size());
    g.index = f.index.data(), g.index_step = f.step.data(), g.index_size = f.size.data(), g.index_axis = f.axis.data();
    dims const strides = broadcast_strides(other.shape, other.strides, f.shape);
    g.other = {other.memory()->data() + other.offset, strides.data(), other.type.id};
    g.itemsize = static_cast<std::int32_t>(base.itemsize());
    auto const check = late ? std::make_shared<index_check>(where) : nullptr;
    if (late) g.found_later = check->words();
    auto const st = device_calls::algorithm(where, kind, &g);
    if (st == status::index_error)
        throw index_error("index " + std::to_string(g.bad_value) + " is out of bounds for axis " +
                          std::to_string(g.bad_axis) + " with size " + std::to_string(g.bad_size));
    throw_if(st, where);
    if (!late) return;
    {
        graph_lock lock;
        storage* const to = writes ? base.memory() : other.memory();
        for (auto* s : read) index_errors::add(to->unsettled, s->unsettled);
        to->unsettled.push_back(check);
    }
    index_errors::expect(check);
}

bool is_single_mask(array const& a, std::span<index_entry const> index) {
    return index.size() == 1 && index[0].kind == what::array && index[0].array.type.id == type_id::bool_ &&
           index[0].array.shape == a.shape;
}

}  // namespace

bool is_basic(std::span<index_entry const> index) {
    for (auto const& e : index)
        if (e.kind == what::array) return false;
    return true;
}

array basic_index(array const& a, std::span<index_entry const> index) { return split(a, index).base; }

namespace {

// Axes from outermost to innermost as NumPy's result has them in memory: those of the positions first, then the rest in
// the base's order; positions alone keep their own order.
std::vector<int> axes_in_memory(gather_frame const& f) {
    std::vector<int> axes, rest;
    for (int d = 0; d < f.shape.size(); ++d) (d >= f.first && d < f.first + f.spread ? axes : rest).push_back(d);
    auto const in_memory = [](std::vector<int> const& which, std::vector<dims> const& strides) {
        std::vector<dims> own;
        std::vector<std::int64_t const*> rows;
        for (auto const& all : strides) {
            own.emplace_back();
            for (int const d : which) own.back().push_back(all[d]);
        }
        for (auto const& o : own) rows.push_back(o.data());
        std::vector<int> order(which.size()), out;
        memory_order(static_cast<int>(which.size()), rows.data(), static_cast<int>(rows.size()), order.data());
        for (int const k : order) out.push_back(which[static_cast<std::size_t>(k)]);
        return out;
    };
    if (rest.empty()) return in_memory(axes, f.position_strides);
    auto const inner = in_memory(rest, {f.base_strides});
    axes.insert(axes.end(), inner.begin(), inner.end());
    return axes;
}

array empty_in_order(array const& a, dims const& shape, std::vector<int> const& axes) {
    dims dense;
    std::vector<int> back(axes.size());
    for (std::size_t k = 0; k < axes.size(); ++k)
        dense.push_back(shape[axes[k]]), back[static_cast<std::size_t>(axes[k])] = static_cast<int>(k);
    return transpose(empty(a.where(), a.type, dense), back);
}

// Whether the array is in memory, contiguous, and no other owner can change it.
bool is_plain(array const& a) {
    storage const* const s = a.memory();
    return s->ready() && !s->running && !s->foreign() && !s->noncanonical_bools &&
           is_c_contiguous(a.shape, a.strides, a.itemsize());
}

// The few elements at positions along adjacent axes, from `axis` on, by the device's gather, without the preparations
// of the general call. Empty: there are too many elements, the arrays are not contiguous and in memory, or the
// positions are not of one shape.
std::optional<array> gather_few(array const& a, std::span<array const* const> positions, int axis) {
    auto const where = a.where();
    array const& first = *positions[0];
    int const last = axis + static_cast<int>(positions.size()), most = 4;
    std::int64_t rows = 1, unit = 1;
    for (int d = 0; d < axis; ++d) rows *= a.shape[d];
    for (int d = last; d < a.ndim(); ++d) unit *= a.shape[d];
    std::int64_t const count = first.size(), all = rows * count * unit, item = a.itemsize();
    bool const few = all > 0 && all < settings().eager_below && where.api->host_memory;
    if (!few || last - axis > most) return {};
    graph_lock lock;
    if (!is_plain(a)) return {};
    for (auto const* p : positions)
        if (p->type.id != type_id::int64 || !(p->where() == where) || !(p->shape == first.shape) || !is_plain(*p))
            return {};
    dims shape;
    for (int d = 0; d < axis; ++d) shape.push_back(a.shape[d]);
    for (int d = 0; d < first.ndim(); ++d) shape.push_back(first.shape[d]);
    for (int d = last; d < a.ndim(); ++d) shape.push_back(a.shape[d]);
    array r = empty(where, a.type, shape);
    // Dimensions of length one are left out.
    std::int64_t extents[3], base[3], index[3], to[3], step[most], size[most];
    std::int32_t number[most];
    plan_operand at[most];
    gather_args g;
    auto const add = [&](std::int64_t length, std::int64_t from, std::int64_t of_index, std::int64_t into) {
        if (length == 1 && !(of_index && rows == 1 && unit == 1)) return;
        extents[g.ndim] = length, base[g.ndim] = from, index[g.ndim] = of_index, to[g.ndim] = into;
        ++g.ndim;
    };
    std::int64_t below = unit;
    for (int d = last; d-- > axis;) {
        int const k = d - axis;
        step[k] = below * item, size[k] = a.shape[d], number[k] = d;
        at[k] = {positions[k]->memory()->data() + positions[k]->offset, index, type_id::int64};
        below *= a.shape[d];
    }
    add(rows, below * item, 0, count * unit * item);
    add(count, 0, first.itemsize(), unit * item);
    add(unit, item, 0, item);
    g.shape = extents, g.base = a.memory()->data() + a.offset, g.base_strides = base;
    g.nindex = last - axis, g.index = at, g.index_step = step, g.index_size = size, g.index_axis = number;
    g.other = {r.memory()->data() + r.offset, to, a.type.id}, g.itemsize = static_cast<std::int32_t>(item);
    auto const st = device_calls::algorithm(where, algorithm_kind::gather, &g);
    if (st == status::index_error) return {};  // the general call reports it
    throw_if(st, where);
    return r;
}

// a[i, j, ...] of several arrays of integers along the first axes; empty: another expression, or as above.
std::optional<array> gather_few(array const& a, std::span<index_entry const> index) {
    array const* positions[max_dims];
    if (index.size() < 2 || static_cast<int>(index.size()) > a.ndim()) return {};
    for (std::size_t k = 0; k < index.size(); ++k) {
        if (index[k].kind != what::array) return {};
        positions[k] = &index[k].array;
    }
    return gather_few(a, {positions, index.size()}, 0);
}

array gather(array const& given, std::span<index_entry const> index, bool in_c_order) {
    if (auto few = gather_few(given, index)) return *few;
    array const a = plain_booleans(given);
    auto const entries = entries_alongside(a, index);
    if (is_single_mask(a, entries) && a.ndim() > 0) {
        if (auto later = selection::wait(a, entries[0].array, entries[0].temporary)) return *later;
        return compress(a, entries[0].array);
    }
    auto const s = split(a, entries);
    auto f = frame_of(s);
    bool const plain = in_c_order || f.shape.size() < 2;
    array out = plain ? empty(a.where(), a.type, f.shape) : empty_in_order(a, f.shape, axes_in_memory(f));
    run(algorithm_kind::gather, f, s.base, out, may_be_late(a, index));
    return out;
}

// As many values as the mask of a's shape has true elements, or one.
void check_values(array const& values, std::int64_t selected) {
    if (values.size() != selected && values.size() != 1)
        throw value_error("NumPy boolean array indexing assignment cannot assign " + std::to_string(values.size()) +
                          " input values to the " + std::to_string(selected) + " output values where the mask is true");
}

// Assigns a[mask] = values by the device's own loop. Returns false where one value is given for a number of positions
// other than one.
bool expand(array const& a, array const& given_mask, array const& given) {
    array const mask = may_lie_in(given_mask, a) ? copy(given_mask) : given_mask;
    array values = astype(given, a.type, false);
    if (may_lie_in(values, a) || !is_c_contiguous(values.shape, values.strides, values.itemsize()))
        values = copy(values);
    storage* const read[] = {mask.memory(), values.memory()};
    graph::memory_in_use const used(read, a.memory());
    expand_args e;
    e.ndim = a.ndim(), e.shape = a.shape.data();
    e.mask = {mask.memory()->data() + mask.offset, mask.strides.data(), type_id::bool_};
    e.data = {a.memory()->data() + a.offset, a.strides.data(), a.type.id};
    e.itemsize = static_cast<std::int32_t>(a.itemsize());
    e.values = values.memory()->data() + values.offset, e.count = values.size();
    auto const where = a.where();
    throw_if(device_calls::algorithm(where, algorithm_kind::expand, &e), where);
    check_values(values, e.count);
    return e.count == values.size();
}

}  // namespace

array get_item(array const& a, std::span<index_entry const> index) {
    if (!is_basic(index)) return gather(a, index, false);
    array const part = basic_index(a, index);
    for (auto const& e : index)
        if (e.from_array) return copy(part);
    return part;
}

void set_item(array const& a, std::span<index_entry const> index, argument const& v) {
    if (!a.writeable) throw value_error("assignment destination is read-only");
    if (is_basic(index)) return assign(basic_index(a, index), v);
    if (v.a && !(v.a->where() == a.where()))
        throw type_error("cannot assign an array on " + v.a->where().name() + " to one on " + a.where().name());
    auto const entries = entries_alongside(a, index);
    bool const masked = is_single_mask(a, entries);
    if (masked && v.a && v.a->ndim() > 1)
        throw type_error("NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has " +
                         std::to_string(v.a->ndim()) + " dimensions");
    if (masked && v.a && v.a->ndim() == 1 && a.where().api->supports(algorithm_kind::expand, a.type.id) &&
        expand(a, entries[0].array, *v.a))
        return;
    if (masked && (!v.a || v.a->size() == 1)) {
        // a[mask] = scalar is one pass over a: where(mask, scalar, a). Errors of casting the value are reported under
        // the cast's name; `apply` reports those of Python's numbers itself.
        bool const strong = v.a || v.weak == weak_kind::strong;
        array one = v.a ? reshape_view_or_copy(*v.a, {}) : array();
        if (strong && !v.a) one = full(a.where(), make_dtype(v.type), {}, v.value);
        if (strong && one.type.id != a.type.id) one = astype(one, a.type);
        argument const args[] = {{&entries[0].array}, strong ? argument{&one} : v, {&a}};
        call_options o;
        o.type = a.type.id, o.rule = casting::unsafe, o.out = &a;
        apply(ops::number<ops::where>, args, o);
        return;
    }
    auto const s = split(a, entries);
    auto f = frame_of(s, &a);
    if (masked) check_values(*v.a, product(f.shape));
    array values = v.a ? *v.a : full(a.where(), make_dtype(v.type), {}, v.value);
    values = astype(values, a.type, false);
    bool fits = values.ndim() <= f.shape.size();
    for (int i = 0; fits && i < values.ndim(); ++i) {
        auto const n = values.shape[i], to = f.shape[f.shape.size() - values.ndim() + i];
        fits = n == to || n == 1;
    }
    while (!fits && values.ndim() > f.shape.size() && values.shape[0] == 1) {
        dims shape = values.shape, strides = values.strides;
        shape.erase(0), strides.erase(0);
        values = view(values, shape, strides, values.offset);
        fits = values.ndim() <= f.shape.size();
        for (int i = 0; fits && i < values.ndim(); ++i) {
            auto const n = values.shape[i];
            fits = n == f.shape[f.shape.size() - values.ndim() + i] || n == 1;
        }
    }
    if (!fits) {
        if (product(f.shape) > 0) check_positions(f);  // a wrong index is reported first
        throw value_error("shape mismatch: value array of shape " + to_string(values.shape) +
                          " could not be broadcast to indexing result of shape " + to_string(f.shape));
    }
    if (may_lie_in(values, a)) values = copy(values);
    run(algorithm_kind::scatter, f, s.base, values, may_be_late(a, index));
}

array take(array const& a, array const& positions, int given_axis) {
    int const axis = arguments::axis(given_axis, a.ndim());
    array const* const all[] = {&positions};
    if (auto few = gather_few(a, all, axis)) return *few;
    dims shape(a.shape.data(), axis);
    if (product(shape) == 0 && is_integer(positions.type.id)) {  // no element is taken, and no position is checked
        for (auto n : positions.shape) shape.push_back(n);
        for (int d = axis + 1; d < a.ndim(); ++d) shape.push_back(a.shape[d]);
        return empty(a.where(), a.type, shape);
    }
    std::vector<index_entry> index(static_cast<std::size_t>(axis) + 1);
    for (auto& e : index) e.kind = what::slice;
    index.back().kind = what::array;
    index.back().array = positions;
    return gather(a, index, true);
}

bool put(array const& a, array const& positions, array const& values) {
    auto const line = reshape_view(a, {a.size()});
    if (!line) return false;
    bool const one = values.size() == 1;
    array const p = reshape_view_or_copy(positions, {positions.size()}),
                v = reshape_view_or_copy(values, one ? dims{} : dims{values.size()});
    plan_constant element{};
    if (one && v.type == a.type && eager::read(v, v.offset, element) ? eager::scatter(*line, p, &element, nullptr)
                                                                     : !one && eager::scatter(*line, p, nullptr, &v))
        return true;
    index_entry at;
    at.kind = what::array, at.array = p;
    set_item(*line, {&at, 1}, {&v});
    return true;
}

std::optional<array> choose(array const& numbers, std::span<array const> choices) {
    auto const n = static_cast<std::int64_t>(choices.size());
    if (auto const [least, most] = range_of(numbers); least < 0 || most >= n) return {};
    array r = choices[0];
    for (std::int64_t k = 1; k < n; ++k) {
        argument const number{nullptr, {.i64 = k}, type_id::int64, weak_kind::integer};
        array const here = apply(ops::number<ops::equal>, numbers, number);
        argument const args[] = {{&here}, {&choices[static_cast<std::size_t>(k)]}, {&r}};
        r = apply(ops::number<ops::where>, args);
    }
    dims const* const shapes[] = {&numbers.shape, &r.shape};
    return n > 1 ? r : copy(broadcast_to(r, broadcast_shapes(shapes)), 'C');
}

}  // namespace bascule

namespace bascule::arguments {

void positions(array const& p, std::int64_t least, std::int64_t end, char const* who) {
    type(p, types::integers, who);
    rank(p, 1, who);
    if (p.size() == 0) return;
    auto const range = range_of(p);
    for (std::int64_t const v : {range.least, range.most})
        if (v < least || v >= end)
            throw index_error(std::string("[") + who + "] index " + std::to_string(v) + " is out of bounds for size " +
                              std::to_string(end));
}

}  // namespace bascule::arguments
