#include "bascule/sched/interrupt.hpp"

#include <utility>

namespace bascule::sched {
namespace {
std::atomic<bool (*)() noexcept> the_check{nullptr};
thread_local bool may_end = false;
}  // namespace

void set_interrupt_check(bool (*check)() noexcept) noexcept { the_check.store(check, std::memory_order_release); }
bool interrupt_requested() noexcept {
    auto* const check = the_check.load(std::memory_order_acquire);
    return check && check();
}

interruptible::interruptible(bool yes) noexcept : earlier_(std::exchange(may_end, yes)) {}
interruptible::~interruptible() { may_end = earlier_; }
bool interruptible::here() noexcept { return may_end; }

}  // namespace bascule::sched
