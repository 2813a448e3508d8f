// Folds one group of elements into one output element.
#include "backend/reference/parts.hpp"

namespace bascule::reference {

void reduce(plan_reduction const& r, type_id, std::vector<cell> const&, std::int64_t, void*) {
    throw failure{status::not_supported, "[reference] reduce: no aggregate number " + std::to_string(r.aggregate)};
}

}  // namespace bascule::reference
