// Helpers that the table room shares to call a device's algorithms: contiguous buffers, kept alive and in use for the
// call.
#pragma once
#include <deque>
#include <vector>

#include "bascule/array/device_calls.hpp"
#include "bascule/array/elementwise.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/core/device.hpp"
#include "bascule/table/column.hpp"

namespace bascule::table {

inline array contiguous(array const& a) { return is_c_contiguous(a.shape, a.strides, a.itemsize()) ? a : copy(a, 'C'); }
template <class T = void> T* pointer(array const& a) {
    return a.memory() ? reinterpret_cast<T*>(a.memory()->data() + a.offset) : nullptr;
}

// Arrow's bitmap of a bool array.
array pack_validity(array const& valid);

// A column's buffers as algorithms read them. Valid while it lives; addresses are taken once `inputs` holds it.
struct buffers {
    array values, offsets, bits;
    std::int64_t length = 0;
    explicit buffers(column const& c, bool want_bits = true);
};

// Buffers of several columns, evaluated together and in use until it goes.
class inputs {
public:
    buffers const& add(column const& c, bool want_bits = true) { return list_.emplace_back(c, want_bits); }
    void hold(array const& a) { arrays_.push_back(a); }
    void begin();

private:
    std::deque<buffers> list_;
    std::vector<array> arrays_;
    std::unique_ptr<graph::memory_in_use> used_;
};

// Arrays that an algorithm allocates by size: bytes in the order of its calls.
struct results {
    device where;
    std::vector<array> arrays;
    static void* allocate(void* self, std::int64_t bytes) noexcept;
    // The array at an address that was handed out.
    array at(void const* p) const;
};

inline void run(device where, algorithm_kind kind, void* args) {
    throw_if(device_calls::algorithm(where, kind, args), where);
}

// The column of text that an algorithm made of n rows, in memory that it asked `made` for.
column text_from(string_result const& r, results const& made, std::int64_t n);

// The same bytes seen as elements of a type; contiguous.
array reinterpret(array const& bytes, type_id t);

inline string_column as_strings(buffers const& b) {
    return {pointer<char const>(b.values), pointer<std::int64_t const>(b.offsets), pointer<std::uint8_t const>(b.bits),
            b.length};
}

}  // namespace bascule::table
