#include "backend/cuda/engine/run_by_ops.hpp"

#include <algorithm>
#include <optional>

#include "backend/cuda/driver/failure.hpp"

namespace bascule::cuda {
namespace {

// One op of a plan, a store or a reduction, as a plan of its own over the same space. Its source is that of a program
// that consists of this op alone: its operands come first, in the order of its arguments. The op keeps its number, a
// reduction its own behind all values, so that floating-point errors go to the same words.
class plan_part {
public:
    explicit plan_part(plan const& whole) : whole_(whole), values_(whole.nvalues + whole.nreductions), part_(whole) {
        for (plan_value& v : values_) v = {.kind = value_kind::constant};
        part_.nreductions = part_.nstores = 0;
        part_.noperands = part_.niotas = 0;
        part_.values = values_.data();
    }
    plan_part(plan_part const&) = delete;
    plan_part& operator=(plan_part const&) = delete;

    // The value `v` in this part: an operand of the plan, a constant, an iota, or `kept`, where it was stored before.
    std::uint16_t read(int v, plan_operand const& kept) {
        auto const known = std::find(read_.begin(), read_.end(), v);
        auto const place = static_cast<std::uint16_t>(known - read_.begin());
        if (known != read_.end()) return place;
        read_.push_back(v);
        plan_value value = whole_.values[v];
        value.check = 0;
        if (value.kind == value_kind::iota) {
            iotas_.push_back(whole_.iotas[value.operand]);
            value.operand = static_cast<std::uint16_t>(iotas_.size() - 1);
        } else if (value.kind != value_kind::constant) {
            operands_.push_back(value.kind == value_kind::load ? whole_.operands[value.operand] : kept);
            value.kind = value_kind::load;
            value.operand = static_cast<std::uint16_t>(operands_.size() - 1);
        }
        values_[place] = value;
        return place;
    }
    void compute(int v, plan_operand const& out, auto&& kept) {
        plan_value value = whole_.values[v];
        for (int k = 0; k < value.nargs; ++k) value.args[k] = read(value.args[k], kept(value.args[k]));
        values_[static_cast<std::size_t>(v)] = value;
        store(static_cast<std::uint16_t>(v), out);
    }
    void store(std::uint16_t value, plan_operand const& out) {
        store_ = {value, out};
        part_.stores = &store_, part_.nstores = 1;
        part_.reduced = nullptr;
    }
    void reduce(int which, plan_operand const& kept) {
        reduction_ = whole_.reductions[which];
        reduction_.value = read(reduction_.value, kept);
        part_.reductions = &reduction_, part_.nreductions = 1;
        part_.nvalues = static_cast<std::uint16_t>(whole_.nvalues + which);
    }
    plan const& get() {
        part_.operands = operands_.data(), part_.noperands = static_cast<std::uint16_t>(operands_.size());
        part_.iotas = iotas_.data(), part_.niotas = static_cast<std::uint16_t>(iotas_.size());
        return part_;
    }

private:
    plan const& whole_;
    std::vector<plan_value> values_;
    std::vector<int> read_;
    std::vector<plan_operand> operands_;
    std::vector<plan_iota> iotas_;
    plan_store store_;
    plan_reduction reduction_;
    plan part_;
};

class ops_of_plan {
public:
    ops_of_plan(device& d, plan const& p, stream_handle stream)
        : d_(d), plan_(p), stream_(stream), strides_(static_cast<std::size_t>(p.ndim)), memory_(p.nvalues),
          last_use_(p.nvalues, -1) {
        for (int i = p.ndim - 1; i >= 0; size_ *= p.shape[i--]) strides_[static_cast<std::size_t>(i)] = size_;
        find_ops();
    }

    // The memory that would be used if none of it were freed early.
    std::int64_t bytes() const {
        std::int64_t sum = 0;
        for (int const v : ops_) sum += size_ * itemsize(plan_.values[v].dtype);
        return sum;
    }
    // Of several stores, one of a value that was only read may overwrite an operand of another.
    bool stores_follow_reads() const {
        auto const computed = [this](plan_store const& s) { return is_op(s.value); };
        return plan_.nstores < 2 || std::all_of(plan_.stores, plan_.stores + plan_.nstores, computed);
    }
    bool kernels_are_there() {
        bool all = true;
        each_part([&](plan const& part) {
            plan_passes const passes(d_, part, stream_);
            all = all && (passes.empty() || d_.kernels().is_there(passes.unit()));
            return all;
        });
        return all;
    }
    void run() {
        runs_ = true;
        each_part([&](plan const& part) {
            plan_passes(d_, part, stream_).launch();
            return true;
        });
    }

private:
    bool is_op(int v) const { return plan_.values[v].kind == value_kind::op; }
    void find_ops();
    // The only store takes the last value as it comes: nothing that it may write over is read afterwards.
    bool stores_at_once(int v) const {
        return plan_.nreductions == 0 && plan_.nstores == 1 && plan_.stores[0].value == v && v == ops_.back();
    }
    // Where a computed value is kept: densely, over the plan's space.
    plan_operand kept(int v) {
        auto const u = static_cast<std::size_t>(v);
        type_id const t = plan_.values[v].dtype;
        strides_of_.push_back(strides_);
        for (std::int64_t& s : strides_of_.back()) s *= itemsize(t);
        if (runs_ && is_op(v) && !memory_[u]) memory_[u].emplace(d_, size_ * itemsize(t), stream_);
        return {memory_[u] ? memory_[u]->get() : nullptr, strides_of_.back().data(), t};
    }
    // f(plan of one op), for all in turn; it says whether to go on.
    template <class F> void each_part(F&& f);

    device& d_;
    plan const& plan_;
    stream_handle stream_;
    std::int64_t size_ = 1;
    bool runs_ = false;
    extents strides_;                             // in elements
    std::vector<extents> strides_of_;             // of the part at hand
    std::vector<std::optional<scratch>> memory_;  // of values that others still read
    std::vector<int> last_use_;                   // the op that reads a value last
    std::vector<int> ops_;
};

void ops_of_plan::find_ops() {
    std::vector<int> roots;
    for (int s = 0; s < plan_.nstores; ++s) roots.push_back(plan_.stores[s].value);
    for (int r = 0; r < plan_.nreductions; ++r) roots.push_back(plan_.reductions[r].value);
    for (int v = 0; v < plan_.nvalues; ++v)
        if (is_checked(plan_, plan_.values[v])) roots.push_back(v);
    std::vector<bool> const needed = live_values(plan_, roots);
    for (int v = 0; v < plan_.nvalues; ++v) {
        if (!needed[static_cast<std::size_t>(v)] || !is_op(v)) continue;
        ops_.push_back(v);
        for (int k = 0; k < plan_.values[v].nargs; ++k) last_use_[plan_.values[v].args[k]] = v;
    }
    for (int s = 0; s < plan_.nstores; ++s) last_use_[plan_.stores[s].value] = plan_.nvalues;
    for (int r = 0; r < plan_.nreductions; ++r) last_use_[plan_.reductions[r].value] = plan_.nvalues;
}

template <class F> void ops_of_plan::each_part(F&& f) {
    auto const one = [&](auto&& fill) {
        strides_of_.clear();
        plan_part part(plan_);
        fill(part);
        return f(part.get());
    };
    for (int const v : ops_) {
        bool const direct = stores_at_once(v);
        bool const goes_on = one([&](plan_part& part) {
            part.compute(v, direct ? plan_.stores[0].out : kept(v), [&](int argument) { return kept(argument); });
        });
        if (!goes_on) return;
        for (int k = 0; k < plan_.values[v].nargs; ++k)
            if (int const a = plan_.values[v].args[k]; last_use_[a] == v) memory_[a].reset();
        if (last_use_[v] < 0) memory_[static_cast<std::size_t>(v)].reset();
        if (direct) return;
    }
    for (int r = 0; r < plan_.nreductions; ++r)
        if (!one([&](plan_part& part) { part.reduce(r, kept(plan_.reductions[r].value)); })) return;
    for (int s = 0; s < plan_.nstores; ++s) {
        plan_store const& store = plan_.stores[s];
        if (!one([&](plan_part& part) { part.store(part.read(store.value, kept(store.value)), store.out); })) return;
    }
}

}  // namespace

// It does not pay for large arrays: the extra memory and time would exceed those of a compilation.
bool run_by_ops(device& d, plan const& p, stream_handle stream) {
    constexpr std::int64_t most_bytes = std::int64_t{256} << 20;
    ops_of_plan ops(d, p, stream);
    if (ops.bytes() > most_bytes || !ops.stores_follow_reads() || !ops.kernels_are_there()) return false;
    try {
        ops.run();
    } catch (failure const& f) {
        // Memory is taken before anything that is seen is written, but by reductions: these write results alone.
        if (f.code != status::out_of_memory) throw;
        return false;
    }
    return true;
}

}  // namespace bascule::cuda
