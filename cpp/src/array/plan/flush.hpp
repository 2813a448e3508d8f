// One plan at work: the memory it fills and reads.
#pragma once
#include <utility>
#include <vector>

#include "../graph/graph_state.hpp"
#include "plan_builder.hpp"

namespace bascule {

// The constructor marks the storages that the plan reads; the destructor releases them, also after an exception.
class flush {
public:
    explicit flush(plan_builder& builder);
    flush(flush const&) = delete;
    flush& operator=(flush const&) = delete;
    ~flush();

    // In a forked child the threads that worked on these flushes do not exist: the storages they were filling are
    // pending again.
    static void forget_other_threads();
    // Whether a flush that this thread is in fills or reads `s`: so in the handler of a signal, called between kernels.
    static bool by_this_thread(storage const* s) noexcept;

    // Output memory of a storage, from the pool or taken over from a dead input.
    std::byte* claim(storage* s, storage* from = nullptr);
    // The same, taking over a storage that `earlier` fills and that no operation reads after this plan. Null: there is
    // none.
    std::byte* claim(storage* s, flush& earlier, storage const* from);
    // Memory that is written in place: no other plan reads it from here on.
    void writes(storage* s);

    // Runs the plans of `flushes`, each of which has been finished; the lock is released meanwhile. With more than one,
    // the first axis of each is made of `rows` parts, and a part reads only the same part of earlier plans.
    static void run(graph_lock& lock, std::vector<flush*> const& flushes, std::int64_t rows, device where);
    void commit();
    // A result of operands that may be wrong may be wrong: for memory that is written in place.
    void hand_checks_to(storage* to);

private:
    struct target {
        storage_ref to;
        std::byte* memory;
        storage_ref taken_from;  // held these elements, and holds them again if the plan does not run
    };
    void hand_checks_on();
    void release();
    void give_back(target& t);
    bool overwrites() const;
    bool works_on(storage const* s) const;

    plan_builder& builder_;
    flush* older_;
    std::thread::id thread_ = std::this_thread::get_id();
    std::vector<target> targets_;
    std::vector<std::unique_ptr<pending_operation>> done_;
    std::vector<storage_ref> passed_;  // other threads may drop inlined operations while the kernel runs
};

}  // namespace bascule
