// A storage: the memory of an array, or the pending operation that will produce them.
//
// Design section 3. Every lazy result has a storage of its own whose `pending` names one operation and its arguments;
// an argument is a layout over another storage, so a view of a lazy array needs no special case. The members from
// `pending` on are guarded by the graph's mutex (array/graph.hpp).
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "bascule/array/errstate.hpp"
#include "bascule/array/index_check.hpp"
#include "bascule/core/backend.hpp"
#include "bascule/core/device.hpp"
#include "bascule/core/dims.hpp"
#include "bascule/core/ref.hpp"

namespace bascule {

class storage;
using storage_ref = ref<storage>;
namespace spill {
struct moved_elements;
}

// One argument of a pending operation, laid over the operation's shape.
struct operand {
    enum class source : std::uint8_t { memory, constant, iota };
    source from = source::memory;
    type_id type = type_id::float64;  // of the elements there
    type_id as = type_id::float64;    // cast to this before the operation sees it
    storage_ref memory;
    std::int64_t offset = 0;  // bytes; for iota, its start
    dims strides;             // bytes, over the operation's shape; for iota, elements
    plan_constant value{};    // of type `type`

    [[nodiscard]] bool same_place(operand const& o) const noexcept {
        return from == source::memory && o.from == from && type == o.type && as == o.as && memory == o.memory &&
               offset == o.offset && strides == o.strides;
    }
};

// Elements of a storage: a layout from a byte offset on.
struct placement {
    std::int64_t offset = 0;
    dims shape, strides;
};

// Which elements a mask selected, and how many before each piece of so many and, in the last place, in all.
struct selected_elements {
    std::int64_t piece;
    std::vector<std::int64_t> starts;
    std::unique_ptr<std::uint64_t[]> bits;
};

// The operation that will fill a storage: element-wise, or a reduction that removes axes of its one argument.
struct pending_operation {
    bool reduces = false;
    std::uint8_t nargs = 0;
    std::uint16_t op = 0;  // number in the op table, or in the aggregate table for a reduction
    type_id result = type_id::float64;
    double ddof = 0;
    std::uint8_t check = 0;  // ops::fp bits that errstate checked when the node was made, not yet reported
    errstate::kind how = errstate::kind::ufunc;  // operation and line for warnings
    std::uint16_t named = 0;
    std::uint32_t line = 0;
    std::uint64_t order = 0;
    dims shape;                 // iteration space: the result's shape, or the input's for a reduction
    dims input_strides;         // reduction: strides of the logical input, which fix the summation tree
    std::uint64_t reduced = 0;  // reduction: one bit an axis of `shape`
    operand args[3];
    // A pending write: the storage has the contents of args[0], except at these positions, where args[1] goes.
    std::unique_ptr<placement> into;

    std::unique_ptr<selected_elements> selected;  // the storage holds these elements of args[0]

    // Whether its readers read memory: it is not computed as part of them.
    [[nodiscard]] bool runs_apart() const noexcept { return reduces || into || selected; }

    // of the graph down to memory, this node included
    float cost = 0;                         // time an element, in float64 additions
    int values = 1, loads = 0, height = 1;  // values and loads at most
    int flushes = 0;                        // flushes that passed through without storing it

    // Reuses the memory of a few objects that the thread has freed.
    static void* operator new(std::size_t bytes);
    static void operator delete(void* p) noexcept;
};

class storage : public ref_counted {
public:
    static storage_ref make(device where, std::int64_t bytes);
    static storage_ref wrap(device where, void* data, std::int64_t bytes, void (*release)(void*), void* owner);
    static void destroy(storage* s) noexcept;
    // Releases the contents, for an owner that keeps the storage and its only array for another value. False: there are
    // other references, or the memory came from outside; then nothing was done.
    [[nodiscard]] bool clear_if_alone() noexcept;
    void become(device where, std::int64_t bytes) noexcept { where_ = where, bytes_ = bytes; }  // after that

    [[nodiscard]] bool ready() const noexcept { return data_.load(std::memory_order_acquire) != nullptr; }
    [[nodiscard]] std::byte* data() const noexcept { return data_.load(std::memory_order_acquire); }
    [[nodiscard]] std::int64_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] device where() const noexcept { return where_; }
    [[nodiscard]] bool foreign() const noexcept { return release_ != nullptr; }
    std::byte* allocate();              // memory not yet visible through data(); throws memory_error
    void discard(std::byte*) noexcept;  // releases the result of allocate
    void set_ready(std::byte* p) noexcept { data_.store(p, std::memory_order_release); }
    std::byte* take_memory() noexcept { return data_.exchange(nullptr, std::memory_order_acq_rel); }
    [[nodiscard]] bool holds_inline() const noexcept { return data() == inline_; }

    static constexpr std::int64_t inline_bytes = 128;

    std::atomic<int> exports{0};  // foreign holders of its address (rule 15)
    bool writeable = true;
    bool noncanonical_bools = false;  // its booleans may be stored as other bytes than 0 and 1 (plain_booleans)

    std::atomic<int> resting{0};  // references that were handles and will be again (spent_array)
    std::unique_ptr<pending_operation> pending;
    dims shape, strides;                           // layout in which the pending operation writes: dense, in some order
                                                   // of axes
    std::uint64_t version = 0;                     // counts writes
    mutable std::uint64_t walk = 0;                // the last walk over the graph that came by (graph/node.cpp)
    bool running = false;                          // a flush is filling it
    int running_readers = 0;                       // flushes that read its memory now
    index_checks unsettled;                        // the contents are valid unless one of them fails
    storage *next = nullptr, *previous = nullptr;  // the graph's list of pending storages

    // array/spill.hpp: of devices with memory of their own
    spill::moved_elements* moved = nullptr;                 // where the elements are, when they are not in its memory
    storage *used_later = nullptr, *used_before = nullptr;  // the list of storages that may be moved
    int kept_in_memory = 0;
    bool may_be_moved = false;

private:
    friend class ref<storage>;
    storage(device where, std::int64_t bytes) : where_(where), bytes_(bytes) {}
    ~storage() = default;

    std::atomic<std::byte*> data_{nullptr};
    device where_;
    std::int64_t bytes_;
    void (*release_)(void*) = nullptr;
    void* owner_ = nullptr;
    alignas(16) std::byte inline_[inline_bytes];
};

}  // namespace bascule
