#include "bascule/array/index_check.hpp"

#include <algorithm>
#include <utility>

#include "bascule/array/graph.hpp"

namespace bascule {
namespace {

constexpr std::int64_t word_count = 4;
constexpr std::size_t most_expected = 256;  // words of device memory are kept for each

std::mutex expected_mutex;
index_checks expected;  // oldest first

}  // namespace

index_check::index_check(device where) : where_(where) {
    void* p = nullptr;
    throw_if(where.api->allocate(where.index, 8 * word_count, &p), where);
    words_ = static_cast<std::int64_t*>(p);
}

index_check::~index_check() {
    if (words_) where_.api->release(where_.index, words_, 8 * word_count);
}

void index_check::settle() {
    std::lock_guard const lock(mutex_);
    if (!settled_) {
        std::int64_t found[word_count];
        throw_if(where_.api->copy(where_.index, found, words_, sizeof found, copy_kind::device_to_host, nullptr),
                 where_);
        throw_if(where_.api->synchronize(where_.index, nullptr), where_);
        settled_ = true;
        where_.api->release(where_.index, std::exchange(words_, nullptr), 8 * word_count);
        if (found[0] >= 0)
            bad_ = "index " + std::to_string(found[1]) + " is out of bounds for axis " + std::to_string(found[2]) +
                   " with size " + std::to_string(found[3]);
    }
    if (!bad_.empty()) throw index_error(bad_);
}

bool index_check::is_healthy() {
    std::lock_guard const lock(mutex_);
    return settled_ && bad_.empty();
}

namespace index_errors {

void add(index_checks& to, index_checks const& more) {
    for (auto const& c : more)
        if (!c->is_healthy() && std::find(to.begin(), to.end(), c) == to.end()) to.push_back(c);
}

void expect(std::shared_ptr<index_check> check) {
    std::shared_ptr<index_check> oldest;
    {
        std::lock_guard const lock(expected_mutex);
        expected.push_back(std::move(check));
        if (expected.size() <= most_expected) return;
        oldest = std::move(expected.front());
        expected.erase(expected.begin());
    }
    oldest->settle();
}

void settle_all(device where) {
    for (;;) {
        std::shared_ptr<index_check> next;
        {
            std::lock_guard const lock(expected_mutex);
            auto const found =
                std::find_if(expected.begin(), expected.end(), [&](auto const& c) { return c->where() == where; });
            if (found == expected.end()) return;
            next = std::move(*found);
            expected.erase(found);
        }
        next->settle();
    }
}

bool settle(graph_lock& lock, storage* s) {
    if (s->unsettled.empty()) return false;
    index_checks const all = s->unsettled;
    struct given_up {
        graph_lock& lock;
        explicit given_up(graph_lock& l) : lock(l) { lock.unlock(); }
        ~given_up() { lock.lock(); }
    };
    {
        given_up const meanwhile(lock);
        for (auto const& c : all) c->settle();
    }
    std::erase_if(s->unsettled, [](auto const& c) { return c->is_healthy(); });
    return true;
}

}  // namespace index_errors

}  // namespace bascule
