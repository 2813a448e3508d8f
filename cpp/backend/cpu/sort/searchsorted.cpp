// Binary searches of many values in lock-step: all lanes halve the same length, so that nothing branches on the data
// and the misses of one step overlap. Values that ascend are searched for between the positions of the first and the
// last.
#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/common/scratch.hpp"
#include "backend/cpu/sort/comparison_key.hpp"
#include "backend/cpu/sort/sort.hpp"

namespace bascule::cpu::sorting {
namespace {

constexpr int lanes = 16;
constexpr std::int64_t cached_bytes = 32768;  // from here on the rest of the range fits in the first cache

template <bool Right> bool goes_before(std::uint64_t element, std::uint64_t value) noexcept {
    return Right ? element <= value : element < value;
}

template <class T, bool Right>
void search_lanes(T const* data, std::int64_t length, T const* values, int count, std::int64_t* out) noexcept {
    std::uint64_t key[lanes];
    std::int64_t at[lanes] = {};
    for (int l = 0; l < lanes; ++l) key[l] = comparison_key(values[l < count ? l : 0]);
    for (std::int64_t left = length; left > 1;) {
        std::int64_t const half = left / 2;
        left -= half;
        bool const fetch = left * static_cast<std::int64_t>(sizeof(T)) > cached_bytes;
        for (int l = 0; l < lanes; ++l) {
            at[l] += goes_before<Right>(comparison_key(data[at[l] + half - 1]), key[l]) ? half : 0;
            if (fetch) __builtin_prefetch(data + at[l] + left / 2 - 1);
        }
    }
    for (int l = 0; l < count; ++l) out[l] = at[l] + (goes_before<Right>(comparison_key(data[at[l]]), key[l]) ? 1 : 0);
}

constexpr std::int64_t ascending_run = 512;

template <class T> bool ascends(T const* values, std::int64_t count) noexcept {
    bool in_order = true;
    for (std::int64_t i = 1; i < count; ++i) in_order &= comparison_key(values[i - 1]) <= comparison_key(values[i]);
    return in_order;
}

// Values [begin, past), whose positions are known to be from `first` on and at most at first + length.
template <class T, bool Right>
void search_within(T const* data, std::int64_t first, std::int64_t length, T const* values, std::int64_t begin,
                   std::int64_t past, std::int64_t* out) noexcept {
    for (std::int64_t i = begin; i < past; i += lanes) {
        auto const count = static_cast<int>(std::min<std::int64_t>(lanes, past - i));
        if (length > 0) search_lanes<T, Right>(data + first, length, values + i, count, out + i);
        for (int l = 0; l < count; ++l) out[i + l] = (length > 0 ? out[i + l] : 0) + first;
    }
}

template <class T, bool Right>
void search_run(T const* data, std::int64_t length, T const* values, std::int64_t begin, std::int64_t past,
                std::int64_t* out) noexcept {
    std::int64_t first = 0, last = 0;
    search_lanes<T, Right>(data, length, values + begin, 1, &first);
    search_lanes<T, Right>(data, length, values + past - 1, 1, &last);
    search_within<T, Right>(data, first, last - first, values, begin, past, out);
}

template <class T, bool Right> void search(searchsorted_args const& a) noexcept {
    auto const* const data = static_cast<T const*>(a.data);
    auto const* const values = static_cast<T const*>(a.values);
    row_blocks const work(a.count, 4 * std::int64_t{sched::thread_count()}, 4096);
    work.run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; i += ascending_run) {
            std::int64_t const past = std::min(i + ascending_run, end);
            if (past - i > lanes && ascends(values + i, past - i))
                search_run<T, Right>(data, a.length, values, i, past, a.out);
            else search_within<T, Right>(data, 0, a.length, values, i, past, a.out);
        }
    });
}

}  // namespace

status searchsorted(searchsorted_args const& a) noexcept {
    if (a.length == 0) {
        std::fill_n(a.out, a.count, std::int64_t{0});
        return status::ok;
    }
    bool const known = visit_key_type(a.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if (a.right) search<T, true>(a);
        else search<T, false>(a);
    });
    if (known) return status::ok;
    set_last_error("[searchsorted] complex values have no order here");
    return status::not_supported;
}

}  // namespace bascule::cpu::sorting
