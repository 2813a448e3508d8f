// Plans built by hand over the caller's memory: owns the memory to which the plan points, except the elements.
#pragma once
#include <cstring>
#include <deque>
#include <vector>

#include "bascule/core/backend.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::testing {

using extents = std::vector<std::int64_t>;

class plan_builder {
public:
    explicit plan_builder(extents shape, std::vector<std::uint8_t> reduced = {})
        : shape(std::move(shape)), reduced(std::move(reduced)) {}
    plan_builder(plan_builder&&) = default;  // a copy's operands would point at the original's strides
    plan_builder& operator=(plan_builder&&) = default;

    int load(void const* base, type_id t, extents strides) {
        operands_.push_back({const_cast<void*>(base), keep(std::move(strides)), t});
        return add({.kind = value_kind::load, .dtype = t, .operand = last(operands_)});
    }
    int flat(void const* base, type_id t) { return load(base, t, c_strides(t)); }
    int constant(type_id t, plan_constant const& c) {
        constants_.push_back(c);
        return add({.kind = value_kind::constant, .dtype = t, .operand = last(constants_)});
    }
    template <class T> int constant(T const& value) {
        plan_constant c{};
        std::memcpy(c.bytes, &value, sizeof value);
        return constant(id_of<T>::value, c);
    }
    int iota(std::int64_t start, extents strides) {
        iotas_.push_back({start, keep(std::move(strides))});
        return add({.kind = value_kind::iota, .dtype = type_id::int64, .operand = last(iotas_)});
    }
    int op(int number, type_id result, std::vector<int> const& args, std::uint8_t check = 0) {
        plan_value v{.kind = value_kind::op,
                     .dtype = result,
                     .nargs = static_cast<std::uint8_t>(args.size()),
                     .check = check,
                     .op = static_cast<std::uint16_t>(number)};
        for (std::size_t k = 0; k < args.size(); ++k) v.args[k] = static_cast<std::uint16_t>(args[k]);
        return add(v);
    }
    int op(char const* name, type_id result, std::vector<int> const& args, std::uint8_t check = 0) {
        return op(ops::find(name), result, args, check);
    }
    int cast(int v, type_id to, std::uint8_t check = 0) { return op(ops::find("cast"), to, {v}, check); }
    void store(int value, void* base, extents strides) {
        stores_.push_back({static_cast<std::uint16_t>(value), {base, keep(std::move(strides)), type_of(value)}});
    }
    void store_flat(int value, void* base) { store(value, base, c_strides(type_of(value))); }
    void reduce(int aggregate, int value, void* base, type_id t, extents strides, double ddof = 0) {
        reductions_.push_back({static_cast<std::uint16_t>(aggregate),
                               static_cast<std::uint16_t>(value),
                               {base, keep(std::move(strides)), t},
                               ddof});
    }
    // Checks all reductions for errors of their own arithmetic.
    void check_reductions(std::uint8_t bits) {
        for (auto& r : reductions_) r.check = bits;
    }

    plan get(std::uint32_t* flags = nullptr) const {
        plan p;
        p.ndim = static_cast<std::int32_t>(shape.size());
        p.shape = shape.data();
        p.reduced = reduced.empty() ? nullptr : reduced.data();
        p.run_dims = run_dims;
        p.operands = operands_.data(), p.noperands = count(operands_);
        p.constants = constants_.data(), p.nconstants = count(constants_);
        p.iotas = iotas_.data(), p.niotas = count(iotas_);
        p.values = values.data(), p.nvalues = count(values);
        p.stores = stores_.data(), p.nstores = count(stores_);
        p.reductions = reductions_.data(), p.nreductions = count(reductions_);
        p.fp_flags = flags;
        return p;
    }
    type_id type_of(int v) const { return values[static_cast<std::size_t>(v)].dtype; }
    unsigned char const* constant_bytes(int i) const { return constants_[static_cast<std::size_t>(i)].bytes; }
    // Moves an output to other memory, so that two devices can run the same plan.
    void move_store(std::size_t k, void* base) { stores_[k].out.base = base; }
    void move_reduction(std::size_t k, void* base) { reductions_[k].out.base = base; }

    extents shape;
    std::vector<std::uint8_t> reduced;  // empty: nothing is reduced
    int run_dims = 1;
    std::vector<plan_value> values;

private:
    template <class V> static std::uint16_t count(V const& v) { return static_cast<std::uint16_t>(v.size()); }
    template <class V> static std::uint16_t last(V const& v) { return static_cast<std::uint16_t>(v.size() - 1); }
    int add(plan_value const& v) {
        values.push_back(v);
        return static_cast<int>(values.size()) - 1;
    }
    extents c_strides(type_id t) const {
        extents s(shape.size());
        std::int64_t step = itemsize(t);
        for (std::size_t d = shape.size(); d-- > 0; step *= shape[d]) s[d] = step;
        return s;
    }
    std::int64_t const* keep(extents s) {
        if (s.empty()) s.push_back(0);
        kept_.push_back(std::move(s));
        return kept_.back().data();
    }

    std::deque<extents> kept_;
    std::vector<plan_operand> operands_;
    std::vector<plan_constant> constants_;
    std::vector<plan_iota> iotas_;
    std::vector<plan_store> stores_;
    std::vector<plan_reduction> reductions_;
};

}  // namespace bascule::testing
