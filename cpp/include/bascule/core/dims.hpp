// Shapes and strides: up to 64 integers, inline to 8 so that an array of ordinary rank allocates nothing for them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

namespace bascule {

class dims {
public:
    static constexpr int inline_capacity = 8;

    dims() noexcept = default;
    explicit dims(int n, std::int64_t fill = 0) { resize(n, fill); }
    dims(std::initializer_list<std::int64_t> v) : dims(v.begin(), static_cast<int>(v.size())) {}
    dims(std::int64_t const* p, int n) { assign(p, n); }
    dims(dims const& o) : dims(o.data(), o.size_) {}
    dims(dims&& o) noexcept { steal(o); }
    dims& operator=(dims const& o) {
        if (this != &o) assign(o.data(), o.size_);
        return *this;
    }
    dims& operator=(dims&& o) noexcept {
        if (this != &o) release(), steal(o);
        return *this;
    }
    ~dims() { release(); }

    [[nodiscard]] int size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::int64_t* data() noexcept { return heap_ ? heap_ : small_; }
    [[nodiscard]] std::int64_t const* data() const noexcept { return heap_ ? heap_ : small_; }
    std::int64_t& operator[](int i) noexcept { return data()[i]; }
    std::int64_t operator[](int i) const noexcept { return data()[i]; }
    std::int64_t* begin() noexcept { return data(); }
    std::int64_t* end() noexcept { return data() + size_; }
    [[nodiscard]] std::int64_t const* begin() const noexcept { return data(); }
    [[nodiscard]] std::int64_t const* end() const noexcept { return data() + size_; }

    void resize(int n, std::int64_t fill = 0) {
        if (n > capacity_) grow(n);
        std::int64_t* const p = data();
        int i = size_;
        if (i < n) p[i++] = fill;
        if (i < n) p[i++] = fill;
        for (; i < n; ++i) p[i] = fill;
        size_ = n;
    }
    void push_back(std::int64_t v) {
        if (size_ == capacity_) grow(2 * size_);
        data()[size_++] = v;
    }
    void erase(int i) {
        std::copy(begin() + i + 1, end(), begin() + i);
        --size_;
    }
    void insert(int i, std::int64_t v) {
        push_back(v);
        std::copy_backward(begin() + i, end() - 1, end());
        data()[i] = v;
    }

    friend bool operator==(dims const& a, dims const& b) noexcept {
        if (a.size_ != b.size_) return false;
        std::int64_t const *const x = a.data(), *const y = b.data();
        for (int i = 0; i < a.size_; ++i)  // few: calling for a comparison of bytes would take longer
            if (x[i] != y[i]) return false;
        return true;
    }

private:
    // Nearly all are of one or two axes: these are copied, and filled above, without the call that a loop becomes.
    static void copy(std::int64_t const* from, int n, std::int64_t* to) noexcept {
        if (n > 0) to[0] = from[0];
        if (n > 1) to[1] = from[1];
        if (n > 2) std::copy_n(from + 2, n - 2, to + 2);
    }
    void assign(std::int64_t const* p, int n) {
        if (n > capacity_) grow(n);
        copy(p, n, data());
        size_ = n;
    }
    void grow(int n) {
        auto* p = new std::int64_t[static_cast<std::size_t>(n)];
        std::copy_n(data(), size_, p);
        delete[] heap_;
        heap_ = p, capacity_ = n;
    }
    void release() noexcept {
        delete[] heap_;
        heap_ = nullptr, capacity_ = inline_capacity, size_ = 0;
    }
    void steal(dims& o) noexcept {
        size_ = o.size_, capacity_ = o.capacity_, heap_ = o.heap_;
        if (!heap_) copy(o.small_, size_, small_);
        o.heap_ = nullptr, o.size_ = 0, o.capacity_ = inline_capacity;
    }

    int size_ = 0, capacity_ = inline_capacity;
    std::int64_t* heap_ = nullptr;
    std::int64_t small_[inline_capacity];
};

[[nodiscard]] inline std::int64_t product(dims const& d) noexcept {
    std::int64_t n = 1;
    for (auto v : d) n *= v;
    return n;
}

}  // namespace bascule
