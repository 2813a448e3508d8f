// Integers of several columns that are close together in each: the cell of a row in the grid of their ranges is written
// as its number, a cache's worth of rows at a time, and the first row of each cell noted. Where some cells are empty, a
// second pass closes the gaps.
#include "backend/cpu/tables/group_grid.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "backend/cpu/tables/group_keys.hpp"
#include "bascule/core/element_dispatch.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

constexpr i64 tile = 2048;  // rows whose cells stay in the nearest cache while the columns are added

struct span_of_values {
    i64 least = std::numeric_limits<i64>::max(), most = std::numeric_limits<i64>::min();
    bool has_null = false;
    void merge(span_of_values const& o) {
        least = std::min(least, o.least), most = std::max(most, o.most), has_null |= o.has_null;
    }
    // The size of the dimension: null has a position of its own, the last.
    u64 size() const {
        u64 const values = least > most ? 0 : static_cast<u64>(most) - static_cast<u64>(least) + 1;
        return std::max<u64>(values, 1) + has_null;
    }
};

template <class T> span_of_values span_in(group_column const& c, i64 begin, i64 end) {
    auto const* const data = static_cast<T const*>(c.data);
    T least = std::numeric_limits<T>::max(), most = std::numeric_limits<T>::min();
    bool has_null = false;
    if (c.validity == nullptr) {
        for (i64 i = begin; i < end; ++i) least = std::min(least, data[i]), most = std::max(most, data[i]);
    } else {
        for (i64 i = begin; i < end; ++i) {
            bool const valid = is_valid(c.validity, i);
            has_null |= !valid;
            if (valid) least = std::min(least, data[i]), most = std::max(most, data[i]);
        }
    }
    span_of_values span;
    span.has_null = has_null;
    if (least <= most) span.least = static_cast<i64>(least), span.most = static_cast<i64>(most);
    return span;
}

// cell = cell * size of this dimension + the row's position in it.
template <class T>
void add_dimension(group_column const& c, span_of_values const& span, i64 begin, i64 end, u32* cells) {
    auto const* const data = static_cast<T const*>(c.data);
    auto const least = static_cast<u32>(span.least), size = static_cast<u32>(span.size());
    if (!span.has_null) {
        for (i64 i = begin; i < end; ++i) cells[i] = cells[i] * size + (static_cast<u32>(data[i]) - least);
        return;
    }
    for (i64 i = begin; i < end; ++i) {
        u32 const place = is_valid(c.validity, i) ? static_cast<u32>(data[i]) - least : size - 1;
        cells[i] = cells[i] * size + place;
    }
}

constexpr type_set grid_types = types::integers & ~set_of(type_id::uint64);

class grid {
public:
    grid(factorize_args const& a, u32* codes) : a_(a), codes_(codes), spans_(static_cast<std::size_t>(a.nkeys)) {}

    bool run(key_groups& groups) {
        if (!find_spans()) return false;
        find_cells();
        number(groups);
        return true;
    }

private:
    template <class F> void each_dimension(F const& f) {
        for (std::size_t k = 0; k < spans_.size(); ++k)
            with_element<grid_types>(a_.keys[k].dtype, [&]<class T>(T type) { f(type, a_.keys[k], spans_[k]); });
    }
    bool find_spans() {
        row_chunks const chunks(a_.length, chunk_rows);
        std::vector<span_of_values> found(static_cast<std::size_t>(chunks.count) * spans_.size());
        for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
            auto* to = found.data() + static_cast<std::size_t>(c) * spans_.size();
            each_dimension(
                [&]<class T>(T, group_column const& key, auto const&) { *to++ = span_in<T>(key, begin, end); });
        });
        for (std::size_t i = 0; i < found.size(); ++i) spans_[i % spans_.size()].merge(found[i]);
        for (auto const& s : spans_) {
            if (s.size() > static_cast<u64>(most_grid_cells)) return false;
            cells_ *= static_cast<i64>(s.size());
            if (cells_ > most_grid_cells) return false;
        }
        return true;
    }

    // Backwards, so that the last store to a cell is its first row.
    void find_cells() {
        auto const chunks = table_chunks(a_.length, cells_ * 4);
        scratch<u32> tables(chunks.count * cells_);
        for_each_chunk(chunks, [&](i64 c, i64 first, i64 last) {
            u32* const table = tables.data() + c * cells_;
            std::fill(table, table + cells_, null_group);
            for (i64 end = last; end > first; end -= std::min(tile, end - first)) {
                i64 const begin = std::max(first, end - tile);
                std::fill(codes_ + begin, codes_ + end, 0u);
                each_dimension([&]<class T>(T, group_column const& key, span_of_values const& span) {
                    add_dimension<T>(key, span, begin, end, codes_);
                });
                for (i64 i = end - 1; i >= begin; --i) table[codes_[i]] = static_cast<u32>(i);
            }
        });
        first_ = scratch<u32>(cells_);
        for (i64 k = 0; k < cells_; ++k) {
            u32 row = null_group;
            for (i64 c = 0; c < chunks.count; ++c) row = std::min(row, tables[c * cells_ + k]);
            first_[k] = row;
        }
        if (!a_.keep_nulls)
            for (i64 k = 0; k < cells_; ++k)
                if (lacks_key(k)) first_[k] = null_group;
    }
    bool lacks_key(i64 cell) const {
        for (auto s = spans_.rbegin(); s != spans_.rend(); ++s) {
            auto const size = static_cast<i64>(s->size());
            if (s->has_null && cell % size == size - 1) return true;
            cell /= size;
        }
        return false;
    }

    void number(key_groups& groups) {
        std::vector<u32> met;
        for (i64 k = 0; k < cells_; ++k)
            if (first_[k] != null_group) met.push_back(static_cast<u32>(k));
        if (a_.order == group_order::appearance)
            std::sort(met.begin(), met.end(), [&](u32 x, u32 y) { return first_[x] < first_[y]; });
        groups.count = std::ssize(met);
        groups.first = scratch<u32>(groups.count);
        scratch<u32> to(cells_);
        std::fill_n(to.data(), cells_, null_group);
        bool same = groups.count == cells_;
        for (i64 g = 0; g < groups.count; ++g) {
            u32 const cell = met[static_cast<std::size_t>(g)];
            to[cell] = static_cast<u32>(g), groups.first[g] = first_[cell];
            same &= cell == static_cast<u32>(g);
        }
        if (same) return;
        for_each_chunk({a_.length, chunk_rows}, [&](i64, i64 begin, i64 end) {
            for (i64 i = begin; i < end; ++i) codes_[i] = to[codes_[i]];
        });
    }

    factorize_args const& a_;
    u32* codes_;
    std::vector<span_of_values> spans_;
    i64 cells_ = 1;
    scratch<u32> first_;
};

}  // namespace

bool number_in_grid(factorize_args const& a, u32* codes, key_groups& groups) {
    for (int k = 0; k < a.nkeys; ++k)
        if (a.keys[k].offsets != nullptr || !contains(grid_types, a.keys[k].dtype)) return false;
    return grid(a, codes).run(groups);
}

}  // namespace bascule::cpu::tables::grouping
