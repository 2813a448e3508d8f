// Intrusive reference counting for storages: one word, shared between threads.
#pragma once
#include <atomic>
#include <utility>

namespace bascule {

class ref_counted {
public:
    void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
    // For whoever finds the object in a list: false when its last reference is gone and it waits to be taken out.
    [[nodiscard]] bool retain_if_alive() const noexcept {
        int n = count_.load(std::memory_order_relaxed);
        while (n > 0)
            if (count_.compare_exchange_weak(n, n + 1, std::memory_order_acq_rel)) return true;
        return false;
    }
    [[nodiscard]] bool release() const noexcept { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
    // Acquires: what earlier holders did with the object is done when their references are seen to be gone.
    [[nodiscard]] int references() const noexcept { return count_.load(std::memory_order_acquire); }

protected:
    mutable std::atomic<int> count_{0};
};

// T has a static `destroy(T*)`, called when the last reference goes.
template <class T> class ref {
public:
    ref() noexcept = default;
    explicit ref(T* p) noexcept : p_(p) {
        if (p_) p_->retain();
    }
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
        if (T* p = std::exchange(p_, nullptr); p && p->release()) T::destroy(p);
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
