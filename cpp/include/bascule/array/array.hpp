// The array: a layout over a storage that holds its elements or knows how to make them.
#pragma once
#include <optional>

#include "bascule/array/storage.hpp"
#include "bascule/core/error.hpp"

namespace bascule {

// A reference that counts as user code holding the storage: a held result is worth storing (design rule 9).
class storage_handle {
public:
    storage_handle() noexcept = default;
    explicit storage_handle(storage_ref const& s) noexcept : storage_handle(s.get()) {}
    explicit storage_handle(storage_ref&& s) noexcept : s_(std::move(s)) {
        if (s_) s_->make_handle();
    }
    storage_handle(storage_handle const& o) noexcept : storage_handle(o.get()) {}
    storage_handle(storage_handle&& o) noexcept = default;
    storage_handle& operator=(storage_handle o) noexcept {
        std::swap(s_, o.s_);
        return *this;
    }
    ~storage_handle() {
        if (storage* const s = s_.detach(); s && s->release_handle()) storage::destroy(s);
    }
    [[nodiscard]] storage_ref const& ref() const noexcept { return s_; }
    [[nodiscard]] storage* get() const noexcept { return s_.get(); }

private:
    explicit storage_handle(storage* s) noexcept : s_(storage_ref::adopt(s)) {
        if (s) s->retain_handle();
    }
    storage_ref s_;
};

class array {
public:
    array() = default;
    array(storage_ref s, dtype t, dims shape_, dims strides_, std::int64_t offset_ = 0)
        : type(t), offset(offset_), shape(std::move(shape_)), strides(std::move(strides_)), memory_(std::move(s)) {}
    // Without a shape yet.
    array(storage_ref const& s, dtype t, std::int64_t offset_) : type(t), offset(offset_), memory_(s) {}

    dtype type;
    bool scalar = false;  // result of a full reduction or full indexing (rule 16)
    bool writeable = true;
    std::int64_t offset = 0;  // bytes into the storage
    dims shape, strides;      // strides in bytes

    [[nodiscard]] storage* memory() const noexcept { return memory_.get(); }
    [[nodiscard]] storage_ref const& memory_ref() const noexcept { return memory_.ref(); }
    [[nodiscard]] device where() const noexcept { return memory()->where(); }
    [[nodiscard]] int ndim() const noexcept { return shape.size(); }
    [[nodiscard]] std::int64_t size() const noexcept { return product(shape); }
    [[nodiscard]] std::int64_t itemsize() const noexcept { return type.itemsize; }
    // Evaluates; a host pointer when the device's memory is the host's.
    [[nodiscard]] std::byte* data() const;

private:
    storage_handle memory_;
};

// While it lives, one handle of a pending array counts as dropped: the array is about to be released, and results
// computed from it now do not store it. If it is requested again after all, it is still pending. The array must not
// move.
class spent_array {
public:
    spent_array() noexcept = default;
    explicit spent_array(array const& a) noexcept {
        if (!a.memory() || a.memory()->ready()) return;
        s_ = a.memory();
        ++s_->resting;
        s_->rest_handle();
    }
    ~spent_array() {
        if (!s_) return;
        s_->make_handle();
        --s_->resting;
    }
    spent_array(spent_array const&) = delete;
    spent_array& operator=(spent_array const&) = delete;

private:
    storage* s_ = nullptr;
};

// ---- layouts
dims contiguous_strides(dims const& shape, std::int64_t itemsize, bool fortran = false);
bool is_c_contiguous(dims const& shape, dims const& strides, std::int64_t itemsize);
bool is_f_contiguous(dims const& shape, dims const& strides, std::int64_t itemsize);
// Axes from outermost to innermost in memory, as NumPy's 'K' order finds them over several operands (each `ndim`
// strides).
void memory_order(int ndim, std::int64_t const* const* strides, int operands, int* axes);
// Dense strides for `shape`, with its axes in the order that `like` strides have in memory.
dims dense_strides_like(dims const& shape, dims const& like, std::int64_t itemsize);
// The same of several layouts over the shape, in NumPy's 'K' order.
dims dense_strides_like(dims const& shape, std::span<std::int64_t const* const> layouts, std::int64_t itemsize);
// Throws value_error with NumPy's text. `shapes` are right-aligned.
dims broadcast_shapes(std::span<dims const* const> shapes);
dims broadcast_strides(dims const& shape, dims const& strides, dims const& to);
// First and one-past-last byte a layout touches, relative to offset 0 of its storage.
std::pair<std::int64_t, std::int64_t> extent(dims const& shape, dims const& strides, std::int64_t offset,
                                             std::int64_t itemsize);
std::string to_string(dims const& shape);  // "(3,4)" as NumPy prints shapes in errors

// ---- creation
array empty(device where, dtype t, dims const& shape, bool fortran = false);
array empty_strided(device where, dtype t, dims const& shape, dims const& dense_strides);
array full(device where, dtype t, dims const& shape, plan_constant value, bool fortran = false);  // lazy
array arange(device where, dtype t, std::int64_t n, plan_constant start,
             plan_constant step);  // lazy; start, step of type t
// A counter op of the table on positions first, first + 1, … in C order: random values that depend on nothing else.
// Lazy.
array counter_fill(device where, dtype t, dims const& shape, std::uint16_t op, std::uint64_t key, std::uint64_t first);
array from_host(device where, void const* data, dtype t, dims const& shape, dims const& strides);  // copies
// Shares foreign memory; operations on it run at the call while it is shared (rule 15).
array wrap(device where, void* data, dtype t, dims const& shape, dims const& strides, void (*release)(void*),
           void* owner, bool writeable, std::int64_t lowest_offset, std::int64_t bytes);
void to_host(array const& a, void* out, bool wait = true);  // C order; else the device may still be copying

// ---- views: same storage, other layout
struct slice {
    std::int64_t start, step, count;
};
// A dense copy in another device's memory, in the same order of axes. Waits only where memory of the host is written.
array to_device(array const& a, device to);
array reshape_view_or_copy(array const& a, dims const& shape, bool fortran = false);
std::optional<array> reshape_view(array const& a, dims const& shape, bool fortran = false);
array transpose(array const& a, std::span<int const> axes);
array broadcast_to(array const& a, dims const& shape);
array view(array const& a, dims shape, dims strides, std::int64_t offset);

// ---- values
plan_constant item(array const& a, std::int64_t flat_index = 0);
plan_constant cast_constant(plan_constant v, type_id from, type_id to);

}  // namespace bascule
