#include "bascule/array/errstate.hpp"

#include <algorithm>
#include <atomic>

#include "bascule/array/storage.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::errstate {
namespace {

caller_hooks hooks;
std::atomic<std::uint64_t> last_order = 0;
thread_local std::vector<finding> findings;

bool inexact(type_id t) { return is_float(t) || is_complex(t); }

}  // namespace

void set_caller_hooks(caller_hooks h) { hooks = h; }

void report(finding const& f) {
    if (!f.fp_errors) return;
    findings.push_back(f);
    current.found = true;
}

std::vector<finding> take() {
    std::vector<finding> all = std::exchange(findings, {});
    current.found = false;
    std::stable_sort(all.begin(), all.end(), [](finding const& a, finding const& b) { return a.order < b.order; });
    std::vector<finding> merged;
    for (auto const& f : all) {
        auto* const before = merged.empty() ? nullptr : &merged.back();
        // The steps of one call go by its name.
        bool const same = before && before->order == f.order &&
                          (f.order || (before->how == f.how && before->op == f.op));
        if (same) before->fp_errors |= f.fp_errors;
        else merged.push_back(f);
    }
    return merged;
}

void drop_of_call() noexcept {
    std::erase_if(findings, [](finding const& f) { return f.line == 0; });
    current.found = !findings.empty();
}

std::uint8_t of_op(std::uint16_t op, type_id loop, std::uint8_t asked) noexcept {
    if (!asked) return ops::fp::none;
    auto const& meta = ops::table[op];
    return asked & (is_integer(loop) ? meta.integers_raise
                    : inexact(loop)  ? ops::raised_by(meta, is_complex(loop))
                                     : 0);
}

std::uint8_t of_cast(type_id from, type_id to, std::uint8_t asked) noexcept {
    using namespace ops;
    if (!asked || from == to || is_time(from) || is_time(to)) return fp::none;
    if (inexact(from) && is_integer(to)) return asked & fp::invalid;
    if (to == type_id::float16) return asked & (fp::over | fp::under);
    bool const narrows = from == type_id::float64 || from == type_id::complex128;
    return narrows && (to == type_id::float32 || to == type_id::complex64) ? asked & (fp::over | fp::under) : 0;
}

std::uint8_t of_reduction(std::uint16_t aggregate, type_id reduced, std::uint8_t asked) noexcept {
    using namespace ops::aggregate;
    static constexpr std::uint16_t sums[] = {ops::aggregate_number<sum>, ops::aggregate_number<prod>,
                                             ops::aggregate_number<mean>, ops::aggregate_number<var>,
                                             ops::aggregate_number<std_dev>};
    return inexact(reduced) && std::find(std::begin(sums), std::end(sums), aggregate) != std::end(sums) ? asked : 0;
}

static finding named_by(request const& call, kind how, std::uint16_t op) noexcept {
    finding f{.op = op, .how = how};
    if (how == kind::ufunc && call.scalars) f.how = kind::scalar;
    if (call.named) f.how = call.how, f.op = call.op, f.order = call.order;
    return f;
}

finding here(kind how, std::uint16_t op) noexcept { return named_by(current, how, op); }

bool mark(pending_operation& node, kind how, std::uint8_t check) {
    if (!check) return false;
    node.check = check;
    request& call = current;  // found once: it is this thread's own
    auto const named = named_by(call, how, node.op);
    node.how = named.how, node.named = named.op;
    if (!call.named || !call.order) call.order = ++last_order;
    node.order = call.order;  // all parts of an operation share one order, so that it is reported once
    node.line = call.line ? call.line : hooks.line ? hooks.line() : 0;
    if (node.line == nobodys_line) {
        node.check = 0;
        return false;
    }
    bool const at_once = call.at_once || (!call.line && hooks.listens && hooks.listens());
    if (at_once) node.line = 0;
    return at_once;
}

}  // namespace bascule::errstate
