// read_csv: types are guessed from the first rows, then all columns are decoded at once, each chunk of the text by one
// task. A column with a value that does not fit its type is decoded again, alone, with the next type.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/csv/columns.hpp"
#include "backend/cpu/csv/csv.hpp"
#include "backend/cpu/csv/read_plan.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu::csv {
namespace {

constexpr std::int64_t sample_rows = 1000;

struct csv_target {
    std::int64_t position = 0;
    csv_kind asked = csv_kind::automatic, kind = csv_kind::int64;
    csv_remark remark = csv_remark::none;
    time_unit unit = time_unit::us;
    bool ask_na = true;
    void* data = nullptr;
    std::int64_t data_bytes = 0;
    scratch valid;
    std::int64_t* ends = nullptr;
    std::int64_t ends_bytes = 0;

    // Written by the tasks of one pass.
    std::atomic<std::uint8_t> needs{0};
    std::atomic<std::uint32_t> notes{0};
    std::atomic<std::int64_t> nulls{0};
    bool has_bytes() const { return kind == csv_kind::text || kind == csv_kind::boolean; }
};

// The bytes of one text column that one chunk found.
struct text_part {
    scratch bytes;
    std::int64_t size = 0;
};

using spare_pieces = std::vector<std::unique_ptr<csv_piece>>;

// The buffers of a task serve one chunk after the other.
struct borrowed_piece {
    spare_pieces& spare;
    std::mutex& guard;
    std::unique_ptr<csv_piece> piece;

    borrowed_piece(spare_pieces& s, std::mutex& g) : spare(s), guard(g) {
        std::lock_guard const lock(guard);
        if (spare.empty()) {
            piece = std::make_unique<csv_piece>();
        } else {
            piece = std::move(spare.back());
            spare.pop_back();
        }
    }
    ~borrowed_piece() {
        std::lock_guard const lock(guard);
        spare.push_back(std::move(piece));
    }
};

class csv_reader {
public:
    explicit csv_reader(read_csv_args& a)
        : args_(a),
          source_(a), dialect_{{a.separator, a.quote, a.quote != '\0'}, a.skip_blank_lines}, reading_{&na_, a.quote,
                                                                                                      a.quote != '\0'} {
        if (a.keep_default_na) na_.add_defaults();
        for (std::int64_t i = 0; i < a.na_word_count; ++i)
            na_.add({a.na_words[i].data, static_cast<std::size_t>(a.na_words[i].size)});
    }

    void run() {
        prologue_ = read_prologue(source_, dialect_, args_);
        choose_columns();
        if (!args_.names_only) {
            chunks_ = find_chunks(source_, dialect_, args_, prologue_);
            guess_kinds();
            decode_all();
            check_closed();
        }
        hand_over();
    }

private:
    template <class T> T* allocate(std::int64_t n) {
        void* const p =
            args_.allocate(args_.owner, std::max<std::int64_t>(n, 1) * static_cast<std::int64_t>(sizeof(T)));
        if (!p) throw std::bad_alloc();
        return static_cast<T*>(p);
    }
    void free(void* p, std::int64_t bytes) {
        if (p && args_.release) args_.release(args_.owner, p, std::max<std::int64_t>(bytes, 1));
    }
    bool cuts_long_rows() const { return args_.wanted != nullptr || counting_; }
    void check_closed() const {
        if (chunks_.unclosed_line < 0 || (limit_ >= 0 && chunks_.rows >= limit_)) return;
        throw csv_fault(csv_failure::parser_error,
                        "Error tokenizing data. C error: EOF inside string starting at row " +
                            std::to_string(chunks_.unclosed_line));
    }
    void check_failures() const;

    void choose_columns();
    csv_output output_of(csv_target& t, std::int64_t first_row) const;
    void refuse(csv_target const&, csv_fields const&, csv_result const&) const;
    csv_kind next_kind(csv_target const&, csv_result const&) const;
    void guess_kinds();
    void guess_kind(csv_target&, csv_fields const&, std::int64_t rows);
    void prepare(csv_target&);
    bool decode_pass(std::vector<csv_target*> const&);
    void decode_chunk(std::size_t k, std::vector<csv_target*> const&);
    std::int64_t decode_into(csv_target&, csv_fields const&, csv_chunk const&, char* staging, text_part*);
    void decode_all();
    void start_over();
    bool settle(csv_target&);
    void join_text(csv_target&, std::size_t index);
    std::uint8_t* pack_validity(csv_target const&);
    void hand_over();

    read_csv_args& args_;
    std::int64_t const limit_ = args_.row_limit;
    bool counting_ = false;  // only counting rows: those behind the limit do not matter
    csv_source source_;
    csv_dialect dialect_;
    na_words na_;
    csv_reading reading_;
    csv_prologue prologue_;
    csv_chunks chunks_;
    std::vector<std::unique_ptr<csv_target>> targets_;
    std::vector<std::vector<text_part>> parts_;  // by chunk, then by target
    std::vector<std::int64_t> found_rows_;
    spare_pieces spare_;
    std::mutex spare_guard_;
    std::vector<std::exception_ptr> failed_;
};

void csv_reader::choose_columns() {
    std::int64_t const implicit = prologue_.implicit_index;
    for (std::int64_t i = 0; i < prologue_.width; ++i) {
        std::int64_t const column = i - implicit;
        if (column >= 0 && args_.wanted && (column >= args_.wanted_count || !args_.wanted[column])) continue;
        auto t = std::make_unique<csv_target>();
        t->position = i;
        if (column >= 0 && column < args_.kind_count) t->asked = args_.kinds[column];
        if (t->asked != csv_kind::automatic) t->kind = t->asked;
        t->ask_na = args_.na_filter;
        targets_.push_back(std::move(t));
    }
}

csv_output csv_reader::output_of(csv_target& t, std::int64_t first_row) const {
    csv_output o{t.kind, t.unit, t.ask_na};
    std::int64_t const item = t.kind == csv_kind::boolean ? 1 : 8;
    if (t.kind != csv_kind::text) o.data = static_cast<char*>(t.data) + first_row * item;
    if (t.has_bytes()) o.valid = reinterpret_cast<std::uint8_t*>(t.valid.data) + first_row;
    if (t.kind == csv_kind::text) o.ends = t.ends + first_row + 1;
    return o;
}

// Raises: a field does not have the type requested for its column.
void csv_reader::refuse(csv_target const& t, csv_fields const& f, csv_result const& r) const {
    std::string const word = field_text(f, t.position, r.row, reading_), column = std::to_string(t.position);
    bool const missing = t.ask_na && na_.has(word.data(), static_cast<std::int64_t>(word.size()));
    std::string text = "could not convert string to float: '" + word + "'";
    if (t.asked == csv_kind::boolean) text = "Error parsing boolean in column " + column + ": '" + word + "'";
    else if (t.asked != csv_kind::float64)
        text = missing ? "Integer column has NA values in column " + column
                       : "invalid literal for int() with base 10: '" + word + "'";
    throw csv_fault(csv_failure::value_error, text);
}

csv_kind csv_reader::next_kind(csv_target const& t, csv_result const& r) const {
    return t.kind == csv_kind::date ? csv_kind::text
                                    : std::max(r.needs, static_cast<csv_kind>(static_cast<int>(t.kind) + 1));
}

void csv_reader::guess_kind(csv_target& t, csv_fields const& f, std::int64_t rows) {
    std::vector<std::int64_t> data(static_cast<std::size_t>(rows) + 8);
    std::vector<std::uint8_t> valid(static_cast<std::size_t>(rows) + 8);
    while (t.kind != csv_kind::text) {
        csv_result const r = decode_column(f, t.position, rows, reading_,
                                           {t.kind, t.unit, t.ask_na, data.data(), valid.data(), nullptr});
        if (r.needs == t.kind) {
            if (t.kind == csv_kind::date && (r.notes & note::below_micro)) t.unit = time_unit::ns;
            return;
        }
        if (t.asked != csv_kind::automatic && t.asked != csv_kind::date) refuse(t, f, r);
        if (t.kind == csv_kind::date) t.remark = csv_remark::unknown_dates;
        t.kind = next_kind(t, r);
    }
}

void csv_reader::guess_kinds() {
    for (csv_chunk chunk : chunks_.list) {
        if (chunk.rows == 0) continue;
        csv_piece piece;
        chunk.end = std::min(chunk.end, std::max(chunk.begin, chunk.start) + (std::int64_t{64} << 10));
        // Of a chunk that is cut only whole rows count; their end is searched for again.
        chunk.rows = std::min(chunk.rows, sample_rows);
        piece.load(source_, dialect_, chunk, prologue_.width, true, chunks_.exact);
        std::int64_t const rows = std::min(piece.fields().rows, sample_rows);
        if (rows == 0) continue;
        for (auto& t : targets_) guess_kind(*t, piece.fields(), rows);
        return;
    }
}

void csv_reader::prepare(csv_target& t) {
    std::int64_t const rows = chunks_.rows, bytes = t.kind == csv_kind::text      ? 0
                                                    : t.kind == csv_kind::boolean ? rows
                                                                                  : rows * 8;
    if (bytes != t.data_bytes) {
        free(t.data, t.data_bytes);
        t.data = bytes > 0 ? allocate<char>(bytes) : nullptr;
        t.data_bytes = bytes;
    }
    if (t.kind == csv_kind::text && !t.ends) {
        t.ends_bytes = (rows + 1) * 8;
        t.ends = allocate<std::int64_t>(rows + 1);
    }
    if (t.has_bytes() && t.valid.bytes < rows) t.valid = scratch(rows);
    t.needs = static_cast<std::uint8_t>(t.kind);
    t.notes = 0;
    t.nulls = 0;
}

// Bytes of text that the column needs at the front of `staging`.
std::int64_t csv_reader::decode_into(csv_target& t, csv_fields const& f, csv_chunk const& chunk, char* staging,
                                     text_part* part) {
    auto const kind = static_cast<std::uint8_t>(t.kind);
    if (t.needs.load(std::memory_order_relaxed) > kind) return 0;
    csv_output o = output_of(t, chunk.first_row);
    if (t.kind == csv_kind::text) o.data = staging;
    csv_result const r = decode_column(f, t.position, std::min(f.rows, chunk.rows), reading_, o);
    if (r.needs != t.kind) {
        if (t.asked != csv_kind::automatic && t.asked != csv_kind::date) refuse(t, f, r);
        auto wanted = t.kind == csv_kind::date ? std::uint8_t{255} : static_cast<std::uint8_t>(next_kind(t, r));
        for (std::uint8_t seen = t.needs; seen < wanted && !t.needs.compare_exchange_weak(seen, wanted);) {}
        return 0;
    }
    t.notes |= r.notes;
    t.nulls += r.nulls;
    if (t.kind != csv_kind::text) return 0;
    part->size = r.bytes;
    return r.bytes;
}

void csv_reader::decode_chunk(std::size_t k, std::vector<csv_target*> const& todo) {
    csv_chunk const& chunk = chunks_.list[k];
    borrowed_piece const own(spare_, spare_guard_);
    csv_piece& piece = *own.piece;
    piece.load(source_, dialect_, chunk, prologue_.width, cuts_long_rows(), chunks_.exact);
    found_rows_[k] = piece.fields().rows;
    bool const any_text =
        std::any_of(todo.begin(), todo.end(), [](csv_target* t) { return t->kind == csv_kind::text; });
    scratch staging;
    if (any_text) staging = scratch(piece.text_size() + 64);
    for (csv_target* t : todo) {
        auto const index = static_cast<std::size_t>(
            std::find_if(targets_.begin(), targets_.end(), [&](auto& own) { return own.get() == t; }) -
            targets_.begin());
        text_part* const part = &parts_[k][index];
        std::int64_t const bytes = decode_into(*t, piece.fields(), chunk, staging.data, part);
        if (bytes == 0) continue;
        part->bytes = scratch(bytes);
        std::memcpy(part->bytes.data, staging.data, static_cast<std::size_t>(bytes));
    }
}

// Rows are split before values are read: of several faults the first of the text comes first.
void csv_reader::check_failures() const {
    std::exception_ptr first;
    for (auto const& failed : failed_) {
        if (!failed) continue;
        if (!first) first = failed;
        try {
            std::rethrow_exception(failed);
        } catch (csv_fault const& f) {
            if (f.kind == csv_failure::parser_error) throw;
        } catch (...) {}
    }
    if (!first) return;
    check_closed();
    std::rethrow_exception(first);
}

// False: some chunk has fewer rows than were counted (blank lines), so every row behind it moves.
bool csv_reader::decode_pass(std::vector<csv_target*> const& todo) {
    std::size_t const n = chunks_.list.size();
    found_rows_.assign(n, 0);
    failed_.assign(n, nullptr);
    parts_.resize(n);
    for (auto& of_chunk : parts_) of_chunk.resize(targets_.size());
    for (csv_target* t : todo) prepare(*t);
    csv_watch watch(n > 0 ? chunks_.list.back().end - chunks_.list.front().begin : 0);
    sched::parallel_for(static_cast<std::int64_t>(n), n > 1, [&](std::int64_t task) {
        auto const k = static_cast<std::size_t>(task);
        if (watch.ended()) return;
        try {
            decode_chunk(k, todo);
        } catch (...) { failed_[k] = std::current_exception(); }
        watch.did(chunks_.list[k].end - chunks_.list[k].begin);
    });
    watch.check();
    check_failures();
    bool as_counted = true;
    std::int64_t later = chunks_.rows;
    for (std::size_t k = 0; k < n; ++k) {
        csv_chunk& c = chunks_.list[k];
        later -= c.rows;
        if (found_rows_[k] >= c.rows) continue;
        as_counted = as_counted && later == 0 &&
                     args_.row_limit < 0;  // at the very end nothing follows that could move
        c.rows = found_rows_[k];
    }
    number_rows(chunks_, -1);
    return as_counted;
}

// Blank lines were counted as rows, so only now is it known how many rows each chunk has. With a limit too few rows
// were read: the rest of the file is read as well.
void csv_reader::start_over() {
    if (std::exchange(args_.row_limit, -1) >= 0) {
        chunks_ = find_chunks(source_, dialect_, args_, prologue_);
        counting_ = true;
        decode_pass({});
        counting_ = false;
        number_rows(chunks_, limit_);
    }
    for (auto& t : targets_) {
        free(t->data, t->data_bytes);
        free(t->ends, t->ends_bytes);
        t->data = nullptr, t->ends = nullptr, t->data_bytes = t->ends_bytes = 0;
    }
}

void csv_reader::decode_all() {
    std::vector<csv_target*> all;
    for (auto& t : targets_) all.push_back(t.get());
    std::vector<csv_target*> todo = all;
    while (!todo.empty()) {
        if (decode_pass(todo)) {
            std::erase_if(todo, [&](csv_target* t) { return settle(*t); });
        } else {
            start_over();
            todo = all;
        }
    }
}

// Whether the column has the type it must have; else its kind is the next to try.
bool csv_reader::settle(csv_target& t) {
    std::uint32_t const notes = t.notes;
    auto const to_text = [&](csv_remark why) {
        t.kind = csv_kind::text;
        t.remark = why;
        return false;
    };
    if (t.kind == csv_kind::date) {
        if (t.needs == 255 || ((notes / note::date_forms) & (notes / note::date_forms - 1)) != 0)
            return to_text(csv_remark::unknown_dates);
        if (!(notes & note::below_micro) || t.unit == time_unit::ns) return true;
        t.unit = time_unit::ns;
        return false;
    }
    if (t.needs != static_cast<std::uint8_t>(t.kind)) {
        t.kind = static_cast<csv_kind>(t.needs.load());
        return false;
    }
    if (t.asked != csv_kind::automatic) return true;
    if (t.kind == csv_kind::boolean && t.nulls > 0) t.remark = csv_remark::boolean_nulls;
    if (t.kind != csv_kind::float64 || (notes & note::fraction)) return true;
    // Integers alone: were they only too large, or too large together with something that uint64 does not have?
    if (notes & note::beyond) return to_text(csv_remark::huge_integers);
    if (!(notes & note::over_int64)) return true;
    if (!(notes & (note::null | note::negative))) return t.kind = csv_kind::uint64, false;
    t.ask_na = false;
    return to_text(csv_remark::none);
}

void csv_reader::join_text(csv_target& t, std::size_t index) {
    std::size_t const n = chunks_.list.size();
    std::vector<std::int64_t> base(n + 1, 0);
    for (std::size_t k = 0; k < n; ++k) base[k + 1] = base[k] + parts_[k][index].size;
    t.data = allocate<char>(base[n]);
    t.data_bytes = base[n];
    t.ends[0] = 0;
    sched::parallel_for(static_cast<std::int64_t>(n), n > 1, [&](std::int64_t task) {
        auto const k = static_cast<std::size_t>(task);
        csv_chunk const& c = chunks_.list[k];
        text_part& part = parts_[k][index];
        if (part.size > 0)
            std::memcpy(static_cast<char*>(t.data) + base[k], part.bytes.data, static_cast<std::size_t>(part.size));
        part = {};
        for (std::int64_t row = c.first_row + 1; row <= c.first_row + c.rows; ++row) t.ends[row] += base[k];
    });
}

std::uint8_t* csv_reader::pack_validity(csv_target const& t) {
    std::int64_t const rows = chunks_.rows, bytes = (rows + 7) / 8;
    auto* const bits = allocate<std::uint8_t>(bytes);
    constexpr std::int64_t piece = 1 << 14;
    sched::parallel_for((bytes + piece - 1) / piece, bytes > piece, [&](std::int64_t task) {
        for (std::int64_t b = task * piece, end = std::min(b + piece, bytes); b < end; ++b) {
            unsigned all = 0;
            for (std::int64_t i = 0; i < 8 && b * 8 + i < rows; ++i)
                all |= static_cast<unsigned>(t.valid.data[b * 8 + i] & 1) << i;
            bits[b] = static_cast<std::uint8_t>(all);
        }
    });
    return bits;
}

void csv_reader::hand_over() {
    auto const n = static_cast<std::int64_t>(targets_.size());
    args_.columns = allocate<csv_column>(n);
    args_.column_count = n;
    args_.implicit_index = prologue_.implicit_index;
    args_.data_begin = prologue_.data_begin;
    args_.length = chunks_.rows;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        csv_target& t = *targets_[i];
        csv_column& c = *new (&args_.columns[i]) csv_column;
        c.position = static_cast<std::int32_t>(t.position);
        std::int64_t const name = t.position - prologue_.implicit_index;
        if (name >= 0 && name < static_cast<std::int64_t>(prologue_.names.size())) {
            std::string const& text = prologue_.names[static_cast<std::size_t>(name)];
            char* const own = allocate<char>(static_cast<std::int64_t>(text.size()));
            std::memcpy(own, text.data(), text.size());
            c.name = {own, static_cast<std::int64_t>(text.size())};
        }
        if (args_.names_only) continue;
        if (chunks_.rows == 0 && t.asked == csv_kind::automatic) {
            t.kind = csv_kind::text;
            t.remark = csv_remark::empty;
            prepare(t);
        }
        c.kind = t.kind;
        c.remark = t.remark;
        c.null_count = t.nulls;
        c.unit = t.kind == csv_kind::date && t.nulls == chunks_.rows ? time_unit::second : t.unit;
        if (t.kind == csv_kind::text) join_text(t, i);
        c.data = t.data;
        c.offsets = t.kind == csv_kind::text ? t.ends : nullptr;
        if (t.has_bytes() && t.nulls > 0) c.validity = pack_validity(t);
    }
}

void report(read_csv_args& a, csv_failure kind, char const* text) noexcept {
    a.failure = kind;
    std::snprintf(a.message, sizeof a.message, "%s", text);
    set_last_error(a.message);
}

}  // namespace

status read_csv(read_csv_args& a) noexcept {
    try {
        csv_reader(a).run();
        return status::ok;
    } catch (csv_interrupted const&) { return status::interrupted; } catch (csv_fault const& f) {
        report(a, f.kind, f.what());
        return status::value_error;
    } catch (std::bad_alloc const&) {
        set_last_error("[read_csv] out of memory");
        return status::out_of_memory;
    } catch (std::exception const& e) {
        report(a, csv_failure::parser_error, e.what());
        return status::value_error;
    }
}

}  // namespace bascule::cpu::csv
