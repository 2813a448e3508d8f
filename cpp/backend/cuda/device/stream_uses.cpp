#include "backend/cuda/device/stream_uses.hpp"

#include <algorithm>
#include <new>

namespace bascule::cuda {
namespace {

bool conflict(memory_use const& a, memory_use const& b) {
    bool const agree = a.kind == b.kind && a.kind != use_kind::write;
    return !agree && a.begin < b.end && b.begin < a.end;
}

void note(std::vector<stream_handle>& streams, stream_handle s) {
    if (std::find(streams.begin(), streams.end(), s) == streams.end()) streams.push_back(s);
}

}  // namespace

bool stream_uses::add(stream_handle s, std::span<memory_use const> uses) noexcept {
    std::lock_guard const lock(mutex_);
    if (uses_.capacity() == 0) {
        try {
            uses_.reserve(most);
        } catch (std::bad_alloc const&) { return false; }
    }
    if (uses_.size() + uses.size() > most) return false;
    for (memory_use const& u : uses) {
        auto const same = [&](use const& known) {
            return known.on == s && known.of.begin == u.begin && known.of.end == u.end && known.of.kind == u.kind;
        };
        if (std::none_of(uses_.begin(), uses_.end(), same)) uses_.push_back({s, u});
    }
    any_.store(!uses_.empty(), std::memory_order_release);
    return true;
}

std::vector<stream_handle> stream_uses::in_the_way(stream_handle of, std::span<memory_use const> uses) const {
    std::lock_guard const lock(mutex_);
    std::vector<stream_handle> found;
    for (use const& known : uses_)
        if (known.on != of &&
            std::any_of(uses.begin(), uses.end(), [&](memory_use const& u) { return conflict(known.of, u); }))
            note(found, known.on);
    return found;
}

std::vector<stream_handle> stream_uses::take_all() {
    std::lock_guard const lock(mutex_);
    std::vector<stream_handle> found;
    for (use const& known : uses_) note(found, known.on);
    uses_.clear();
    any_.store(false, std::memory_order_release);
    return found;
}

}  // namespace bascule::cuda
