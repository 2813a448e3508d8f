// Layout arithmetic: memory order, broadcasting, reshape as a view.
#include <algorithm>
#include <cstdlib>

#include "bascule/array/arguments.hpp"

namespace bascule {

static bool has_no_elements(dims const& shape) { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }

// As contiguous_strides, with steps where there are no elements, too.
static dims steps_of(dims const& shape, std::int64_t itemsize, bool fortran) {
    int const n = shape.size();
    dims s(n);
    auto step = static_cast<std::uint64_t>(itemsize);  // wraps for shapes that no memory holds, which are refused later
    for (int k = 0; k < n; ++k) {
        int const d = fortran ? k : n - 1 - k;
        s[d] = static_cast<std::int64_t>(step);
        step *= static_cast<std::uint64_t>(std::max<std::int64_t>(shape[d], 1));
    }
    return s;
}

dims contiguous_strides(dims const& shape, std::int64_t itemsize, bool fortran) {
    // New arrays of NumPy have no steps where there are no elements.
    return has_no_elements(shape) ? dims(shape.size(), 0) : steps_of(shape, itemsize, fortran);
}

static bool is_dense(dims const& shape, dims const& strides, std::int64_t itemsize, bool fortran) {
    int const n = shape.size();
    std::int64_t step = itemsize;
    for (int k = 0; k < n; ++k) {
        int const d = fortran ? k : n - 1 - k;
        if (shape[d] == 0) return true;
        if (shape[d] == 1) continue;
        if (strides[d] != step) return false;
        step *= shape[d];
    }
    return true;
}

bool is_c_contiguous(dims const& shape, dims const& strides, std::int64_t itemsize) {
    return product(shape) == 0 || is_dense(shape, strides, itemsize, false);
}

bool is_f_contiguous(dims const& shape, dims const& strides, std::int64_t itemsize) {
    return product(shape) == 0 || is_dense(shape, strides, itemsize, true);
}

namespace {
// Which of two axes is further out: 1, 0 (no operand decides: keep C order), or -1.
int compare_axes(std::int64_t const* const* strides, int operands, int a, int b) {
    int verdict = 0;
    for (int k = 0; k < operands; ++k) {
        auto const sa = std::abs(strides[k][a]), sb = std::abs(strides[k][b]);
        if (sa == 0 || sb == 0 || sa == sb) continue;
        if (sa > sb) return 1;  // one operand in C order decides for it
        verdict = -1;
    }
    return verdict;
}
}  // namespace

void memory_order(int ndim, std::int64_t const* const* strides, int operands, int* axes) {
    for (int i = 0; i < ndim; ++i) axes[i] = i;
    // Insertion sort from the inside out, stable where strides do not decide.
    for (int i = ndim - 2; i >= 0; --i) {
        int const axis = axes[i];
        int place = i;
        for (int j = i + 1; j < ndim; ++j) {
            int const c = compare_axes(strides, operands, axis, axes[j]);
            if (c > 0) break;
            if (c < 0) place = j;
        }
        for (int j = i; j < place; ++j) axes[j] = axes[j + 1];
        axes[place] = axis;
    }
}

dims dense_strides_like(dims const& shape, dims const& like, std::int64_t itemsize) {
    std::int64_t const* const layout = like.data();
    return dense_strides_like(shape, std::span(&layout, 1), itemsize);
}

dims dense_strides_like(dims const& shape, std::span<std::int64_t const* const> layouts, std::int64_t itemsize) {
    int const n = shape.size();
    if (has_no_elements(shape)) return dims(n, 0);
    int axes[max_dims];
    memory_order(n, layouts.data(), static_cast<int>(layouts.size()), axes);
    dims s(n);
    std::int64_t step = itemsize;
    for (int k = n - 1; k >= 0; --k) {
        s[axes[k]] = step;
        step *= std::max<std::int64_t>(shape[axes[k]], 1);
    }
    return s;
}

std::string to_string(dims const& shape) {
    std::string s = "(";
    for (int i = 0; i < shape.size(); ++i) s += (i ? "," : "") + std::to_string(shape[i]);
    return s + (shape.size() == 1 ? ",)" : ")");
}

dims broadcast_shapes(std::span<dims const* const> shapes) {
    int n = 0;
    for (auto const* s : shapes) n = std::max(n, s->size());
    if (n > max_dims)
        throw value_error("maximum supported dimension for an ndarray is currently 64, found " + std::to_string(n));
    dims out(n, 1);
    for (auto const* s : shapes) {
        for (int i = 0; i < s->size(); ++i) {
            auto& o = out[n - s->size() + i];
            auto const v = (*s)[i];
            if (v == 1 || v == o) continue;
            if (o != 1) {
                std::string text = "operands could not be broadcast together with shapes";
                for (auto const* t : shapes) text += " " + to_string(*t);
                throw value_error(text + " ");
            }
            o = v;
        }
    }
    return out;
}

dims broadcast_strides(dims const& shape, dims const& strides, dims const& to) {
    int const shift = to.size() - shape.size();
    bool fits = shift >= 0;
    for (int i = 0; fits && i < shape.size(); ++i) fits = shape[i] == 1 || shape[i] == to[shift + i];
    if (!fits)
        throw value_error("operands could not be broadcast together with remapped shapes [original->remapped]: " +
                          to_string(shape) + "  and requested shape " + to_string(to));
    dims out(to.size(), 0);
    for (int i = 0; i < shape.size(); ++i) out[shift + i] = shape[i] == 1 && to[shift + i] != 1 ? 0 : strides[i];
    return out;
}

std::pair<std::int64_t, std::int64_t> extent(dims const& shape, dims const& strides, std::int64_t offset,
                                             std::int64_t itemsize) {
    std::int64_t low = offset, high = offset;
    for (int i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0) return {offset, offset};
        auto const reach = (shape[i] - 1) * strides[i];
        (reach < 0 ? low : high) += reach;
    }
    return {low, high + itemsize};
}

// ---- views

array view(array const& a, dims shape, dims strides, std::int64_t offset) {
    arguments::layout(shape, strides, offset, a.itemsize(), *a.memory());
    array v = a;
    v.shape = std::move(shape), v.strides = std::move(strides), v.offset = offset, v.scalar = false;
    return v;
}

array transpose(array const& a, std::span<int const> axes) {
    arguments::permutation(axes, a.ndim());
    dims shape(a.ndim()), strides(a.ndim());
    for (int i = 0; i < a.ndim(); ++i) shape[i] = a.shape[axes[i]], strides[i] = a.strides[axes[i]];
    return view(a, std::move(shape), std::move(strides), a.offset);
}

array broadcast_to(array const& a, dims const& shape) {
    for (auto n : shape)
        if (n < 0) throw value_error("all elements of broadcast shape must be non-negative");
    array v = view(a, shape, broadcast_strides(a.shape, a.strides, shape), a.offset);
    v.writeable = false;
    return v;
}

namespace {
// Strides of `to` over the elements that `shape`/`strides` walk in C (or Fortran) order; false when only a copy can do
// it.
bool regroup(dims const& shape, dims const& strides, dims const& to, bool fortran, std::int64_t itemsize, dims& out) {
    dims old_shape, old_strides;
    for (int i = 0; i < shape.size(); ++i)
        if (shape[i] != 1) old_shape.push_back(shape[i]), old_strides.push_back(strides[i]);
    int const n_old = old_shape.size(), n_new = to.size();
    out.resize(n_new);
    int oi = 0, ni = 0;
    while (ni < n_new && oi < n_old) {
        int oj = oi + 1, nj = ni + 1;
        std::int64_t np = to[ni], op = old_shape[oi];
        while (np != op) {
            if (np < op) np *= to[nj++];
            else op *= old_shape[oj++];
        }
        for (int k = oi; k < oj - 1; ++k) {
            bool const chained = fortran ? old_strides[k + 1] == old_shape[k] * old_strides[k]
                                         : old_strides[k] == old_shape[k + 1] * old_strides[k + 1];
            if (!chained) return false;
        }
        if (fortran) {
            out[ni] = old_strides[oi];
            for (int k = ni + 1; k < nj; ++k) out[k] = out[k - 1] * to[k - 1];
        } else {
            out[nj - 1] = old_strides[oj - 1];
            for (int k = nj - 1; k > ni; --k) out[k - 1] = out[k] * to[k];
        }
        oi = oj, ni = nj;
    }
    std::int64_t const last = ni > 0 ? (fortran ? out[ni - 1] * to[ni - 1] : out[ni - 1]) : itemsize;
    for (int k = ni; k < n_new; ++k) out[k] = last;  // only extents of 1 are left
    return true;
}
}  // namespace

std::optional<array> reshape_view(array const& a, dims const& shape, bool fortran) {
    for (auto n : shape)
        if (n < 0) throw value_error("negative dimensions are not allowed");
    if (product(shape) != a.size())
        throw value_error("cannot reshape array of size " + std::to_string(a.size()) + " into shape " +
                          to_string(shape));
    if (a.size() == 0 || a.ndim() == 0) return view(a, shape, steps_of(shape, a.itemsize(), fortran), a.offset);
    dims strides;
    if (!regroup(a.shape, a.strides, shape, fortran, a.itemsize(), strides)) return std::nullopt;
    return view(a, shape, std::move(strides), a.offset);
}

}  // namespace bascule
