// Launches the kernels of whole algorithms.
#pragma once
#include "backend/cuda/codegen/plan_text.hpp"

namespace bascule::cuda {

// A kernel over an iteration space whose words are: number of items, extents, operands, and those of the algorithm.
class algorithm_kernel {
public:
    algorithm_kernel(device& d, stream_handle stream, int ndim, std::int64_t const* shape)
        : d_(d), stream_(stream), ndim_(ndim), shape_(shape) {
        for (int i = 0; i < ndim; ++i) items_ *= shape[i];
        word(items_);
        for (int i = 0; i < ndim; ++i) word(shape[i]);
    }
    void word(std::int64_t value) { text_.word(static_cast<std::uint64_t>(value)); }
    void pointer(void const* p) { text_.word(reinterpret_cast<std::uint64_t>(p)); }
    void operand(void const* base, std::int64_t const* strides) {
        pointer(base);
        for (int i = 0; i < ndim_; ++i) word(strides[i]);
    }
    void set_items(std::int64_t n) { text_.parameters()[0] = static_cast<std::uint64_t>(items_ = n); }
    // Adds a kernel that calls `call`<rank, ...>(p).
    void add(char const* name, std::string const& call) { text_.kernel(name, "    " + call + "(p);\n"); }
    // Kernels read what the ones before them wrote, so none is queued after one that the driver refused. The error is
    // reported by the next synchronize.
    void launch(char const* name, std::int64_t threads) {
        function_handle const f = d_.kernel(text_.unit(), name);
        taken_ = taken_ && d_.launch(f, d_.grid_for(threads), text_.parameters(), stream_);
    }
    void fill(void* to, unsigned char byte, std::int64_t bytes) {
        taken_ = d_.fill(to, byte, bytes, stream_) && taken_;
    }

    void needs(std::string header) { text_.needs(std::move(header)); }

    std::string rank() const { return std::to_string(ndim_); }
    std::int64_t items() const { return items_; }
    std::int64_t const* shape() const { return shape_; }
    device& on() const { return d_; }
    stream_handle stream() const { return stream_; }

private:
    device& d_;
    stream_handle stream_;
    int ndim_;
    std::int64_t const* shape_;
    std::int64_t items_ = 1;
    kernel_text text_;
    bool taken_ = true;  // the work so far
};

template <class T> T read_back(device& d, void const* p, stream_handle stream) {
    T value{};
    d.copy(&value, p, sizeof value, copy_kind::device_to_host, stream);
    d.synchronize(stream);
    return value;
}

}  // namespace bascule::cuda
