// The strings of a column: references into its bytes.
#pragma once
#include "backend/cuda/algorithms/thrust/execution.hpp"
#include "bascule/core/table_algorithms_strings.hpp"

// A function that is called where it is used often: nvcc would copy it into every step of a sort.
#if defined(__CUDACC__)
#define BASCULE_CALLED __host__ __device__ __noinline__
#else
#define BASCULE_CALLED [[gnu::noinline]]
#endif

namespace bascule::cuda::algorithms {

BASCULE_HD bool bit_at(std::uint8_t const* bits, std::int64_t i) { return (bits[i >> 3] >> (i & 7) & 1) != 0; }

struct text_column {
    unsigned char const* bytes;
    std::int64_t const* offsets;
    std::uint8_t const* validity;

    explicit text_column(string_column const& c)
        : bytes(reinterpret_cast<unsigned char const*>(c.bytes)), offsets(c.offsets), validity(c.validity) {}
    explicit text_column(sort_key const& k)
        : bytes(static_cast<unsigned char const*>(k.data)), offsets(k.offsets), validity(k.validity) {}

    struct text {
        unsigned char const* data;
        std::int64_t size;
    };
    BASCULE_HD bool is_null(std::int64_t i) const { return validity && !bit_at(validity, i); }
    BASCULE_HD text operator[](std::int64_t i) const { return {bytes + offsets[i], offsets[i + 1] - offsets[i]}; }
};

// -1, 0, 1, by bytes, which is the order of code points.
struct text_order {
    BASCULE_CALLED static int compare(text_column::text a, text_column::text b) {
        std::int64_t const shared = a.size < b.size ? a.size : b.size;
        for (std::int64_t i = 0; i < shared; ++i)
            if (a.data[i] != b.data[i]) return a.data[i] < b.data[i] ? -1 : 1;
        return a.size < b.size ? -1 : a.size > b.size ? 1 : 0;
    }
    BASCULE_CALLED static bool equal(text_column::text a, text_column::text b) {
        if (a.size != b.size) return false;
        for (std::int64_t i = 0; i < a.size; ++i)
            if (a.data[i] != b.data[i]) return false;
        return true;
    }
    // The first eight bytes as a number in their order; zeros behind the text.
    BASCULE_HD static std::uint64_t prefix(text_column::text t) {
        std::uint64_t word = 0;
        for (std::int64_t i = 0; i < 8; ++i) word = word << 8 | (i < t.size ? t.data[i] : 0);
        return word;
    }
};

// Whether a row comes before another; `prefix`: of each row.
struct text_before {
    text_column column;
    std::uint64_t const* prefix;
    bool ascending, nulls_first;
    BASCULE_CALLED bool operator()(std::uint32_t a, std::uint32_t b) const {
        bool const no_a = column.is_null(a), no_b = column.is_null(b);
        if (no_a || no_b) return no_a != no_b && no_a == nulls_first;
        if (prefix[a] != prefix[b]) return (prefix[a] < prefix[b]) == ascending;
        int const order = text_order::compare(column[a], column[b]);
        return ascending ? order < 0 : order > 0;
    }
};

#undef BASCULE_CALLED

// Puts rows in the order of their strings, stably.
void order_by_text(context const&, sort_key const&, bool nulls_first, std::uint32_t* order, std::int64_t n);

}  // namespace bascule::cuda::algorithms
