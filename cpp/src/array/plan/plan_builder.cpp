#include "plan_builder.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "bascule/array/overlap.hpp"
#include "bascule/ops/table.hpp"

namespace bascule {
namespace {

// A value whose recomputation costs less than a store and a load is never stored for its own sake (rule 9): one float64
// store and reload from memory takes as long as about eight additions in cache.
constexpr float store_cost = 8;
// The same within a core's caches.
constexpr float near_store_cost = 3;

bool cheap_to_repeat(pending_operation const& op, float than = store_cost) {
    return !op.runs_apart() && op.cost <= than;
}

// A plan that computes several results: beyond this, registers of the CPU's blocks leave its second cache.
constexpr std::size_t most_joined_values = 64, most_joined_operands = 24;

bool same_bits(plan_constant const& a, plan_constant const& b, type_id t) {
    return std::memcmp(a.bytes, b.bytes, static_cast<std::size_t>(itemsize(t))) == 0;
}

constexpr auto cast_op = ops::number<ops::cast>;

constexpr std::size_t most_spare = 4;

}  // namespace

// Never destroyed, as the graph itself is not.
static std::vector<plan_parts>& spare_parts() {
    static auto* const spare = [] {
        auto* const made = new std::vector<plan_parts>;
        made->reserve(most_spare);
        return made;
    }();
    return *spare;
}

plan_parts plan_parts::take() {
    auto& spare = spare_parts();
    if (spare.empty()) return {};
    plan_parts last = std::move(spare.back());
    spare.pop_back();
    return last;
}

void plan_parts::give_back() noexcept {
    auto& spare = spare_parts();
    if (spare.size() == most_spare) return;
    values_.clear(), operands_.clear(), outputs_.clear(), reduction_outputs_.clear(), constants_.clear(),
        iotas_.clear();
    stores_.clear(), reductions_.clear(), known_.clear(), extras_.clear(), inlined_.clear(), read_.clear();
    checked_.clear(), flags_.clear(), reduced_.clear(), plan_strides_.clear(), plan_operands_.clear();
    plan_iotas_.clear();
    spare.push_back(std::move(*this));
}

int plan_builder::push(plan_value v) {
    values_.push_back(v);
    return static_cast<int>(values_.size()) - 1;
}

int plan_builder::block_on(storage* s) {
    if (!blocked_) blocked_ = s;
    return -1;
}

int plan_builder::cast(int value, type_id to) {
    if (value < 0 || values_[static_cast<std::size_t>(value)].dtype == to) return value;
    plan_value v;
    v.op = cast_op, v.dtype = to, v.nargs = 1, v.args[0] = static_cast<std::uint16_t>(value);
    type_id const from = values_[static_cast<std::size_t>(value)].dtype;
    int const made = push(v);
    if (checking_) check(made, checking_, errstate::of_cast(from, to, checking_->pending->check));
    return made;
}

void plan_builder::check(int value, storage* node, std::uint8_t asked, bool reduces, int count) {
    if (!asked) return;
    auto const& op = *node->pending;
    for (int k = 0; k < count && !reduces; ++k) values_[static_cast<std::size_t>(value + k)].check |= asked;
    checked_.push_back({value,
                        node,
                        {.order = op.order, .line = op.line, .op = op.named, .how = op.how, .fp_errors = asked},
                        reduces,
                        count});
}

void plan_builder::check(int value, errstate::finding const& f) {
    if (!f.fp_errors) return;
    values_[static_cast<std::size_t>(value)].check |= f.fp_errors;
    checked_.push_back({value, nullptr, f, false});
}

std::unique_ptr<late_fp_flags::claim> plan_builder::leave_fp_flags_on(device where) {
    if (where.api->host_memory || checked_.empty()) return nullptr;
    std::vector<late_fp_flags::expectation> expected;
    for (auto const& c : checked_) {
        if (c.finding.line == 0) return nullptr;  // the call at hand is reported
        expected.push_back({c.value + (c.reduces ? plan_.nvalues : 0), c.count, c.finding});
    }
    auto claimed = std::make_unique<late_fp_flags::claim>(where, flags_.size(), expected);
    plan_.fp_flags = claimed->words();
    return claimed;
}

void plan_builder::report_fp_errors() {
    for (auto const& c : checked_) {
        auto f = c.finding;
        auto const* const flags = flags_.data() + c.value + (c.reduces ? plan_.nvalues : 0);
        f.fp_errors &= static_cast<std::uint8_t>(std::accumulate(flags, flags + c.count, 0u, std::bit_or<>()));
        if (!f.fp_errors) continue;
        errstate::report(f);
        if (!c.node) continue;
        if (auto* const op = c.node->pending.get(); op && op->order == f.order) op->check &= ~f.fp_errors;
    }
}

int plan_builder::value(operand const& from) {
    plan_value v;
    v.dtype = from.type;
    if (from.from == operand::source::memory) return cast(load(from), from.as);
    if (from.from == operand::source::iota) {
        v.kind = value_kind::iota, v.operand = static_cast<std::uint16_t>(iotas_.size());
        iotas_.push_back({from.offset, from.strides});
        return cast(push(v), from.as);
    }
    return constant(cast_constant(from.value, from.type, from.as), from.as);
}

int plan_builder::constant(plan_constant const& x, type_id t) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
        auto const& v = values_[i];
        if (v.kind == value_kind::constant && v.dtype == t && same_bits(constants_[v.operand], x, t))
            return static_cast<int>(i);
    }
    plan_value v;
    v.kind = value_kind::constant, v.dtype = t, v.operand = static_cast<std::uint16_t>(constants_.size());
    constants_.push_back(x);
    return push(v);
}

plan_builder::sizes plan_builder::measured() const {
    return {values_.size(), operands_.size(), constants_.size(), iotas_.size(),  known_.size(),
            extras_.size(), inlined_.size(),  read_.size(),      checked_.size()};
}

void plan_builder::cut_back(sizes const& to) {
    values_.resize(to.values), operands_.resize(to.operands), constants_.resize(to.constants);
    iotas_.resize(to.iotas), known_.resize(to.known), extras_.resize(to.extras), inlined_.resize(to.inlined);
    read_.resize(to.read), checked_.resize(to.checked);
    blocked_ = nullptr;
}

bool plan_builder::fits(sizes const& before, std::size_t most_values) const {
    return values_.size() <= std::max(before.values, most_values) &&
           operands_.size() <= std::max(before.operands, most_joined_operands);
}

int plan_builder::value_alongside(operand const& from) {
    sizes const before = measured();
    int const v = value(from);
    if (v >= 0 && fits(before, most_joined_values) && extras_.size() == before.extras) return v;
    cut_back(before);
    return -1;
}

bool plan_builder::result_alongside(storage* s) {
    sizes const before = measured();
    int const v = inline_pending(s, 0, s->strides);
    bool const fit = v >= 0 && fits(before, max_plan_values - 4);
    if (fit && !is_stored(s)) extras_.push_back({s, v, s->strides});
    if (fit && extras_.size() <= max_plan_outputs / 2) return true;
    cut_back(before);
    return false;
}

bool plan_builder::saves_work_of(pending_operation const& op) const {
    bool saves = false;
    each_below(op, [&](storage const* m) {
        if (saves || !m->pending || m->pending->runs_apart()) return false;
        if (!contains(m)) return true;
        saves = !cheap_to_repeat(*m->pending);
        return false;
    });
    return saves;
}

bool plan_builder::contains(storage const* s) const {
    return std::find(inlined_.begin(), inlined_.end(), s) != inlined_.end() ||
           std::any_of(read_.begin(), read_.end(), [s](storage_ref const& r) { return r.get() == s; });
}

std::byte* plan_builder::planned(storage const* s) const {
    if (!planned_) return nullptr;
    for (auto const& p : *planned_)
        if (p.of == s) return p.memory;
    return nullptr;
}

// Whether row i of the iteration space reads nothing but row i of `s`.
bool plan_builder::row_for_row(storage const* s, operand const& from) const {
    std::int64_t const rows = shape_[0], row = s->bytes() / rows;
    if (s->shape[0] != rows || from.strides[0] != row) return false;
    std::int64_t first = from.offset, last = from.offset;
    for (int d = 1; d < shape_.size(); ++d) {
        std::int64_t const reach = (shape_[d] - 1) * from.strides[d];
        (reach < 0 ? first : last) += reach;
    }
    return first >= 0 && last + itemsize(from.type) <= row;
}

int plan_builder::load(operand const& from) {
    storage* s = from.memory.get();
    std::byte* const later = planned(s);
    if (later && !row_for_row(s, from)) return block_on(s);
    if (!later) {
        if (s->running) return block_on(s);
        if (s->pending && s->pending->result != from.type) return block_on(s);  // a view of other type reads its bytes
        if (s->pending) return inline_pending(s, from.offset, from.strides);
        if (!s->ready()) return block_on(s);
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
        auto const& v = values_[i];
        if (v.kind != value_kind::load) continue;
        auto const& m = operands_[v.operand];
        if (m.memory == s && m.offset == from.offset && m.type == from.type && m.strides == from.strides)
            return static_cast<int>(i);
    }
    plan_value v;
    v.kind = value_kind::load, v.dtype = from.type, v.operand = static_cast<std::uint16_t>(operands_.size());
    operands_.push_back({s, (later ? later : s->data()) + from.offset, from.offset, from.strides, from.type});
    read_.push_back(from.memory);
    return push(v);
}

bool plan_builder::covers(storage const* s, std::int64_t offset, dims const& strides) const {
    if (offset != 0 || product(shape_) != product(s->shape)) return false;
    // A walk of as many steps as there are elements that never repeats one visits each exactly once.
    return !overlap::overlaps_itself({offset, shape_, strides, itemsize(s->pending->result)});
}

// Whether the requested layout, over the iteration space, is the one in which the pending storage will be filled.
bool plan_builder::lies_as_asked(storage const* s, std::int64_t offset, dims const& strides) const {
    return offset == 0 && s->shape == shape_ && s->strides == strides;
}

int plan_builder::inline_pending(storage* s, std::int64_t offset, dims const& strides) {
    bool other_layout = false;
    for (auto const& k : known_) {
        if (k.s != s) continue;
        if (k.offset == offset && k.strides == strides) return k.value;
        other_layout = true;
    }
    auto const& op = *s->pending;
    bool const sum = is_unrolled(op), dear = !cheap_to_repeat(op);
    bool const as_filled = lies_as_asked(s, offset, strides), whole = as_filled || covers(s, offset, strides);
    bool const held = s->handles() > 0;
    bool const seen_before = op.flushes > 0 && s->bytes() > 0 && held;
    // Computed under two layouts, or more often than it has elements, or needed again later while this flush cannot
    // store it: store it first.
    std::int64_t const own = product(s->shape);
    bool const repeated = own > 1 && product(shape_) >= 2 * own;
    bool const twice = other_layout && !unrolling_;
    if ((op.runs_apart() && !sum) || (dear && (twice || repeated || (held && !whole))) || (seen_before && !whole))
        return block_on(s);
    bool const kept = whole && held && (dear || seen_before) && s != target_;
    if (kept && extras_.size() >= max_plan_outputs / 2) return block_on(s);
    int const v = as_filled && !sum ? apply(s, std::span(op.args, op.nargs)) : inline_mapped(s, offset, strides, sum);
    if (v < 0) return v;
    known_.push_back({s, offset, strides, v});
    if (std::find(inlined_.begin(), inlined_.end(), s) == inlined_.end()) inlined_.push_back(s);
    if (kept) extras_.push_back({s, v, strides});
    return v;
}

// Through a layout of its own: its arguments are laid over the iteration space.
int plan_builder::inline_mapped(storage* s, std::int64_t offset, dims const& strides, bool sum) {
    index_map map;
    if (!map_layout(*s, offset, strides, shape_, map)) return block_on(s);
    auto const& op = *s->pending;
    operand args[std::size(pending_operation{}.args)];
    for (int k = 0; k < op.nargs; ++k) {
        auto& a = args[k] = op.args[k];
        if (a.from == operand::source::constant) continue;
        dims walk(shape_.size(), 0);
        for (auto const& axis : map.axes) {
            a.offset += axis.start * axis.argument_strides[k];
            for (int d = 0; d < shape_.size(); ++d)
                walk[d] += axis.steps[static_cast<std::size_t>(d)] * axis.argument_strides[k];
        }
        a.strides = std::move(walk);
    }
    return sum ? unroll(s, args[0]) : apply(s, std::span<operand const>(args, op.nargs));
}

int plan_builder::apply(storage* node, std::span<operand const> args) {
    changed const checks(checking_, node->pending->check ? node : nullptr);
    auto const& op = *node->pending;
    plan_value v;
    v.op = op.op, v.nargs = op.nargs;
    for (std::size_t k = 0; k < args.size(); ++k) {
        int a = value(args[k]);
        if (a < 0) return a;
        if (values_[static_cast<std::size_t>(a)].dtype == type_id::float16 && op.op != cast_op)
            a = cast(a, type_id::float32);
        v.args[k] = static_cast<std::uint16_t>(a);
    }
    if (op.op == cast_op) return cast(v.args[0], op.result);
    v.dtype = op.result == type_id::float16 ? type_id::float32 : op.result;
    int const made = push(v);
    type_id const loop = values_[v.args[v.nargs - 1]].dtype;
    check(made, node, errstate::of_op(op.op, loop, op.check));
    return cast(made, op.result);
}

int plan_builder::result_of(storage* s) {
    target_ = s;
    auto const& op = *s->pending;
    inlined_.push_back(s);
    int const v = apply(s, std::span(op.args, op.nargs));
    if (v >= 0) known_.push_back({s, 0, s->strides, v});
    return v;
}

void plan_builder::store(int value, storage* to, std::byte* base, type_id type, std::int64_t offset, dims strides) {
    plan_store s;
    s.value = static_cast<std::uint16_t>(value);
    stores_.push_back(s);
    outputs_.push_back({to, base + offset, offset, std::move(strides), type});
}

void plan_builder::reduce(int value, storage* to, std::byte* out, type_id type, dims const& out_strides) {
    auto const& op = *to->pending;
    check(static_cast<int>(reductions_.size()), to, op.check, true);
    plan_reduction r;
    r.aggregate = op.op, r.value = static_cast<std::uint16_t>(value), r.ddof = op.ddof, r.check = op.check;
    reductions_.push_back(r);
    reduction_outputs_.push_back({nullptr, out, 0, out_strides, type});
}

void plan_builder::select(selected_elements& which, int mask) {
    selection_ = {static_cast<std::uint16_t>(mask), which.piece, which.starts.data(), which.bits.get()};
    plan_.selection = &selection_;
}

template <class F> void plan_builder::each_layout(F f) const {
    for (auto const* list : {&operands_, &outputs_, &reduction_outputs_})
        for (auto const& m : *list) f(m.strides);
    for (auto const& i : iotas_) f(i.strides);
}

void plan_builder::coalesce(std::span<int const> axes, dims const* logical, std::uint64_t reduced) {
    struct group {
        int last;  // axis
        std::int64_t extent;
    };
    group groups[max_dims];
    int count = 0;
    auto is_reduced = [&](int d) { return ((reduced >> d) & 1) != 0; };
    for (int d : axes) {
        if (shape_[d] == 1) continue;
        if (count > 0) {
            int const outer = groups[count - 1].last;
            bool merges = is_reduced(outer) == is_reduced(d);
            each_layout([&](dims const& s) { merges = merges && s[outer] == s[d] * shape_[d]; });
            // The tree of a sum follows the logical array: runs that are separate there stay separate here.
            if (logical && is_reduced(d)) merges = merges && (*logical)[outer] == (*logical)[d] * shape_[d];
            if (merges) {
                groups[count - 1].last = d;
                groups[count - 1].extent *= shape_[d];
                continue;
            }
        }
        groups[count++] = {d, shape_[d]};
    }
    plan_shape_ = dims();
    for (int g = 0; g < count; ++g)
        plan_shape_.push_back(groups[g].extent), reduced_.push_back(is_reduced(groups[g].last));
    if (count == 0) plan_shape_.push_back(1), reduced_.push_back(reduced != 0 || logical);
    each_layout([&](dims const& s) {
        dims& out = plan_strides_.emplace_back(std::max(count, 1));
        for (int g = 0; g < count; ++g) out[g] = s[groups[g].last];
    });
    plan_.run_dims = 1;
    if (!logical) return;
    for (int g = count; g-- > 1;) {
        int const outer = groups[g - 1].last, d = groups[g].last;
        if (!is_reduced(outer) || !is_reduced(d) || (*logical)[outer] != (*logical)[d] * groups[g].extent) break;
        ++plan_.run_dims;
    }
}

void plan_builder::finish(dims const& strides) { finish(strides, nullptr, 0); }
void plan_builder::finish_reduction(dims const& strides, std::uint64_t reduced) { finish(strides, &strides, reduced); }

void plan_builder::finish(dims const& walked, dims const* logical, std::uint64_t reduced) {
    int order[max_dims];
    std::int64_t const* const layout = walked.data();
    memory_order(walked.size(), &layout, 1, order);
    plan_strides_.reserve(operands_.size() + outputs_.size() + reduction_outputs_.size() + iotas_.size());
    coalesce(std::span<int const>(order, static_cast<std::size_t>(shape_.size())), logical, reduced);
    std::size_t next = 0;
    auto const* strides = plan_strides_.data();
    for (auto const& m : operands_) plan_operands_.push_back({m.base, strides[next++].data(), m.type});
    for (std::size_t i = 0; i < outputs_.size(); ++i)
        stores_[i].out = {outputs_[i].base, strides[next++].data(), outputs_[i].type};
    for (std::size_t i = 0; i < reduction_outputs_.size(); ++i)
        reductions_[i].out = {reduction_outputs_[i].base, strides[next++].data(), reduction_outputs_[i].type};
    for (auto const& i : iotas_) plan_iotas_.push_back({i.start, strides[next++].data()});
    plan_.ndim = plan_shape_.size();
    plan_.shape = plan_shape_.data();
    plan_.reduced = reductions_.empty() ? nullptr : reduced_.data();
    plan_.operands = plan_operands_.data(), plan_.noperands = static_cast<std::uint16_t>(plan_operands_.size());
    plan_.constants = constants_.data(), plan_.nconstants = static_cast<std::uint16_t>(constants_.size());
    plan_.iotas = plan_iotas_.data(), plan_.niotas = static_cast<std::uint16_t>(plan_iotas_.size());
    plan_.values = values_.data(), plan_.nvalues = static_cast<std::uint16_t>(values_.size());
    plan_.stores = stores_.data(), plan_.nstores = static_cast<std::uint16_t>(stores_.size());
    plan_.reductions = reductions_.data(), plan_.nreductions = static_cast<std::uint16_t>(reductions_.size());
    plan_.fastmath = settings().fastmath;
    if (checked_.empty()) return;
    flags_.assign(values_.size() + reductions_.size(), 0);
    plan_.fp_flags = flags_.data();
}

int plan_builder::uses(storage const* s) const {
    int count = 0;
    for (auto const* n : inlined_)
        for (int k = 0; k < n->pending->nargs; ++k) count += n->pending->args[k].memory.get() == s;
    for (auto const& r : read_) count += r.get() == s;
    return count;
}

bool plan_builder::has_other_readers(storage const* s) const {
    int left = s->references() - s->resting.load();  // a spent array (spent_array) does not read it any more
    auto const here = [&](storage const* n) {
        for (int k = 0; k < n->pending->nargs; ++k) left -= n->pending->args[k].memory.get() == s;
        return left <= 0;
    };
    // The readers of a value were mostly added soon after it.
    auto const at = std::find(inlined_.begin(), inlined_.end(), s);
    if (std::any_of(at, inlined_.end(), here) || std::any_of(inlined_.begin(), at, here)) return false;
    return left > std::count_if(read_.begin(), read_.end(), [s](auto const& r) { return r.get() == s; });
}

void plan_builder::keep_shared(bool in_cache) {
    float const limit = in_cache ? near_store_cost : store_cost;
    for (auto const& k : known_) {
        if (is_stored(k.s) || extras_.size() >= max_plan_outputs / 2 || cheap_to_repeat(*k.s->pending, limit)) continue;
        if (has_other_readers(k.s) && covers(k.s, k.offset, k.strides)) extras_.push_back({k.s, k.value, k.strides});
    }
    leave_cheap_extras(limit);
}

bool plan_builder::is_stored(storage const* s) const {
    return s == target_ || std::any_of(extras_.begin(), extras_.end(), [s](extra const& e) { return e.to == s; });
}

// The cost of computing it again from the storages that the plan stores; the count stops somewhat above `limit`.
float plan_builder::cost_once_stored(pending_operation const& op, float limit) const {
    float cost = ops::table[op.op].cost;
    for (int k = 0; k < op.nargs && cost <= limit; ++k) {
        storage const* const m = op.args[k].memory.get();
        if (!m || !m->pending || is_stored(m)) continue;
        cost += m->pending->runs_apart() ? limit + 1 : cost_once_stored(*m->pending, limit - cost);
    }
    return cost;
}

// Such as the products that an iteration begins with, next to the numbers they are made of; not results without another
// pending reader, which are likely to be requested next.
void plan_builder::leave_cheap_extras(float limit) {
    for (std::size_t k = extras_.size(); k-- > 0;) {
        extra const& e = extras_[k];
        bool const on_the_way = !e.to->has_handles_only();
        if (on_the_way && e.to->pending->flushes == 0 && cost_once_stored(*e.to->pending, limit) <= limit)
            extras_.erase(extras_.begin() + static_cast<std::ptrdiff_t>(k));
    }
}

// Whether one walk reads it at the positions of `out`.
bool plan_builder::read_element_for_element(memory_operand const& m, storage const* out) const {
    bool same = m.offset == 0;
    int layouts = 0;
    for (auto const& o : operands_) layouts += o.memory == m.memory;
    for (int d = 0; d < shape_.size(); ++d) same = same && (shape_[d] == 1 || m.strides[d] == out->strides[d]);
    return same && layouts == 1;
}

bool plan_builder::may_overwrite(storage const* planned, storage const* out) const {
    if (stores_.size() + extras_.size() > 1 || planned->handles() > 0 ||
        planned->exports.load(std::memory_order_relaxed) > 0 || planned->bytes() != out->bytes() ||
        planned->bytes() <= storage::inline_bytes)
        return false;
    for (auto const& m : operands_)
        if (m.memory == planned)
            return itemsize(m.type) == itemsize(out->pending->result) && read_element_for_element(m, out);
    return false;
}

storage* plan_builder::reusable(storage const* out) const {
    if (stores_.size() + extras_.size() > 1)
        return nullptr;  // another store of the block may come before the last read
    for (auto const* s : inlined_)
        if (s != out && (s->references() != 1 || s->handles() > 0)) return nullptr;
    for (auto const& m : operands_) {
        storage* s = m.memory;
        if (s->handles() > 0 || s->exports.load(std::memory_order_relaxed) > 0 || s->foreign() || s->holds_inline() ||
            s->bytes() != out->bytes() || s->running_readers > 1 || itemsize(m.type) != itemsize(out->pending->result))
            continue;
        if (read_element_for_element(m, out) && !has_other_readers(s)) return s;
    }
    return nullptr;
}

}  // namespace bascule
