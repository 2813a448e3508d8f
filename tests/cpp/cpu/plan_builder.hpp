// Plans built by hand, for tests: owns what the plan points at.
#pragma once
#include <cstring>
#include <deque>
#include <vector>

#include "bascule/core/backend.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::test {

class plan_builder {
public:
    explicit plan_builder(std::vector<std::int64_t> shape) : shape_(std::move(shape)) {}

    int load(void const* base, type_id t, std::vector<std::int64_t> strides) {
        operands_.push_back({const_cast<void*>(base), keep(std::move(strides)), t});
        return add({value_kind::load, t, 0, 0, 0, static_cast<std::uint16_t>(operands_.size() - 1), {}});
    }
    int flat(void const* base, type_id t) { return load(base, t, contiguous(itemsize(t))); }
    template <class T> int constant(T x) {
        plan_constant c{};
        std::memcpy(c.bytes, &x, sizeof x);
        constants_.push_back(c);
        return add({value_kind::constant, id_of<T>::value, 0, 0, 0, static_cast<std::uint16_t>(constants_.size() - 1), {}});
    }
    int iota(std::int64_t start, std::vector<std::int64_t> strides) {
        iotas_.push_back({start, keep(std::move(strides))});
        return add({value_kind::iota, type_id::int64, 0, 0, 0, static_cast<std::uint16_t>(iotas_.size() - 1), {}});
    }
    int op(int number, type_id result, std::vector<int> args, std::uint8_t check = 0) {
        plan_value v{value_kind::op, result, static_cast<std::uint8_t>(args.size()), check, static_cast<std::uint16_t>(number), 0, {}};
        for (std::size_t k = 0; k < args.size(); ++k) v.args[k] = static_cast<std::uint16_t>(args[k]);
        return add(v);
    }
    int op(char const* name, type_id result, std::vector<int> args, std::uint8_t check = 0) {
        return op(ops::find(name), result, std::move(args), check);
    }
    int cast(int v, type_id to, std::uint8_t check = 0) { return op(ops::find("cast"), to, {v}, check); }
    void store(int value, void* base, std::vector<std::int64_t> strides) {
        stores_.push_back({static_cast<std::uint16_t>(value), {base, keep(std::move(strides)), type_of(value)}});
    }
    void store_flat(int value, void* base) { store(value, base, contiguous(itemsize(type_of(value)))); }
    void reduce(int aggregate, int value, void* base, type_id t, std::vector<std::int64_t> strides, double ddof = 0) {
        reductions_.push_back({static_cast<std::uint16_t>(aggregate), static_cast<std::uint16_t>(value), {base, keep(std::move(strides)), t}, ddof});
    }
    void reduced(std::vector<std::uint8_t> mask, int run_dims = 1) {
        reduced_ = std::move(mask);
        run_dims_ = run_dims;
    }
    type_id type_of(int v) const { return values_[static_cast<std::size_t>(v)].dtype; }
    std::vector<std::int64_t> contiguous(int item) const {
        std::vector<std::int64_t> s(shape_.size());
        std::int64_t step = item;
        for (std::size_t d = shape_.size(); d-- > 0; step *= shape_[d]) s[d] = step;
        return s;
    }
    plan get(std::uint32_t* flags = nullptr) const {
        plan p;
        p.ndim = static_cast<std::int32_t>(shape_.size());
        p.shape = shape_.data();
        p.reduced = reduced_.empty() ? nullptr : reduced_.data();
        p.run_dims = run_dims_;
        p.operands = operands_.data();
        p.constants = constants_.data();
        p.iotas = iotas_.data();
        p.values = values_.data();
        p.stores = stores_.data();
        p.reductions = reductions_.data();
        p.noperands = static_cast<std::uint16_t>(operands_.size());
        p.nconstants = static_cast<std::uint16_t>(constants_.size());
        p.niotas = static_cast<std::uint16_t>(iotas_.size());
        p.nvalues = static_cast<std::uint16_t>(values_.size());
        p.nstores = static_cast<std::uint16_t>(stores_.size());
        p.nreductions = static_cast<std::uint16_t>(reductions_.size());
        p.fp_flags = flags;
        return p;
    }
    std::size_t size() const { return values_.size(); }
    // Moves an output elsewhere, so that two devices can run the same plan.
    void move_store(std::size_t k, void* base) { stores_[k].out.base = base; }
    void move_reduction(std::size_t k, void* base) { reductions_[k].out.base = base; }

private:
    int add(plan_value v) {
        values_.push_back(v);
        return static_cast<int>(values_.size()) - 1;
    }
    std::int64_t const* keep(std::vector<std::int64_t> s) {
        if (s.empty()) s.push_back(0);
        kept_.push_back(std::move(s));
        return kept_.back().data();
    }

    std::vector<std::int64_t> shape_;
    std::vector<std::uint8_t> reduced_;
    int run_dims_ = 1;
    std::deque<std::vector<std::int64_t>> kept_;
    std::vector<plan_operand> operands_;
    std::vector<plan_constant> constants_;
    std::vector<plan_iota> iotas_;
    std::vector<plan_value> values_;
    std::vector<plan_store> stores_;
    std::vector<plan_reduction> reductions_;
};

}  // namespace bascule::test
