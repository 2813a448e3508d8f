// Kernels that are compiled behind the program's back, one after the other on a thread of their own, which calls the
// compiler and nothing of the driver.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "backend/cuda/compiler/nvrtc.hpp"

namespace bascule::cuda {

class compile_queue {
public:
    struct job {
        std::function<compiled()> work;
        compiled made;
        enum { waiting, running, done } state = waiting;
    };
    using ticket = std::shared_ptr<job>;

    // Never destroyed: its thread may outlive every object.
    static compile_queue& instance();

    ticket add(std::function<compiled()> work);
    bool is_done(job const&) const;
    // Waits for it, or compiles it if no thread has begun.
    compiled const& result_of(ticket const&);
    // At the end of the process: a compilation in progress is waited for, and no other is started. To be called once
    // the compiler is loaded, since handlers registered last run first.
    static void end_before_the_compiler();

private:
    void go_on();
    void carry_out(std::unique_lock<std::mutex>&, job&);
    static void run(compile_queue*);
    void end();

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<ticket> waiting_;
    bool has_thread_ = false, busy_ = false, ended_ = false;
};

}  // namespace bascule::cuda
