#include "bascule/array/block_program.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "bascule/array/graph.hpp"
#include "bascule/array/joins.hpp"
#include "bascule/array/linalg.hpp"
#include "bascule/core/error.hpp"
#include "dense.hpp"

namespace bascule {

using value = block_program::value;

namespace {

array const& at(std::span<array const> values, value v) { return values[static_cast<std::size_t>(v)]; }

}  // namespace

// A step is the last to use the values it reads, until a later step reads them again.
value block_program::add(std::vector<value> const& reads, std::function<array(values)> perform) {
    auto const n = static_cast<value>(steps_.size());
    step s{std::move(perform), {}};
    for (value const v : reads) {
        if (v < 0 || v >= n) throw value_error("[block_program] a step reads a value that does not exist yet");
        for (step& earlier : steps_) std::erase(earlier.ends, v);
        if (std::find(s.ends.begin(), s.ends.end(), v) == s.ends.end()) s.ends.push_back(v);
    }
    steps_.push_back(std::move(s));
    return n;
}

value block_program::input() {
    inputs_.push_back(add({}, nullptr));
    return inputs_.back();
}
value block_program::constant(array a) {
    elements_ = std::max(elements_, a.size());
    return add({}, [a = std::move(a)](values) { return a; });
}
value block_program::apply(std::uint16_t op, std::vector<operand> operands, std::optional<type_id> loop) {
    std::vector<value> reads;
    for (operand const& o : operands)
        if (value const* v = std::get_if<value>(&o)) reads.push_back(*v);
    return add(reads, [op, operands = std::move(operands), loop](values of) {
        std::vector<argument> arguments(operands.size());
        for (std::size_t i = 0; i < operands.size(); ++i) {
            argument& a = arguments[i];
            if (value const* v = std::get_if<value>(&operands[i])) {
                a.a = &at(of, *v);
            } else {
                scalar const& s = std::get<scalar>(operands[i]);
                a.value = s.constant, a.type = s.type, a.weak = s.weak;
            }
        }
        call_options options;
        options.type = loop;
        return bascule::apply(op, arguments, options);
    });
}
value block_program::cast(value from, dtype to) {
    return add({from}, [from, to](values of) { return astype(at(of, from), to, false); });
}
value block_program::index(value from, std::vector<index_entry> key) {
    if (!is_basic(key)) throw value_error("[block_program] index: integers, slices, None and ... are known");
    return add({from}, [from, key = std::move(key)](values of) { return basic_index(at(of, from), key); });
}
value block_program::reduce(std::uint16_t aggregate, value from, std::uint64_t axes, bool keepdims,
                            std::optional<type_id> type) {
    aggregation_options options;
    options.axes = axes;
    options.keepdims = keepdims;
    options.type = type;
    return add({from}, [aggregate, from, options](values of) { return reduce_with(aggregate, at(of, from), options); });
}
value block_program::concatenate(std::vector<value> parts, int axis) {
    return add(parts, [parts, axis](values of) {
        std::vector<array> arrays;
        for (value const v : parts) arrays.push_back(at(of, v));
        return bascule::concatenate(arrays, axis);
    });
}
value block_program::reshape(value from, dims shape) {
    return add({from},
               [from, shape = std::move(shape)](values of) { return reshape_view_or_copy(at(of, from), shape); });
}
value block_program::transpose(value from, std::vector<int> axes) {
    return add({from}, [from, axes = std::move(axes)](values of) { return bascule::transpose(at(of, from), axes); });
}
value block_program::product(value a, value b) {
    return add({a, b}, [a, b](values of) { return bascule::product(product_form::matmul, at(of, a), at(of, b)); });
}

void block_program::output(value v, bool scalar) {
    if (v < 0 || v >= static_cast<value>(steps_.size())) throw value_error("[block_program] the output does not exist");
    for (step& s : steps_) std::erase(s.ends, v);
    outputs_.push_back(v);
    scalars_.push_back(scalar);
}

std::vector<array> block_program::run(std::span<array const> inputs, bool computed) const {
    if (inputs.size() != inputs_.size())
        throw value_error("[block_program] takes " + std::to_string(inputs_.size()) + " inputs, got " +
                          std::to_string(inputs.size()));
    std::vector<array> all(steps_.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) all[static_cast<std::size_t>(inputs_[i])] = inputs[i];
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (steps_[i].perform) all[i] = steps_[i].perform(all);
        for (value const v : steps_[i].ends) all[static_cast<std::size_t>(v)] = array();
    }
    std::vector<array> results;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        array& r = results.emplace_back(at(all, outputs_[i]));
        r.scalar = r.scalar || scalars_[i];
    }
    all.clear();
    if (computed) evaluate(results);
    return results;
}

std::vector<array> block_program::run_rows(std::span<array const> rows, std::span<array const> whole, std::int64_t step,
                                           std::int64_t first, std::int64_t count) const {
    if (step < 1 || first < 0 || count < 1) throw value_error("[block_program] there is no such block");
    for (array const& r : rows)
        if (r.ndim() < 1 || r.shape[0] < (first + count) * step)
            throw value_error("[block_program] an input has fewer rows than the blocks");
    std::vector<array> stacked;
    std::vector<array> inputs(rows.size() + whole.size());
    std::copy(whole.begin(), whole.end(), inputs.begin() + static_cast<std::ptrdiff_t>(rows.size()));
    for (std::int64_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < rows.size(); ++i) inputs[i] = part_of(rows[i], 0, (first + k) * step, step);
        std::vector<array> const results = run(inputs);
        for (std::size_t i = 0; i < results.size(); ++i) {
            array const& r = results[i];
            dims shape{count};
            for (auto n : r.shape) shape.push_back(n);
            if (k == 0) stacked.push_back(empty(r.where(), r.type, shape));
            dims one = shape;
            one[0] = 1;
            write(part_of(stacked[i], 0, k, 1), reshape_view_or_copy(r, one));
        }
    }
    return stacked;
}

}  // namespace bascule
