// nearest_centers and center_distances: tiles of rows against all centers, in pieces of rows whose sums are merged in
// order.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/common/row_chunks.hpp"
#include "backend/cpu/dispatch/center_kernels.hpp"
#include "backend/cpu/linalg/linalg.hpp"

namespace bascule::cpu::linalg {
namespace {

using chunked::i64;
using chunked::row_chunks;
using chunked::scratch;

constexpr i64 lanes = center_kernels::lanes;
constexpr i64 least_rows = 1024;  // of a piece

// Sums of a piece take at most a quarter of its rows.
i64 piece_of(center_rows const& a) { return std::max(least_rows, (4 * a.count + lanes - 1) / lanes * lanes); }

// A tile of rows and their products with the centers, of one task.
class comparison {
public:
    comparison(center_rows const& a, double const* norms_of_centers)
        : a_(a), k_(active_center_kernels()), norms_of_centers_(norms_of_centers), tile_(a.columns * lanes),
          products_(a.count * lanes) {}

    void load(i64 row, i64 count) { load(a_.rows + row * a_.columns, count); }
    // Rows anywhere.
    void load(i64 const* rows, i64 count) {
        if (rows[count - 1] - rows[0] == count - 1) return load(rows[0], count);
        if (gathered_.size() == 0) gathered_ = scratch<double>(a_.columns * lanes);
        for (i64 r = 0; r < count; ++r)
            std::copy_n(a_.rows + rows[r] * a_.columns, a_.columns, gathered_.data() + r * a_.columns);
        load(gathered_.data(), count);
    }
    void nearest(i64* labels) const { k_.nearest(products_.data(), norms_of_centers_, a_.count, labels); }
    void two_nearest(i64* labels, double* least, double* second) const {
        k_.two_nearest(products_.data(), norms_of_centers_, a_.count, labels, least, second);
    }
    void squares(i64 const* labels, double* out) const {
        k_.squares(tile_.data(), a_.columns, a_.centers, labels, out);
    }
    void norms(double* out) const { k_.norms(tile_.data(), a_.columns, out); }
    double product(i64 center, i64 lane) const { return products_[center * lanes + lane]; }
    void add(i64 row, double weight, double* to) const {
        k_.add(a_.rows + row * a_.columns, a_.shift, a_.columns, weight, to);
    }

private:
    void load(double const* rows, i64 count) {
        k_.load(rows, count, a_.columns, a_.shift, tile_.data());
        k_.products(tile_.data(), a_.columns, a_.centers, a_.count, products_.data());
    }

    center_rows const& a_;
    center_kernels const& k_;
    double const* norms_of_centers_;
    scratch<double> tile_, products_, gathered_;
};

scratch<double> norms_of_centers(center_rows const& a) {
    center_kernels const& k = active_center_kernels();
    scratch<double> tile(a.columns * lanes), norms((a.count + lanes - 1) / lanes * lanes);
    for (i64 c = 0; c < a.count; c += lanes) {
        k.load(a.centers + c * a.columns, std::min(lanes, a.count - c), a.columns, nullptr, tile.data());
        k.norms(tile.data(), a.columns, norms.data() + c);
    }
    return norms;
}

// For each center the sum of its weighted rows, and of their weights, and how many there are; one table a piece.
class tables {
public:
    tables(nearest_centers_args& a, i64 pieces)
        : a_(a), pieces_(a.sums ? pieces : 0), width_(a.columns + 2), values_(pieces_ * a.count * width_) {
        values_.fill_bytes(0);
    }
    void add(comparison const& of, i64 piece, i64 row, i64 label, double sign = 1) const {
        double const w = sign * (a_.weights ? a_.weights[row] : 1);
        double* const to = values_.data() + (piece * a_.count + label) * width_;
        of.add(row, w, to);
        to[a_.columns] += w, to[a_.columns + 1] += w != 0 ? sign : 0;
    }
    // Onto what they were, where only what has changed was added.
    void merge() const {
        if (pieces_ == 0) return;
        i64 const size = a_.count * width_;
        for (i64 p = 1; p < pieces_; ++p)
            for (i64 i = 0; i < size; ++i) values_[i] += values_[p * size + i];
        for (i64 k = 0; k < a_.count; ++k) {
            double const* const from = values_.data() + k * width_;
            double* const to = a_.sums + k * a_.columns;
            if (a_.moved == nullptr) std::fill_n(to, a_.columns, 0.0), a_.totals[k] = 0, a_.members[k] = 0;
            for (i64 c = 0; c < a_.columns; ++c) to[c] += from[c];
            a_.totals[k] += from[a_.columns], a_.members[k] += static_cast<i64>(from[a_.columns + 1]);
        }
    }

private:
    nearest_centers_args& a_;
    i64 pieces_, width_;
    scratch<double> values_;
};

// Hamerly's bounds: of the distance of a row from its own center, and from all others.
class bounds {
public:
    bounds(nearest_centers_args const& a, double const* norms) : a_(a), half_(a.moved ? a.count : 0) {
        longest_ = *std::max_element(norms, norms + a.count);
        if (a.moved == nullptr) return;
        most_ = std::max_element(a.moved, a.moved + a.count) - a.moved;
        for (i64 k = 0; k < a.count; ++k)
            if (k != most_) second_ = std::max(second_, a.moved[k]);
        chunked::for_each_chunk({a.count, 16}, [&](i64, i64 begin, i64 end) {
            for (i64 k = begin; k < end; ++k) half_[k] = half_of_the_way_from(k);
        });
    }

    // Whether no other center can be as near to the row as its own is.
    bool keeps(i64 row) const {
        auto const label = a_.before[row];
        double const upper = (a_.upper[row] + a_.moved[label]) * wider,
                     lower = a_.lower[row] - (label == most_ ? second_ : a_.moved[most_]) * wider;
        a_.upper[row] = upper, a_.lower[row] = lower;
        return upper < std::max(lower, half_[label]);
    }
    // From the reduced distances of a row with this squared length, whose rounding is less than what is added.
    void set(i64 row, double length, double least, double second) const {
        double const error = 64 * rounding * static_cast<double>(a_.columns + 8) * (length + longest_);
        a_.upper[row] = std::sqrt(std::max(least + length, 0.0) + error);
        a_.lower[row] = std::sqrt(std::max(second + length - error, 0.0));
    }

private:
    static constexpr double rounding = 0x1p-52, wider = 1 + 1024 * rounding;
    double half_of_the_way_from(i64 k) const {
        double least = std::numeric_limits<double>::infinity();
        for (i64 other = 0; other < a_.count; ++other) {
            double sum = 0;
            for (i64 c = 0; c < a_.columns; ++c) {
                double const apart = a_.centers[k * a_.columns + c] - a_.centers[other * a_.columns + c];
                sum += apart * apart;
            }
            if (other != k) least = std::min(least, sum);
        }
        return 0.5 * std::sqrt(least) / wider;
    }

    nearest_centers_args const& a_;
    scratch<double> half_;
    double longest_ = 0, second_ = 0;
    i64 most_ = 0;
};

class assignment {
public:
    explicit assignment(nearest_centers_args& a)
        : a_(a), norms_(norms_of_centers(a)), pieces_(a.length, piece_of(a)),
          tables_(a, std::max<i64>(pieces_.count, 1)), changed_(static_cast<std::size_t>(pieces_.count)) {
        if (a.upper) bounds_.emplace(a, norms_.data());
    }

    void run() {
        chunked::for_each_chunk(pieces_, [&](i64 piece, i64 begin, i64 end) {
            comparison of(a_, norms_.data());
            i64 waiting[lanes], count = 0, changed = 0;
            for (i64 row = begin; row < end; ++row) {
                if (a_.moved && bounds_->keeps(row)) {
                    a_.labels[row] = a_.before[row];
                    continue;
                }
                waiting[count++] = row;
                if (count == lanes) changed += assign(of, piece, waiting, count), count = 0;
            }
            if (count > 0) changed += assign(of, piece, waiting, count);
            changed_[static_cast<std::size_t>(piece)] = changed;
        });
        tables_.merge();
        a_.changed = 0;
        for (i64 const c : changed_) a_.changed += c;
    }

private:
    // How many of the rows have another label than before.
    i64 assign(comparison& of, i64 piece, i64 const* rows, i64 count) const {
        alignas(64) i64 labels[lanes];
        alignas(64) double lengths[lanes], least[lanes], second[lanes];
        of.load(rows, count);
        if (bounds_) {
            of.two_nearest(labels, least, second), of.norms(lengths);
            for (i64 r = 0; r < count; ++r) bounds_->set(rows[r], lengths[r], least[r], second[r]);
        } else {
            of.nearest(labels);
        }
        if (a_.squares) {
            of.squares(labels, least);
            for (i64 r = 0; r < count; ++r) a_.squares[rows[r]] = least[r];
        }
        i64 changed = 0;
        for (i64 r = 0; r < count; ++r) {
            auto const label = static_cast<std::int32_t>(labels[r]);
            i64 const row = rows[r], before = a_.before ? a_.before[row] : -1;
            changed += before != label;
            a_.labels[row] = label;
            if (a_.sums == nullptr || (a_.moved && before == label)) continue;
            if (a_.moved) tables_.add(of, piece, row, before, -1);
            tables_.add(of, piece, row, label);
        }
        return changed;
    }

    nearest_centers_args& a_;
    scratch<double> norms_;
    row_chunks pieces_;
    tables tables_;
    std::optional<bounds> bounds_;
    std::vector<i64> changed_;
};

// body(comparison, piece, first row, rows) for each tile; the tiles of a piece one after the other.
template <class F> void for_each_tile(center_rows const& a, row_chunks const& pieces, double const* norms, F const& f) {
    chunked::for_each_chunk(pieces, [&](i64 piece, i64 begin, i64 end) {
        comparison of(a, norms);
        for (i64 row = begin; row < end; row += lanes) {
            i64 const count = std::min(lanes, end - row);
            of.load(row, count);
            f(of, piece, row, count);
        }
    });
}

void find_distances(center_distances_args const& a) {
    row_chunks const pieces(a.length, piece_of(a));
    auto const norms = norms_of_centers(a);
    scratch<double> sums(a.sums ? pieces.count * a.count : 0);
    sums.fill_bytes(0);
    for_each_tile(a, pieces, norms.data(), [&](comparison const& of, i64 piece, i64 row, i64 count) {
        alignas(64) double of_rows[lanes], weights[lanes] = {}, most[lanes];
        of.norms(of_rows);
        for (i64 r = 0; r < count; ++r) {
            weights[r] = a.weights ? a.weights[row + r] : 1;
            most[r] = a.closest ? a.closest[row + r] : std::numeric_limits<double>::infinity();
        }
        for (i64 k = 0; k < a.count; ++k) {
            double sum = 0;
            double* const to = a.distances + row * a.row_step + k * a.center_step;
            for (i64 r = 0; r < count; ++r) {
                double const reduced = norms[k] - 2 * of.product(k, r);
                double distance = std::min(std::max(reduced + of_rows[r], 0.0), most[r]);
                sum += weights[r] * distance;
                to[r * a.row_step] = a.roots ? std::sqrt(distance) : distance;
            }
            if (a.sums) sums[piece * a.count + k] += sum;
        }
    });
    if (a.sums == nullptr) return;
    std::fill_n(a.sums, a.count, 0.0);
    for (i64 p = 0; p < pieces.count; ++p)
        for (i64 k = 0; k < a.count; ++k) a.sums[k] += sums[p * a.count + k];
}

template <class Body> status checked(center_rows const& a, Body const& body) noexcept {
    if (a.count < 1 || a.count > std::numeric_limits<std::int32_t>::max())
        return fail(status::value_error, "[centers] expected at least one center");
    return guarded("[centers] no memory for the sums", [&] {
        body();
        return status::ok;
    });
}

}  // namespace

status nearest_centers(nearest_centers_args& a) noexcept {
    if (a.moved && (!a.before || !a.upper || !a.lower || !a.sums || a.squares))
        return fail(status::value_error, "[centers] bounds come with the labels before and with sums, without squares");
    return checked(a, [&] { assignment(a).run(); });
}

status center_distances(center_distances_args const& a) noexcept {
    return checked(a, [&] { find_distances(a); });
}

}  // namespace bascule::cpu::linalg
