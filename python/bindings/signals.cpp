// Ctrl-C while kernels run: Python's handlers of signals run in the main thread between kernels, and what they raise
// ends the evaluation. A thread that waits for another's kernels gives the GIL up, so that the main thread can always
// have it.
#include <sys/syscall.h>
#include <unistd.h>

#include "array_object.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/sched/interrupt.hpp"

namespace bascule::python {
namespace {

// Taking the GIL may cost a whole switch interval where other threads compute in Python.
constexpr auto look_every = std::chrono::milliseconds(20);

thread_local without_gil* the_released = nullptr;

bool is_main_thread() noexcept { return syscall(SYS_gettid) == getpid(); }

void* give_gil_up() noexcept { return PyGILState_Check() ? PyEval_SaveThread() : nullptr; }
void take_gil_again(void* state) noexcept { PyEval_RestoreThread(static_cast<PyThreadState*>(state)); }

}  // namespace

without_gil::without_gil(bool yes) : state_(yes ? PyEval_SaveThread() : nullptr) {
    if (!state_) return;
    outer_ = std::exchange(the_released, this);
    looked_ = std::chrono::steady_clock::now();
}
without_gil::~without_gil() {
    if (!state_) return;
    the_released = outer_;
    PyEval_RestoreThread(state_);
}

// The error it leaves behind is the one that the caller of the evaluation gets to see.
bool handler_raised() noexcept {
    without_gil* const released = the_released;
    if (!released) return PyGILState_Check() && !PyErr_Occurred() && PyErr_CheckSignals() < 0;
    auto const now = std::chrono::steady_clock::now();
    if (now - released->looked_ < look_every || !is_main_thread()) return false;
    released->looked_ = now;
    the_released = nullptr;
    PyEval_RestoreThread(released->state_);
    bool const raised = !PyErr_Occurred() && PyErr_CheckSignals() < 0;
    released->state_ = PyEval_SaveThread();
    the_released = released;
    return raised;
}

void watch_signals() {
    sched::set_interrupt_check(&handler_raised);
    set_wait_hooks({&give_gil_up, &take_gil_again});
}

}  // namespace bascule::python
