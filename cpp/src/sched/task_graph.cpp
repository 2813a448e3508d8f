#include "bascule/sched/task_graph.hpp"

#include <algorithm>
#include <utility>

namespace bascule::sched {

task_id task_graph::add(std::span<task_id const> dependencies, std::int64_t priority, std::int64_t size) {
    task_id const t = count();
    for (task_id const d : dependencies)
        if (d < 0 || d >= t) throw std::out_of_range("[sched] a task depends on one that does not exist yet");
    edges_.insert(edges_.end(), dependencies.begin(), dependencies.end());
    first_edge_.push_back(edges_.size());
    priority_.push_back(priority);
    size_.push_back(size);
    return t;
}

std::vector<task_id> task_graph::order(std::span<task_id const> wanted) const {
    std::vector<task_id> order;
    std::vector<char> seen(priority_.size(), 0);
    // A task and how many of its dependencies have been visited.
    std::vector<std::pair<task_id, std::size_t>> path;
    auto const visit = [&](task_id t) {
        if (std::exchange(seen[static_cast<std::size_t>(t)], char{1}) == 0) path.emplace_back(t, 0);
    };
    for (task_id const w : wanted) {
        if (w < 0 || w >= count()) throw std::out_of_range("[sched] a wanted task does not exist");
        visit(w);
        while (!path.empty()) {
            auto& [t, looked_at] = path.back();
            if (auto const needs = dependencies(t); looked_at < needs.size()) {
                visit(needs[looked_at++]);
            } else {
                order.push_back(t);
                path.pop_back();
            }
        }
    }
    std::stable_sort(order.begin(), order.end(), [&](task_id a, task_id b) { return priority(a) < priority(b); });
    return order;
}

}  // namespace bascule::sched
