#include "bascule/array/late_report.hpp"

#include <vector>

#include "../graph/late_fp_flags.hpp"
#include "bascule/array/device_calls.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/array/storage.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule {
namespace {

struct found_anywhere {
    array any;  // of no axes
    std::uint8_t fp_errors;
};

// Each boolean is one byte, the first of a word that is 0.
void leave_on_device(device where, std::span<found_anywhere const> all, errstate::finding const& f) {
    std::vector<late_fp_flags::expectation> expected;
    for (auto const& each : all) {
        late_fp_flags::expectation e{.first = static_cast<std::int32_t>(expected.size()), .finding = f};
        e.finding.fp_errors = e.means = each.fp_errors;
        expected.push_back(e);
        evaluate(each.any.memory());  // before words are claimed: its plan may claim some
    }
    late_fp_flags::claim const claimed(where, expected.size(), expected);
    for (std::size_t k = 0; k < all.size(); ++k) {
        array const& any = all[k].any;
        storage* const read[] = {any.memory()};
        graph::memory_in_use const used(read);
        throw_if(device_calls::copy(where, claimed.words() + k, any.memory()->data() + any.offset, 1,
                                    copy_kind::device_to_device),
                 where);
    }
}

}  // namespace

void report_where(std::span<condition const> conditions, errstate::finding f) {
    std::vector<found_anywhere> all;
    std::uint8_t asked = 0;
    for (auto const& c : conditions)
        if (c.fp_errors && c.booleans->size() > 0) {
            all.push_back({reduce_with(ops::aggregate_number<ops::aggregate::any>, *c.booleans), c.fp_errors});
            asked |= c.fp_errors;
        }
    if (all.empty()) return;
    device const where = all.front().any.where();
    f = late_fp_flags::as_reported(f, asked, where);
    if (!f.fp_errors) return;  // of a part that reports nothing
    if (f.line) return leave_on_device(where, all, f);
    f.fp_errors = 0;
    for (auto const& each : all)
        if (item(each.any).bytes[0]) f.fp_errors |= each.fp_errors;
    errstate::report(f);
}

}  // namespace bascule
