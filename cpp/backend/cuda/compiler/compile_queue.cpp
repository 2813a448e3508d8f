#include "backend/cuda/compiler/compile_queue.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

namespace bascule::cuda {
namespace {

// A child of fork has no thread that would end, and perhaps a locked mutex.
pid_t process_of_the_queue = 0;

}  // namespace

compile_queue& compile_queue::instance() {
    static auto* const queue = (process_of_the_queue = getpid(), new compile_queue);
    return *queue;
}

compile_queue::ticket compile_queue::add(std::function<compiled()> work) {
    auto const t = std::make_shared<job>();
    t->work = std::move(work);
    std::lock_guard const lock(mutex_);
    if (ended_) return t;
    waiting_.push_back(t);
    go_on();
    changed_.notify_all();
    return t;
}

// Signals are for the program's own threads. Without a thread jobs are compiled when their result is needed.
void compile_queue::go_on() {
    if (has_thread_) return;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        std::thread(run, this).detach();
        has_thread_ = true;
    } catch (std::system_error const&) {}
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Releases the lock during the compilation.
void compile_queue::carry_out(std::unique_lock<std::mutex>& lock, job& j) {
    j.state = job::running;
    auto const work = std::exchange(j.work, nullptr);
    lock.unlock();
    compiled made = work();
    lock.lock();
    j.made = std::move(made);
    j.state = job::done;
    changed_.notify_all();
}

void compile_queue::run(compile_queue* q) {
    std::unique_lock lock(q->mutex_);
    for (;;) {
        q->changed_.wait(lock, [q] { return q->ended_ || !q->waiting_.empty(); });
        if (q->ended_) return;
        ticket const t = std::move(q->waiting_.front());
        q->waiting_.pop_front();
        q->busy_ = true;
        q->carry_out(lock, *t);
        q->busy_ = false;
    }
}

bool compile_queue::is_done(job const& j) const {
    std::lock_guard const lock(mutex_);
    return j.state == job::done;
}

compiled const& compile_queue::result_of(ticket const& t) {
    std::unique_lock lock(mutex_);
    if (t->state == job::waiting) {
        std::erase(waiting_, t);
        carry_out(lock, *t);
    }
    changed_.wait(lock, [&] { return t->state == job::done; });
    return t->made;
}

void compile_queue::end() {
    std::unique_lock lock(mutex_);
    ended_ = true;
    waiting_.clear();
    changed_.notify_all();
    changed_.wait(lock, [this] { return !busy_; });
}

void compile_queue::end_before_the_compiler() {
    std::atexit([] {
        if (getpid() == process_of_the_queue) instance().end();
    });
}

}  // namespace bascule::cuda
