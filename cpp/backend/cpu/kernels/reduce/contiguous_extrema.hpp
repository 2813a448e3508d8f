// The least or the greatest of contiguous floating-point numbers, in the lanes of ops::aggregate::extremum_algebra:
// numbers without NaN take one instruction, and pieces with NaN are reduced again.
#pragma once
#include "backend/cpu/kernels/whole_vectors.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class Better, class T> struct contiguous_extremum {
    using vector = typename eight_lanes<T>::vector;
    using unaligned = typename eight_lanes<T>::unaligned;
    using algebra = ops::aggregate::extremum_algebra<T, Better, ops::same_type<Better, ops::minimum> ? 1 : -1>;
    static constexpr int width = eight_lanes<T>::size / static_cast<int>(sizeof(T)),
                         count = 128 / static_cast<int>(sizeof(T)), parts = count / width;
    static constexpr std::int64_t piece = 512;
    struct lanes {
        vector part[parts];
    };

    static auto before(vector a, vector b) {
        if constexpr (ops::same_type<Better, ops::minimum>) return a < b;
        else return a > b;
    }
    static vector load(T const* x, int k) { return *reinterpret_cast<unaligned const*>(x + k * width); }

    // False, with nothing changed, if there is a NaN.
    static bool reduce_numbers(lanes& best, T const* x, std::int64_t n) {
        lanes now = best;
        decltype(vector{} < vector{}) strange[parts] = {};
        for (std::int64_t i = 0; i < n; i += count)
            for (int k = 0; k < parts; ++k) {
                vector const v = load(x + i, k);
                strange[k] |= v != v;
                now.part[k] = before(now.part[k], v) ? now.part[k] : v;
            }
        for (int k = 1; k < parts; ++k) strange[0] |= strange[k];
        std::int64_t found = 0;
        for (int j = 0; j < width; ++j) found |= strange[0][j];
        if (found) return false;
        best = now;
        return true;
    }
    static void reduce_any(lanes& best, T const* x, std::int64_t n) {
        for (std::int64_t i = 0; i < n; i += count)
            for (int k = 0; k < parts; ++k) {
                vector const v = load(x + i, k), b = best.part[k];
                best.part[k] = (b != b) | before(b, v) ? b : v;
            }
    }
    // Of numbers; whether of equals the first is taken shows in the sign of zero alone.
    static T best_of(lanes const& l) {
        vector v = l.part[0];
        for (int k = 1; k < parts; ++k) v = before(v, l.part[k]) ? v : l.part[k];
        T lane[width];
        __builtin_memcpy(lane, &v, sizeof lane);
        for (int half = width / 2; half > 0; half /= 2)
            for (int j = 0; j < half; ++j) lane[j] = better(lane[j], lane[j + half]);
        return lane[0];
    }
    static T better(T a, T b) {
        if constexpr (ops::same_type<Better, ops::minimum>) return a < b ? a : b;
        else return a > b ? a : b;
    }
    // Any zero is good for both where the sign does not matter.
    static T reduce(T const* x, std::int64_t n, bool signs_matter = true) {
        lanes best;
        for (auto& p : best.part) p = vector{} + algebra::identity();
        bool numbers = true;
        std::int64_t const whole = n - n % count;
        for (std::int64_t i = 0; i < whole; i += piece) {
            std::int64_t const m = whole - i < piece ? whole - i : piece;
            fetch_between(x + i + piece, x + i + 2 * piece);
            numbers = numbers && reduce_numbers(best, x + i, m);
            if (!numbers) reduce_any(best, x + i, m);
        }
        if (numbers && n >= count) {
            lanes last = best;  // the last ones once more, with the remainder
            if (reduce_numbers(last, x + n - count, count))
                if (T const found = best_of(last); found != 0 || !signs_matter) return found;
        }
        T lane[count], s = algebra::identity();
        __builtin_memcpy(lane, best.part, sizeof lane);
        for (T const v : lane) s = Better{}(s, v);
        for (std::int64_t i = whole; i < n; ++i) s = Better{}(s, x[i]);
        return s;
    }
};

// Of integers and booleans.
template <class Better, class T> struct contiguous_extremum_of_integers : whole_vectors<T> {
    using typename whole_vectors<T>::vector;
    using whole_vectors<T>::width, whole_vectors<T>::parts, whole_vectors<T>::group;

    static vector better(vector a, vector b) {
        if constexpr (ops::same_type<Better, ops::minimum>) return a < b ? a : b;
        else return a > b ? a : b;
    }
    static T reduce(T const* x, std::int64_t n, T identity) {
        T s = identity;
        std::int64_t i = 0;
        if (n >= group) {
            vector best[parts];
            for (int k = 0; k < parts; ++k) best[k] = whole_vectors<T>::load(x, k);
            for (i = group; n - i >= group; i += group) {
                whole_vectors<T>::fetch_after(x + i);
                for (int k = 0; k < parts; ++k) best[k] = better(best[k], whole_vectors<T>::load(x + i, k));
            }
            for (int k = 1; k < parts; ++k) best[0] = better(best[0], best[k]);
            T lane[width];
            __builtin_memcpy(lane, best, sizeof lane);
            for (T const v : lane) s = Better{}(s, v);
        }
        for (; i < n; ++i) s = Better{}(s, x[i]);
        return s;
    }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
