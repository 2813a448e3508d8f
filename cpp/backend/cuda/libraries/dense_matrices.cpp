#include "backend/cuda/libraries/dense_matrices.hpp"

#include <initializer_list>

#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/launch/algorithm_kernel.hpp"

namespace bascule::cuda::libraries {
namespace {

// An iteration space over stacks of matrices: dimensions of the stack merged where all operands allow it, so that few
// kernels are compiled; then rows and columns.
class matrix_space {
public:
    matrix_space(std::vector<std::int64_t> const& stack, std::initializer_list<placed_matrices const*> operands) {
        strides_.resize(operands.size());
        for (std::size_t d = 0; d < stack.size(); ++d) add(stack[d], d, operands);
        if (shape_.empty()) shape_.push_back(1), for_each(operands, [](auto&) { return 0; });
        placed_matrices const& first = **operands.begin();
        shape_.push_back(first.rows), for_each(operands, [](auto& m) { return m.row; });
        shape_.push_back(first.columns), for_each(operands, [](auto& m) { return m.column; });
    }
    int ndim() const { return static_cast<int>(shape_.size()); }
    std::int64_t const* shape() const { return shape_.data(); }
    std::int64_t const* strides(std::size_t operand) const { return strides_[operand].data(); }

private:
    template <class Stride> void for_each(std::initializer_list<placed_matrices const*> operands, Stride&& stride) {
        std::size_t k = 0;
        for (placed_matrices const* m : operands) strides_[k++].push_back(stride(*m));
    }
    void add(std::int64_t extent, std::size_t d, std::initializer_list<placed_matrices const*> operands) {
        if (extent == 1) return;
        bool joined = !shape_.empty();
        std::size_t k = 0;
        for (placed_matrices const* m : operands) {
            joined = joined && strides_[k].back() == extent * m->stack[d];
            ++k;
        }
        if (joined) {
            shape_.back() *= extent;
            for (auto& s : strides_) s.pop_back();
        } else {
            shape_.push_back(extent);
        }
        for_each(operands, [d](auto& m) { return m.stack[d]; });
    }

    std::vector<std::int64_t> shape_;
    std::vector<std::vector<std::int64_t>> strides_;
};

}  // namespace

type_id real_type_of(type_id t) {
    return t == type_id::complex64 ? type_id::float32 : t == type_id::complex128 ? type_id::float64 : t;
}
type_id complex_type_of(type_id t) {
    return t == type_id::float32 ? type_id::complex64 : t == type_id::float64 ? type_id::complex128 : t;
}

matrix_stacks::matrix_stacks(device& d, stream_handle stream, int ndim, std::int64_t const* shape)
    : device_(d), stream_(stream), shape_(shape, shape + ndim) {
    for (std::int64_t n : shape_) count_ *= n;
}

placed_matrices matrix_stacks::placed(matrix_stack const& s, type_id t, std::int64_t rows, std::int64_t columns) const {
    return {t, s.data, {s.stack, s.stack + shape_.size()}, rows, columns, s.row, s.column};
}

placed_matrices matrix_stacks::dense(void* data, type_id t, std::int64_t rows, std::int64_t columns) const {
    std::vector<std::int64_t> strides(shape_.size());
    std::int64_t bytes = rows * columns * itemsize(t);
    for (std::size_t d = shape_.size(); d-- > 0; bytes *= shape_[d]) strides[d] = bytes;
    return {t, data, std::move(strides), rows, columns, itemsize(t), rows * itemsize(t)};
}

void matrix_stacks::copy(placed_matrices const& to, placed_matrices const& from, matrix_part part, bool conjugate,
                         void const* info) const {
    matrix_space const space(shape_, {&to, &from});
    algorithm_kernel kernel(device_, stream_, space.ndim(), space.shape());
    if (kernel.items() == 0) return;
    kernel.needs("backend/cuda/kernels/matrices.cuh");
    kernel.operand(to.data, space.strides(0));
    kernel.operand(from.data, space.strides(1));
    kernel.pointer(info);
    kernel.word(static_cast<int>(part)), kernel.word(conjugate);
    kernel.add("copy", "copy_matrices<" + kernel.rank() + ", " + element_text(to.dtype) + ", " +
                           element_text(from.dtype) + ">");
    kernel.launch("copy", kernel.items());
}

void matrix_stacks::set_identity(placed_matrices const& to) const {
    matrix_space const space(shape_, {&to});
    algorithm_kernel kernel(device_, stream_, space.ndim(), space.shape());
    if (kernel.items() == 0) return;
    kernel.needs("backend/cuda/kernels/matrices.cuh");
    kernel.operand(to.data, space.strides(0));
    kernel.add("set", "set_identity<" + kernel.rank() + ", " + element_text(to.dtype) + ">");
    kernel.launch("set", kernel.items());
}

dense_matrices::dense_matrices(matrix_stacks const& s, type_id t, std::int64_t rows, std::int64_t columns)
    : stacks_(s), dtype_(t), rows_(rows), columns_(columns), bytes_(rows * columns * itemsize(t)),
      memory_(s.on(), s.count() * bytes_, s.stream()) {}

}  // namespace bascule::cuda::libraries
