// Choosing items by masks, and moving them by indices. Nothing branches on a mask or an index, which are hard to guess.
#include "backend/cpu/dispatch/gather_kernels.hpp"
#ifdef __AVX2__
#include "backend/cpu/kernels/algorithms/sort_lanes.hpp"
#endif

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

constexpr std::uint64_t ones = 0x0101010101010101u;

// 1 in every byte of w that is not 0: a mask may be a view of other bytes than 0 and 1.
inline std::uint64_t boolean(std::uint64_t w) { return ((((w & 0x7f * ones) + 0x7f * ones) | w) >> 7) & ones; }
// Such bytes as bits, the lowest byte the lowest.
inline std::uint64_t gathered(std::uint64_t booleans) { return booleans * 0x0102040810204080u >> 56; }
inline std::uint64_t load_word(void const* p) {
    std::uint64_t w;
    __builtin_memcpy(&w, p, sizeof w);
    return w;
}
template <int Bytes> inline void copy_item(char* to, char const* from) { __builtin_memcpy(to, from, Bytes); }
// The nonzero bytes of 64 mask bytes as bits, the first one the lowest bit.
inline std::uint64_t booleans_of(unsigned char const* mask) {
#ifdef __AVX512BW__
    __m512i const m = _mm512_loadu_si512(mask);
    return _mm512_test_epi8_mask(m, m);
#else
    std::uint64_t word = 0;
    for (int k = 0; k < 8; ++k) word |= gathered(boolean(load_word(mask + 8 * k))) << (8 * k);
    return word;
#endif
}

// ---- masks

inline std::int64_t sum_of_bytes(std::uint64_t w) {
    constexpr std::uint64_t low = 0x00ff00ff00ff00ffu;
    return static_cast<std::int64_t>((((w & low) + ((w >> 8) & low)) * 0x0001000100010001u) >> 48);
}
std::int64_t count_nonzero(unsigned char const* m, std::int64_t n) noexcept {
    std::int64_t count = 0, i = 0;
#ifdef __AVX512BW__
    for (; i + 64 <= n; i += 64) count += __builtin_popcountll(booleans_of(m + i));
#endif
    while (i + 8 <= n) {
        std::int64_t const words = (n - i) / 8 < 255 ? (n - i) / 8 : 255;  // more would carry from byte to byte
        std::uint64_t sums = 0;
        for (std::int64_t w = 0; w < words; ++w) sums += boolean(load_word(m + i + 8 * w));
        count += sum_of_bytes(sums);
        i += 8 * words;
    }
    for (; i < n; ++i) count += m[i] != 0;
    return count;
}

#ifdef __AVX512F__
// The numbers of the selected lanes of a mask, in front. From a table: on Intel it is as fast as the machine's
// compression of lanes, on AMD faster.
inline __m512i lanes_wanted(std::uint8_t some) {
    return _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(lanes_first[some].data())));
}
#endif

#ifdef __AVX512BW__
template <int Bytes> constexpr bool in_groups = Bytes >= 4;
// Each of the lowest 4 bits twice: an item of 16 bytes is two lanes.
inline std::uint8_t twice(std::uint64_t bits) { return static_cast<std::uint8_t>(_pdep_u32(bits & 0xf, 0x55) * 3); }

// A group of 64 items, which the result has room for: every vector is written whole and the position advances by the
// number of wanted items.
template <int Bytes> inline char* take_group(char* to, char const* from, std::uint64_t wanted) {
    constexpr int lanes = 64 / Bytes;
    for (int k = 0; k < Bytes; ++k) {
        __m512i const v = _mm512_loadu_si512(from + 64 * k);
        if constexpr (Bytes == 16) {
            auto const some = twice(wanted >> (lanes * k));
            _mm512_storeu_si512(to, _mm512_permutexvar_epi64(lanes_wanted(some), v));
            to += 8 * __builtin_popcount(some);
        } else if constexpr (Bytes == 8) {
            auto const some = static_cast<std::uint8_t>(wanted >> (lanes * k));
            _mm512_storeu_si512(to, _mm512_permutexvar_epi64(lanes_wanted(some), v));
            to += Bytes * __builtin_popcount(some);
        } else {
            auto const some = static_cast<__mmask16>(wanted >> (lanes * k));
            _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(some, v));
            to += Bytes * __builtin_popcount(some);
        }
    }
    return to;
}
#elif defined(__AVX2__)
// The same of 8 items.
template <int Bytes> inline char* take_group(char* to, char const* from, std::uint32_t wanted) {
    using lanes_of = sort_lanes<std::conditional_t<Bytes == 8, std::int64_t, std::int32_t>>;
    for (int k = 0; k < Bytes / 4; ++k) {
        constexpr int lanes = 32 / Bytes;
        auto const some = wanted >> (lanes * k) & ((1u << lanes) - 1);
        typename lanes_of::V v;
        __builtin_memcpy(&v, from + 32 * k, sizeof v);
        v = lanes_of::split(v, some);
        __builtin_memcpy(to, &v, sizeof v);
        to += Bytes * __builtin_popcount(some);
    }
    return to;
}
#endif

// Writes every item and advances only past the wanted ones: an unwanted item may be written one position behind the
// last wanted one, so the next positions must belong to this piece; the rest is written item by item.
template <int Bytes>
char* compress(char* to, char* const end, char const* from, unsigned char const* mask, std::int64_t n) noexcept {
    std::int64_t i = 0;
#ifdef __AVX512BW__
    if constexpr (in_groups<Bytes>)
        for (; i + 64 <= n && end - to >= 64 * Bytes; i += 64)
            if (std::uint64_t const wanted = booleans_of(mask + i))
                to = take_group<Bytes>(to, from + i * Bytes, wanted);
#endif
    for (; i + 8 <= n && end - to >= 8 * Bytes; i += 8) {
        std::uint64_t const wanted = boolean(load_word(mask + i));
#if defined(__AVX2__) && !defined(__AVX512BW__)
        if constexpr (Bytes == 4 || Bytes == 8) {
            to = take_group<Bytes>(to, from + i * Bytes, static_cast<std::uint32_t>(gathered(wanted)));
            continue;
        }
#endif
        if (wanted == 0) continue;
        if (wanted == ones) {
            __builtin_memcpy(to, from + i * Bytes, 8 * Bytes);
            to += 8 * Bytes;
            continue;
        }
        for (int j = 0; j < 8; ++j) {
            copy_item<Bytes>(to, from + (i + j) * Bytes);
            to += ((wanted >> (8 * j)) & 1) * Bytes;
        }
    }
    for (; i + 64 <= n && to != end; i += 64)
        for (std::uint64_t wanted = booleans_of(mask + i); wanted != 0; wanted &= wanted - 1, to += Bytes)
            copy_item<Bytes>(to, from + (i + __builtin_ctzll(wanted)) * Bytes);
    for (; i < n && to != end; ++i) {
        if (mask[i] == 0) continue;
        copy_item<Bytes>(to, from + i * Bytes);
        to += Bytes;
    }
    return to;
}

std::int64_t pack_mask(std::uint64_t* bits, unsigned char const* mask, std::int64_t n) noexcept {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < n; i += 64, ++bits) {
        std::int64_t const left = n - i < 64 ? n - i : 64;
        std::uint64_t word = 0;
        if (left == 64) {
            word = booleans_of(mask + i);
        } else {
            for (std::int64_t k = 0; k < left; ++k) word |= std::uint64_t{mask[i + k] != 0} << k;
        }
        *bits = word;
        count += __builtin_popcountll(word);
    }
    return count;
}

template <int Bytes>
char* compress_bits(char* to, char* const end, char const* from, std::uint64_t const* bits, std::int64_t n) noexcept {
    for (std::int64_t i = 0; i < n; i += 64, ++bits, from += 64 * Bytes) {
        std::uint64_t wanted = *bits;
        if (wanted == 0) continue;
        if (n - i >= 64 && end - to >= 64 * Bytes) {
#if defined(__AVX512BW__)
            if constexpr (in_groups<Bytes>) {
                to = take_group<Bytes>(to, from, wanted);
                continue;
            }
#elif defined(__AVX2__)
            if constexpr (Bytes == 4 || Bytes == 8) {
                for (int k = 0; k < 8; ++k)
                    to = take_group<Bytes>(to, from + 8 * k * Bytes, static_cast<std::uint8_t>(wanted >> (8 * k)));
                continue;
            }
#endif
            for (int j = 0; j < 64; ++j, wanted >>= 1) {
                copy_item<Bytes>(to, from + j * Bytes);
                to += static_cast<int>(wanted & 1) * Bytes;
            }
            continue;
        }
        for (; wanted != 0; wanted &= wanted - 1, to += Bytes)
            copy_item<Bytes>(to, from + __builtin_ctzll(wanted) * Bytes);
    }
    return to;
}

// Positions of the true elements, by the same rule.
std::int64_t* nonzero_positions(std::int64_t* to, std::int64_t* const end, unsigned char const* mask,
                                std::int64_t first, std::int64_t n) noexcept {
    std::int64_t i = 0;
#ifdef __AVX512BW__
    __m512i const eight = _mm512_set1_epi64(8);
    for (; i + 64 <= n && end - to >= 64; i += 64) {
        std::uint64_t const wanted = booleans_of(mask + i);
        if (wanted == 0) continue;
        __m512i at = _mm512_set1_epi64(first + i);
        for (int k = 0; k < 8; ++k, at = _mm512_add_epi64(at, eight)) {
            auto const some = static_cast<std::uint8_t>(wanted >> (8 * k));
            _mm512_storeu_si512(to, _mm512_add_epi64(at, lanes_wanted(some)));
            to += __builtin_popcount(some);
        }
    }
#endif
    for (; i + 8 <= n && end - to >= 8; i += 8) {
        std::uint64_t const wanted = boolean(load_word(mask + i));
        if (wanted == 0) continue;
        for (int j = 0; j < 8; ++j) {
            *to = first + i + j;
            to += (wanted >> (8 * j)) & 1;
        }
    }
    for (; i + 64 <= n && to != end; i += 64)
        for (std::uint64_t wanted = booleans_of(mask + i); wanted != 0; wanted &= wanted - 1)
            *to++ = first + i + __builtin_ctzll(wanted);
    for (; i < n && to != end; ++i)
        if (mask[i] != 0) *to++ = first + i;
    return to;
}

#ifdef __AVX512BW__
// The same the other way: the wanted ones of 64 items of `to` from whole vectors of items, of which some are left over.
template <int Bytes> inline char const* spread_group(char* to, char const* from, std::uint64_t wanted) {
    constexpr int lanes = 64 / Bytes;
    for (int k = 0; k < Bytes; ++k) {
        __m512i const v = _mm512_loadu_si512(from);
        if constexpr (Bytes == 4) {
            auto const some = static_cast<__mmask16>(wanted >> (lanes * k));
            _mm512_mask_storeu_epi32(to + 64 * k, some, _mm512_maskz_expand_epi32(some, v));
            from += Bytes * __builtin_popcount(some);
        } else {
            auto const some = Bytes == 8 ? static_cast<std::uint8_t>(wanted >> (lanes * k))
                                         : twice(wanted >> (lanes * k));
            _mm512_mask_storeu_epi64(to + 64 * k, some, _mm512_maskz_expand_epi64(some, v));
            from += 8 * __builtin_popcount(some);
        }
    }
    return from;
}
#endif

template <int Bytes>
char const* spread(char* to, unsigned char const* mask, std::int64_t n, char const* from,
                   [[maybe_unused]] char const* const end) noexcept {
    std::int64_t i = 0;
    for (; i + 64 <= n; i += 64) {
        std::uint64_t wanted = booleans_of(mask + i);
        if (wanted == 0) continue;
#ifdef __AVX512BW__
        if constexpr (in_groups<Bytes>)
            if (end - from >= 64 * Bytes + 64) {
                from = spread_group<Bytes>(to + i * Bytes, from, wanted);
                continue;
            }
#endif
        for (; wanted != 0; wanted &= wanted - 1, from += Bytes)
            copy_item<Bytes>(to + (i + __builtin_ctzll(wanted)) * Bytes, from);
    }
    for (; i < n; ++i) {
        if (mask[i] == 0) continue;
        copy_item<Bytes>(to + i * Bytes, from);
        from += Bytes;
    }
    return from;
}

#ifdef __AVX512BW__
template <int Bytes> inline __m512i repeated(char const* item) {
    if constexpr (Bytes == 16) return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<__m128i const*>(item)));
    std::uint64_t w = 0;
    __builtin_memcpy(&w, item, Bytes < 8 ? Bytes : 8);
    if constexpr (Bytes == 1) return _mm512_set1_epi8(static_cast<char>(w));
    else if constexpr (Bytes == 2) return _mm512_set1_epi16(static_cast<short>(w));
    else if constexpr (Bytes == 4) return _mm512_set1_epi32(static_cast<int>(w));
    else return _mm512_set1_epi64(static_cast<std::int64_t>(w));
}

// Of a group of 64 items. Stores of single bytes and words are taken apart by the machine: these are joined and stored
// whole.
template <int Bytes> inline void fill_group(char* to, __m512i items, std::uint64_t wanted) {
    constexpr int lanes = 64 / Bytes;
    for (int k = 0; k < Bytes; ++k, to += 64) {
        if constexpr (Bytes == 1) {
            _mm512_storeu_si512(to, _mm512_mask_mov_epi8(_mm512_loadu_si512(to), wanted, items));
        } else if constexpr (Bytes == 2) {
            auto const some = static_cast<__mmask32>(wanted >> (lanes * k));
            _mm512_storeu_si512(to, _mm512_mask_mov_epi16(_mm512_loadu_si512(to), some, items));
        } else if constexpr (Bytes == 4) {
            _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(wanted >> (lanes * k)), items);
        } else if constexpr (Bytes == 8) {
            _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(wanted >> (lanes * k)), items);
        } else {
            _mm512_mask_storeu_epi64(to, twice(wanted >> (lanes * k)), items);
        }
    }
}
#endif

// An unwanted item is overwritten with itself, which avoids a branch.
template <int Bytes> inline void fill_if(char* to, char const* item, bool wanted) {
    copy_item<Bytes>(to, wanted ? item : to);
}

template <int Bytes> void fill_true(char* to, unsigned char const* mask, std::int64_t n, char const* item) noexcept {
    std::int64_t i = 0;
#ifdef __AVX512BW__
    __m512i const items = repeated<Bytes>(item);
    for (; i + 64 <= n; i += 64)
        if (std::uint64_t const wanted = booleans_of(mask + i)) fill_group<Bytes>(to + i * Bytes, items, wanted);
#endif
    for (; i + 8 <= n; i += 8) {
        std::uint64_t const wanted = boolean(load_word(mask + i));
        if (wanted == 0) continue;
        for (int j = 0; j < 8; ++j) fill_if<Bytes>(to + (i + j) * Bytes, item, ((wanted >> (8 * j)) & 1) != 0);
    }
    for (; i < n; ++i) fill_if<Bytes>(to + i * Bytes, item, mask[i] != 0);
}

// ---- indices

inline std::int64_t index_at(char const* index, std::int64_t i) {
    return static_cast<std::int64_t>(load_word(index + 8 * i));
}
inline std::int64_t wrapped(std::int64_t i, std::int64_t size) { return i + (size & (i >> 63)); }
constexpr int second_cache = 2;  // the prefetch hint for it

// The signs of the distances from both ends: an index so far below that the second wraps around is negative in the
// first.
bool any_out_of_bounds(char const* index, std::int64_t n, std::int64_t size) noexcept {
    auto const extent = static_cast<std::uint64_t>(size);
    std::uint64_t signs = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        std::uint64_t const k = load_word(index + 8 * i);
        signs |= (k + extent) | (extent - 1 - k);
    }
    return static_cast<std::int64_t>(signs) < 0;
}

template <int Bytes>
bool take(char* to, char const* base, char const* index, std::int64_t n, std::int64_t size) noexcept {
    bool all_inside = true;
    std::int64_t i = 0;
#ifdef __AVX512F__
    if constexpr (Bytes == 8 || Bytes == 4) {
        __m512i const extent = _mm512_set1_epi64(size);
        unsigned inside_always = 0xff;
        for (; i + 8 <= n; i += 8) {
            __m512i const raw = _mm512_loadu_si512(index + 8 * i);
            __m512i const k = _mm512_mask_add_epi64(raw, _mm512_movepi64_mask(raw), raw, extent);
            __mmask8 const inside = _mm512_cmplt_epu64_mask(k, extent);
            inside_always &= inside;
            char* const target = to + i * Bytes;
            if constexpr (Bytes == 8)
                _mm512_storeu_si512(target, _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), inside, k, base, 8));
            else
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(target),
                                    _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), inside, k, base, 4));
        }
        all_inside = inside_always == 0xff;
    }
#endif
    for (; i < n; ++i) {
        std::int64_t const k = wrapped(index_at(index, i), size);
        if (k >= 0 && k < size) copy_item<Bytes>(to + i * Bytes, base + k * Bytes);
        else all_inside = false;
    }
    return all_inside;
}

// The same with later items prefetched: into the second cache, and far ahead.
inline void fetch_item(char const* base, char const* index, std::int64_t i, std::int64_t size, int bytes) {
    auto const k = static_cast<std::uint64_t>(wrapped(index_at(index, i), size));  // of a bad index anywhere: no harm
    auto const line = reinterpret_cast<std::uintptr_t>(base) + k * static_cast<std::uint64_t>(bytes);
    __builtin_prefetch(reinterpret_cast<void const*>(line), 0, second_cache);
}
template <int Bytes>
bool take_ahead(char* to, char const* base, char const* index, std::int64_t n, std::int64_t size) noexcept {
    constexpr std::int64_t ahead = 256, together = 8;
    bool all_inside = true;
    std::int64_t i = 0;
    for (; i + together <= n - ahead; i += together) {
        for (std::int64_t k = 0; k < together; ++k) fetch_item(base, index, i + ahead + k, size, Bytes);
        all_inside &= take<Bytes>(to + i * Bytes, base, index + 8 * i, together, size);
    }
    return take<Bytes>(to + i * Bytes, base, index + 8 * i, n - i, size) && all_inside;
}

// The indices of a section that fall into a thread's range, relative to its start, and their positions in the section.
// They are listed without branches, which could not be predicted. The values are prefetched, because the processor does
// not prefetch them by itself if they are strided, and so are later indices, which would otherwise queue behind the
// lines of the stores.
template <int Most> struct put_list {
    static constexpr std::int64_t beyond = 8, ahead = 2048;  // bytes; prefetching an invalid address is harmless
    std::uint32_t target[Most + beyond], item[Most + beyond];
    std::int64_t count = 0;
    char const* from;

    void fill(put_args const& a, std::int64_t begin, std::int64_t end) {
        std::int64_t i = begin, n = 0;
        from = a.from + begin * a.from_step;
#ifdef __AVX512F__
        __m512i const size = _mm512_set1_epi64(a.size), first = _mm512_set1_epi64(a.first),
                      length = _mm512_set1_epi64(a.last - a.first);
        for (; i + 8 <= end; i += 8) {
            __builtin_prefetch(a.from + i * a.from_step);
            __builtin_prefetch(a.index + 8 * i + ahead);
            __m512i const raw = _mm512_loadu_si512(a.index + 8 * i);
            __m512i const k = _mm512_sub_epi64(_mm512_mask_add_epi64(raw, _mm512_movepi64_mask(raw), raw, size), first);
            __mmask8 const mine = _mm512_cmplt_epu64_mask(k, length);
            __m512i const wanted = lanes_wanted(mine);
            store_eight(target + n, _mm512_permutexvar_epi64(wanted, k));
            store_eight(item + n, _mm512_add_epi64(_mm512_set1_epi64(i - begin), wanted));
            n += __builtin_popcount(mine);
        }
#elif defined(__AVX2__)
        __m256i const size = _mm256_set1_epi64x(a.size), first = _mm256_set1_epi64x(a.first),
                      length = _mm256_set1_epi64x(a.last - a.first), zero = _mm256_setzero_si256();
        auto const place = [&](char const* p, unsigned& mine) {
            __m256i const raw = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(p)),
                          from_end = _mm256_and_si256(_mm256_cmpgt_epi64(zero, raw), size),
                          k = _mm256_sub_epi64(_mm256_add_epi64(raw, from_end), first),
                          inside = _mm256_andnot_si256(_mm256_cmpgt_epi64(zero, k), _mm256_cmpgt_epi64(length, k));
            mine = static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(inside)));
            return _mm256_castsi256_ps(k);
        };
        for (; i + 8 <= end; i += 8) {
            __builtin_prefetch(a.from + i * a.from_step);
            __builtin_prefetch(a.index + 8 * i + ahead);
            unsigned low = 0, high = 0;
            __m256 const front = place(a.index + 8 * i, low), back = place(a.index + 8 * i + 32, high);
            // The lower halves of all eight, in their order.
            __m256i const k = _mm256_permute4x64_epi64(
                _mm256_castps_si256(_mm256_shuffle_ps(front, back, _MM_SHUFFLE(2, 0, 2, 0))), _MM_SHUFFLE(3, 1, 2, 0));
            unsigned const mine = low | high << 4;
            __m256i const wanted =
                _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(lanes_first[mine].data())));
            store_eight(target + n, _mm256_permutevar8x32_epi32(k, wanted));
            store_eight(item + n, _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(i - begin)), wanted));
            n += __builtin_popcount(mine);
        }
#endif
        auto const extent = static_cast<std::uint64_t>(a.last - a.first);
        for (; i < end; ++i) {
            std::int64_t const k = wrapped(index_at(a.index, i), a.size) - a.first;
            target[n] = static_cast<std::uint32_t>(k), item[n] = static_cast<std::uint32_t>(i - begin);
            n += static_cast<std::uint64_t>(k) < extent ? 1 : 0;  // one comparison: compilers make a jump of two
        }
        count = n;
    }

private:
#ifdef __AVX512F__
    static void store_eight(std::uint32_t* to, __m512i v) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi64_epi32(v));
    }
#elif defined(__AVX2__)
    static void store_eight(std::uint32_t* to, __m256i v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); }
#endif
};

// The lines of the next list's targets are prefetched while the list before is stored: a store that waits for its line
// holds up all later ones.
template <int Bytes, int Most, class Fetch> void put_by_lists(put_args const& a, Fetch const& fetch_line) noexcept {
    put_list<Most> lists[2];
    char* const base = a.base + a.first * Bytes;
    for (std::int64_t begin = 0, turn = 0; begin < a.n + Most; begin += Most, turn ^= 1) {
        put_list<Most>&next = lists[turn], &now = lists[turn ^ 1];
        next.fill(a, begin < a.n ? begin : a.n, begin + Most < a.n ? begin + Most : a.n);
        auto const fetch = [&](std::int64_t j) { fetch_line(base + std::int64_t{next.target[j]} * Bytes); };
        auto const store = [&](std::int64_t j) {
            copy_item<Bytes>(base + std::int64_t{now.target[j]} * Bytes, now.from + now.item[j] * a.from_step);
        };
        std::int64_t const both = next.count < now.count ? next.count : now.count;
        for (std::int64_t j = 0; j < both; ++j) fetch(j), store(j);
        for (std::int64_t j = both; j < next.count; ++j) fetch(j);
        for (std::int64_t j = both; j < now.count; ++j) store(j);
    }
}

#ifdef __AVX512F__
// The same in small steps, so that stores wait for their lines while the next positions are listed. Those lines are
// prefetched into the second cache; operands that are read in order bypass it, as they would evict them.
template <int Bytes, bool Adjacent> void put_in_steps(put_args const& a) noexcept {
    constexpr std::int64_t lanes = 16, vectors = 4, step = vectors * lanes;  // of indices
    constexpr std::int64_t half = step / 2, ahead = 96, room = 1024;         // of listed positions
    constexpr std::int64_t index_ahead = 2048;                               // bytes; prefetching an invalid address is
                                                                             // harmless
    constexpr int past_caches = 0;                                           // the prefetch hint for it
    std::uint32_t place[room + lanes], item[room + lanes];
    std::int64_t listed = 0, stored = 0, i = 0;
    char const *const from = a.from, *const index = a.index;
    char* const base = a.base + a.first * Bytes;
    std::int64_t const from_step = Adjacent ? Bytes : a.from_step, n = a.n;

    auto const same = [](std::int64_t v) { return _mm512_set1_epi32(static_cast<int>(v)); };
    __m512i const size = same(a.size), first = same(a.first), length = same(a.last - a.first), more = same(lanes),
                  low = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    __m512i number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    auto const list = [&](std::int64_t at) __attribute__((always_inline)) {
        for (std::int64_t k = at; k < at + lanes; k += lanes / 2) {
            __builtin_prefetch(from + k * from_step, 0, past_caches);
            __builtin_prefetch(index + 8 * k + index_ahead, 0, past_caches);
        }
        char const* const p = index + 8 * at;
        __m512i const raw = _mm512_permutex2var_epi32(_mm512_loadu_si512(p), low, _mm512_loadu_si512(p + 64));
        __m512i const k = _mm512_sub_epi32(_mm512_mask_add_epi32(raw, _mm512_movepi32_mask(raw), raw, size), first);
        __mmask16 const mine = _mm512_cmplt_epu32_mask(k, length);
        _mm512_storeu_si512(place + listed, _mm512_maskz_compress_epi32(mine, k));
        _mm512_storeu_si512(item + listed, _mm512_maskz_compress_epi32(mine, number));
        number = _mm512_add_epi32(number, more);
        listed += __builtin_popcount(mine);
    };
    auto const store_one = [&](std::int64_t j) __attribute__((always_inline)) {
        copy_item<Bytes>(base + std::int64_t{place[j]} * Bytes, from + std::int64_t{item[j]} * from_step);
    };
    auto const store = [&](std::int64_t count) __attribute__((always_inline)) {
        for (std::int64_t j = stored; j < stored + count; ++j) {
            __builtin_prefetch(base + std::int64_t{place[j + ahead]} * Bytes, 0, second_cache);
            store_one(j);
        }
        stored += count;
    };
    auto const list_all = [&](auto const& meanwhile) __attribute__((always_inline)) {
        for (int k = 0; k < vectors; ++k) list(i + k * lanes), meanwhile();
    };

    for (; i + step <= n; i += step) {
        if (listed > room - step) {
            for (std::int64_t j = stored; j < listed; j += lanes) {
                _mm512_storeu_si512(place + (j - stored), _mm512_loadu_si512(place + j));
                _mm512_storeu_si512(item + (j - stored), _mm512_loadu_si512(item + j));
            }
            listed -= stored, stored = 0;
        }
        if (listed - stored >= ahead + half) list_all([&] { store(half / vectors); });
        else list_all([] {});
        while (listed - stored >= ahead + 3 * half) store(half);
    }
    for (; stored < listed; ++stored) store_one(stored);
    for (; i < n; ++i) {
        std::int64_t const k = wrapped(index_at(index, i), a.size);
        if (k >= a.first && k < a.last) copy_item<Bytes>(a.base + k * Bytes, from + i * from_step);
    }
}
#endif

template <int Bytes> void put(put_args const& a) noexcept {
#ifdef __AVX512F__
    constexpr std::int64_t most = std::int64_t{1} << 31;  // indices and items of 32 bits
    if (a.into_l2 && a.size <= most && a.n <= most)
        return a.from_step == Bytes ? put_in_steps<Bytes, true>(a) : put_in_steps<Bytes, false>(a);
#endif
    constexpr std::int64_t most_positions = std::int64_t{1} << 32;  // the range of the lists' 32-bit positions
    for (put_args part = a; part.first < a.last; part.first = part.last) {
        part.last = a.last - part.first < most_positions ? a.last : part.first + most_positions;
        if (a.into_l2) put_by_lists<Bytes, 256>(part, [](char* line) { __builtin_prefetch(line, 0, second_cache); });
        else put_by_lists<Bytes, 128>(part, [](char* line) { __builtin_prefetch(line, 1); });
    }
}

}  // namespace

gather_kernels const& moving() noexcept {
    static constexpr gather_kernels kernels{
        count_nonzero,
        nonzero_positions,
        any_out_of_bounds,
        {compress<1>, compress<2>, compress<4>, compress<8>, compress<16>},
        pack_mask,
        {compress_bits<1>, compress_bits<2>, compress_bits<4>, compress_bits<8>, compress_bits<16>},
        {spread<1>, spread<2>, spread<4>, spread<8>, spread<16>},
        {fill_true<1>, fill_true<2>, fill_true<4>, fill_true<8>, fill_true<16>},
        {take<1>, take<2>, take<4>, take<8>, take<16>},
        {take_ahead<1>, take_ahead<2>, take_ahead<4>, take_ahead<8>, take_ahead<16>},
        {put<1>, put<2>, put<4>, put<8>, put<16>}};
    return kernels;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
