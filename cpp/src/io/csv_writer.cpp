#include "bascule/io/csv_writer.hpp"

#include <algorithm>

#include "bascule/array/device_calls.hpp"
#include "bascule/array/elementwise.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/core/device.hpp"
#include "bascule/core/error.hpp"
#include "block_list.hpp"

namespace bascule::io {
namespace {

csv_bytes as_bytes(std::string const& s) { return {s.data(), static_cast<std::int64_t>(s.size())}; }

array contiguous(array const& a) {
    if (!a.memory()) return a;
    return is_c_contiguous(a.shape, a.strides, a.itemsize()) ? a : copy(a, 'C');
}

// The memory of a column, and of its dictionary.
struct held_column {
    array values, offsets, valid, bytes;

    explicit held_column(table::column const& c)
        : values(contiguous(c.values())), offsets(contiguous(c.offsets())), valid(contiguous(c.valid())) {
        if (c.kind() != table::column::form::coded) return;
        auto const text = c.dictionary()->decoded();
        bytes = contiguous(text->values()), offsets = contiguous(text->offsets());
    }
    void note(std::vector<storage*>& used) const {
        for (auto const* a : {&values, &offsets, &valid, &bytes})
            if (a->memory()) used.push_back(a->memory());
    }
};

csv_form form_of(csv_written_column const& c) {
    auto const kind = c.values->kind();
    if (kind == table::column::form::text) return csv_form::text;
    if (kind == table::column::form::coded) return csv_form::coded_text;
    type_id const t = c.values->values().type.id;
    if (is_boolean(t)) return csv_form::boolean;
    if (is_integer(t)) return csv_form::integer;
    if (t == type_id::datetime64) return csv_form::time;
    if (t == type_id::float32 || t == type_id::float64) return c.form;
    throw type_error("[write_csv] values of this type have no form as text");
}

csv_cells cells_of(csv_written_column const& c, held_column const& held) {
    csv_cells cells;
    cells.form = form_of(c);
    cells.type = held.values.type.id, cells.unit = held.values.type.unit;
    cells.is_number = c.is_number, cells.one_form = c.one_form, cells.precision = c.precision;
    array const &values = held.values, &offsets = held.offsets, &valid = held.valid, &bytes = held.bytes;
    if (values.memory()) cells.data = values.memory()->data() + values.offset;
    if (offsets.memory())
        cells.offsets = reinterpret_cast<std::int64_t const*>(offsets.memory()->data() + offsets.offset);
    if (valid.memory()) cells.valid = reinterpret_cast<std::uint8_t const*>(valid.memory()->data() + valid.offset);
    cells.missing = as_bytes(c.missing);
    if (bytes.memory()) {
        cells.dictionary = {reinterpret_cast<char const*>(bytes.memory()->data() + bytes.offset), bytes.size()};
        cells.dictionary_size = c.values->dictionary()->length();
    }
    return cells;
}

}  // namespace

csv_text write_csv(std::span<csv_written_column const> columns, csv_write_options const& o, std::int64_t first,
                   std::int64_t past) {
    std::vector<held_column> held;
    for (auto const& c : columns) {
        if (!c.values->where().api->host_memory)
            throw not_supported("[write_csv] reads the host's memory, not that of " + c.values->where().name());
        held.emplace_back(*c.values);
    }
    std::vector<storage*> used;
    for (auto const& h : held) h.note(used);
    graph::memory_in_use const in_use(used);
    std::vector<csv_cells> cells;
    for (std::size_t k = 0; k < columns.size(); ++k) cells.push_back(cells_of(columns[k], held[k]));

    auto blocks = std::make_shared<block_list>();
    write_csv_args a;
    a.columns = cells.data(), a.column_count = static_cast<std::int64_t>(cells.size());
    a.first = first, a.past = past, a.group = o.group;
    a.length = columns.empty() ? past : columns[0].values->length();
    a.separator = o.separator, a.quote = o.quote;
    a.line_end = as_bytes(o.line_end), a.decimal = as_bytes(o.decimal);
    a.single_limit = o.single_limit;
    a.quote_all = o.quote_all, a.quote_text = o.quote_text;
    std::copy(o.effects.begin(), o.effects.end(), a.effects);
    std::copy(o.prefixes.begin(), o.prefixes.end(), a.prefixes);
    if (!o.refuses_empty_row) a.empty_row = as_bytes(o.empty_row);
    a.allocate = block_list::allocate, a.release = block_list::release, a.owner = blocks.get();
    device const host{cpu_backend(), 0};
    throw_if(device_calls::algorithm(host, algorithm_kind::write_csv, &a), host);

    csv_text text;
    text.refused = a.refused_character   ? csv_refusal::character
                   : a.refused_empty_row ? csv_refusal::empty_row
                                         : csv_refusal::none;
    text.is_ascii = a.is_ascii;
    for (std::int64_t i = 0; i < a.piece_count; ++i)
        text.pieces.emplace_back(a.pieces[i].data, static_cast<std::size_t>(a.pieces[i].size));
    text.owner = std::move(blocks);
    return text;
}

}  // namespace bascule::io
