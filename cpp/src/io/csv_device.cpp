// read_csv on a device with memory of its own: the host reads the header, the device everything else.
#include <algorithm>
#include <cstring>
#include <fstream>

#include "bascule/array/device_calls.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/core/device.hpp"
#include "bascule/io/csv_frame.hpp"
#include "bascule/sched/progress.hpp"
#include "csv_call.hpp"

namespace bascule::io {
namespace {

char* address(array const& a) { return reinterpret_cast<char*>(a.memory()->data()) + a.offset; }

// Memory of the device that the algorithm asked for, as arrays of bytes.
struct device_memory {
    device where;
    std::vector<array> arrays;

    static void* allocate(void* self, std::int64_t bytes) noexcept {
        auto& m = *static_cast<device_memory*>(self);
        try {
            m.arrays.push_back(empty(m.where, make_dtype(type_id::uint8), {bytes}));
            return address(m.arrays.back());
        } catch (...) { return nullptr; }
    }
    // The bytes at an address that was handed out; none where there is nothing to hold.
    array bytes_at(void const* p) const {
        if (!p) return empty(where, make_dtype(type_id::uint8), {0});
        for (array const& a : arrays)
            if (address(a) == p) return a;
        throw device_error("[read_csv] a column lies in memory that was not asked for");
    }
    array at(void const* p, type_id type, std::int64_t n) const {
        array a = bytes_at(p);
        a.type = make_dtype(type), a.shape = {n}, a.strides = {itemsize(type)};
        return a;
    }
};

// The text from a row's begin on, in the host's memory.
class host_text {
public:
    host_text(csv_input const& input, std::int64_t begin) {
        if (!input.is_file) {
            text_ = input.text.substr(std::min(static_cast<std::size_t>(begin), input.text.size()));
            return;
        }
        std::ifstream file(input.path, std::ios::binary | std::ios::ate);
        // A header without an end of line ends behind the file's end.
        std::int64_t const size = file ? std::max<std::int64_t>(file.tellg() - std::streamoff{begin}, 0) : -1;
        memory_ = empty({cpu_backend(), 0}, make_dtype(type_id::uint8), {std::max<std::int64_t>(size, 0)});
        char* const to = address(memory_);
        file.seekg(begin);
        if (size < 0 || (size > 0 && !file.read(to, size)))
            throw csv_error("OSError", "[read_csv] '" + input.path + "' became shorter while it was read");
        text_ = {to, static_cast<std::size_t>(size)};
    }
    std::string_view text() const { return text_; }

private:
    array memory_;
    std::string_view text_;
};

// The rows in the device's memory, with a newline at the end.
array on_device(device where, std::string_view text) {
    auto const n = static_cast<std::int64_t>(text.size());
    bool const ended = text.back() == '\n';
    array rows = empty(where, make_dtype(type_id::uint8), {ended ? n : n + 1});
    char* const to = address(rows);
    throw_if(device_calls::copy(where, to, text.data(), n, copy_kind::host_to_device), where);
    if (!ended) throw_if(device_calls::copy(where, to + n, "\n", 1, copy_kind::host_to_device), where);
    return rows;
}

std::vector<csv_column> wanted_columns(read_csv_args const& call, read_csv_args const& header) {
    std::vector<csv_column> columns;
    for (std::int64_t i = 0; i < header.column_count; ++i) {
        std::int64_t const k = i - header.implicit_index;
        if (k >= 0 && call.wanted && (k >= call.wanted_count || !call.wanted[k])) continue;
        csv_column c;
        c.kind = k >= 0 && k < call.kind_count ? call.kinds[k] : csv_kind::automatic;
        c.position = header.columns[i].position;
        c.name = header.columns[i].name;
        columns.push_back(c);
    }
    return columns;
}

table::column values_of(csv_column const& c, device_memory const& made, std::int64_t rows) {
    array const valid = c.validity ? made.at(c.validity, type_id::bool_, rows) : array{};
    switch (c.kind) {
        case csv_kind::int64: return table::column(made.at(c.data, type_id::int64, rows));
        case csv_kind::uint64: return table::column(made.at(c.data, type_id::uint64, rows));
        case csv_kind::float64: return table::column(made.at(c.data, type_id::float64, rows));
        case csv_kind::boolean: return table::column(made.at(c.data, type_id::bool_, rows), valid);
        case csv_kind::date: {
            array values = made.at(c.data, type_id::datetime64, rows);
            values.type.unit = c.unit;
            return table::column(values);
        }
        default: break;
    }
    return table::column::text(made.bytes_at(c.data), made.at(c.offsets, type_id::int64, rows + 1), valid);
}

std::vector<csv_bytes> all_na_words(read_csv_args const& call) {
    std::vector<csv_bytes> words(call.na_words, call.na_words + call.na_word_count);
    if (call.keep_default_na)
        for (char const* w : csv_na_words) words.push_back({w, static_cast<std::int64_t>(std::strlen(w))});
    return words;
}

}  // namespace

csv_of_device read_csv_on(device where, csv_input const& input, csv_options const& o) {
    if (!where.api->supports(algorithm_kind::read_csv, type_id::uint8))
        return {{}, "a build without the device's algorithms"};
    if (o.range_begin != 0 || o.range_end >= 0) return {{}, "byte_range="};
    block_list blocks;
    read_csv_args source;
    if (input.is_file) source.path = input.path.c_str();
    else source.memory = {input.text.data(), static_cast<std::int64_t>(input.text.size())};
    csv_call call(source, o, blocks);
    read_csv_args a = call.args;
    call.args.names_only = true, call.args.wanted = nullptr;
    call.run();
    read_csv_args const& header = call.args;

    host_text const text(input, header.data_begin);
    if (text.text().empty()) return {{}, "no rows"};
    auto const bytes = static_cast<std::int64_t>(text.text().size());
    if (auto* const reported = sched::progress::here()) reported->begin(bytes);
    array const rows = on_device(where, text.text());
    storage* const read[] = {rows.memory()};
    graph::memory_in_use const used(read);

    std::vector<csv_column> columns = wanted_columns(a, header);
    std::vector<csv_bytes> const words = all_na_words(a);
    device_memory made{where, {}};
    a.memory = {address(rows), rows.size()};
    a.host_text = text.text().data(), a.width = header.column_count;
    a.implicit_index = header.implicit_index;
    a.na_words = words.data(), a.na_word_count = static_cast<std::int64_t>(words.size());
    a.columns = columns.data(), a.column_count = static_cast<std::int64_t>(columns.size());
    a.allocate = device_memory::allocate, a.release = nullptr, a.owner = &made;
    throw_if(device_calls::algorithm(where, algorithm_kind::read_csv, &a), where);
    if (a.failure == csv_failure::left_to_cpu) return {{}, a.message};
    if (auto* const reported = sched::progress::here()) reported->done += bytes;

    csv_of_device found;
    found.host_fields = a.host_fields;
    found.frame.implicit_index = a.implicit_index, found.frame.rows = a.length;
    for (csv_column const& c : columns) {
        bool const named = c.name.data != nullptr;
        found.frame.columns.push_back(
            {named ? std::string(c.name.data, static_cast<std::size_t>(c.name.size)) : std::string(), named, c.kind,
             c.remark, std::make_shared<table::column const>(values_of(c, made, a.length))});
    }
    return found;
}

}  // namespace bascule::io
