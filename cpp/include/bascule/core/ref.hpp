// Intrusive reference counting for storages: one word, shared between threads.
#pragma once
#include <atomic>
#include <cstdint>
#include <utility>

namespace bascule {

// Some references are handles: user code holds them. They are counted a second time, in the upper half of the same
// word, so that making or dropping one is one step, and both counts are read together.
class ref_counted {
public:
    void retain() const noexcept { counts_.fetch_add(reference, std::memory_order_relaxed); }
    // For code that finds the object in a list: false when its last reference is gone and it is about to be taken out.
    [[nodiscard]] bool retain_if_alive() const noexcept {
        auto n = counts_.load(std::memory_order_relaxed);
        while (references_in(n) > 0)
            if (counts_.compare_exchange_weak(n, n + reference, std::memory_order_acq_rel)) return true;
        return false;
    }
    [[nodiscard]] bool release() const noexcept { return drop(reference); }

    void retain_handle() const noexcept { counts_.fetch_add(handle + reference, std::memory_order_relaxed); }
    void make_handle() const noexcept { counts_.fetch_add(handle, std::memory_order_relaxed); }  // of a reference
    void rest_handle() const noexcept { counts_.fetch_sub(handle, std::memory_order_relaxed); }  // stays a reference
    [[nodiscard]] bool release_handle() const noexcept { return drop(handle + reference); }

    // Acquires: the work of earlier holders is visible once their references are seen to be gone.
    [[nodiscard]] int references() const noexcept { return references_in(counts_.load(std::memory_order_acquire)); }
    [[nodiscard]] int handles() const noexcept { return handles_in(counts_.load(std::memory_order_relaxed)); }
    [[nodiscard]] bool has_handles_only() const noexcept {
        auto const n = counts_.load(std::memory_order_acquire);
        return references_in(n) == handles_in(n);
    }

private:
    static constexpr std::uint64_t reference = 1, handle = std::uint64_t{1} << 32;
    static int references_in(std::uint64_t n) noexcept { return static_cast<int>(n & (handle - 1)); }
    static int handles_in(std::uint64_t n) noexcept { return static_cast<int>(n >> 32); }
    [[nodiscard]] bool drop(std::uint64_t n) const noexcept {
        return references_in(counts_.fetch_sub(n, std::memory_order_acq_rel)) == 1;
    }

    mutable std::atomic<std::uint64_t> counts_{0};
};

// T has a static `destroy(T*)`, called when the last reference goes.
template <class T> class ref {
public:
    ref() noexcept = default;
    explicit ref(T* p) noexcept : p_(p) {
        if (p_) p_->retain();
    }
    // Takes over a reference that is counted already, and gives one out of its hands.
    [[nodiscard]] static ref adopt(T* p) noexcept {
        ref r;
        r.p_ = p;
        return r;
    }
    [[nodiscard]] T* detach() noexcept { return std::exchange(p_, nullptr); }
    // Null when the last reference is gone.
    [[nodiscard]] static ref if_alive(T* p) noexcept {
        ref r;
        if (p->retain_if_alive()) r.p_ = p;
        return r;
    }
    ref(ref const& o) noexcept : ref(o.p_) {}
    ref(ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
    ref& operator=(ref o) noexcept {
        std::swap(p_, o.p_);
        return *this;
    }
    ~ref() { reset(); }
    void reset() noexcept {
        if (T* p = detach(); p && p->release()) T::destroy(p);
    }
    [[nodiscard]] T* get() const noexcept { return p_; }
    T* operator->() const noexcept { return p_; }
    T& operator*() const noexcept { return *p_; }
    explicit operator bool() const noexcept { return p_ != nullptr; }
    friend bool operator==(ref const& a, ref const& b) noexcept { return a.p_ == b.p_; }

private:
    T* p_ = nullptr;
};

}  // namespace bascule
