// Matrices as NVIDIA's libraries require them, dense and by columns, and the copies from and to arrays.
#pragma once
#include <vector>

#include "backend/cuda/device/device.hpp"
#include "bascule/core/array_algorithms_linear.hpp"

namespace bascule::cuda::libraries {

type_id real_type_of(type_id);
type_id complex_type_of(type_id);

// A stack of matrices with its own strides.
struct placed_matrices {
    type_id dtype;
    void* data;
    std::vector<std::int64_t> stack;
    std::int64_t rows, columns, row, column;  // extents, and bytes from one to the next

    placed_matrices turned() const {
        placed_matrices t = *this;
        std::swap(t.rows, t.columns), std::swap(t.row, t.column);
        return t;
    }
};

enum class matrix_part : std::uint8_t { whole, upper, lower };

// Where kernels run: a stack's shape on a stream. All work is queued.
class matrix_stacks {
public:
    matrix_stacks(device& d, stream_handle stream, int ndim, std::int64_t const* shape);

    device& on() const { return device_; }
    stream_handle stream() const { return stream_; }
    std::int64_t count() const { return count_; }

    placed_matrices placed(matrix_stack const&, type_id, std::int64_t rows, std::int64_t columns) const;
    // By columns, one matrix after the other.
    placed_matrices dense(void* data, type_id, std::int64_t rows, std::int64_t columns) const;

    // NaN for the matrices whose word of `info`, if there are any, is not 0.
    void copy(placed_matrices const& to, placed_matrices const& from, matrix_part = matrix_part::whole,
              bool conjugate = false, void const* info = nullptr) const;
    void set_identity(placed_matrices const& to) const;

private:
    device& device_;
    stream_handle stream_;
    std::vector<std::int64_t> shape_;
    std::int64_t count_ = 1;
};

// Dense matrices in memory of this call.
class dense_matrices {
public:
    dense_matrices(matrix_stacks const& s, type_id t, std::int64_t rows, std::int64_t columns);

    void* data() const { return memory_.get(); }
    void* matrix(std::int64_t i) const { return static_cast<char*>(memory_.get()) + i * bytes_; }
    std::int64_t leading() const { return rows_ > 0 ? rows_ : 1; }
    std::int64_t elements() const { return rows_ * columns_; }
    placed_matrices placed() const { return stacks_.dense(data(), dtype_, rows_, columns_); }

private:
    matrix_stacks const& stacks_;
    type_id dtype_;
    std::int64_t rows_, columns_, bytes_;
    scratch memory_;
};

}  // namespace bascule::cuda::libraries
