#include "backend/cpu/copy/transpose_copy.hpp"

#include <cstdlib>

#include "backend/cpu/common/cpu_tuning.hpp"
#include "backend/cpu/common/thread_scratch.hpp"

namespace bascule::cpu {

namespace {

constexpr int target = 0, source = 1;
constexpr std::int64_t line = 64, least_elements = 4096;

// Arrays larger than the caches: so much of a row of the source is read at a time that it comes as one stream, and a
// tile is so wide that two tiles share few lines. Within the caches: both sides of a tile stay in the second.
constexpr std::int64_t streamed_row_bytes = 2048, streamed_columns = 1024, cached_rows = 128, cached_columns = 256;

// In pieces of one of the two: of so many elements.
constexpr std::int64_t least_piece = 64, most_piece = 8192;
// Of these so much is put past the caches at a time by way of the first.
constexpr std::int64_t streamed_piece = 256;

// Stores that go beyond a line cost several times as much as others, where they miss the caches of the core.
constexpr std::int64_t buffered_bytes = std::int64_t{1} << 20;

std::int64_t share(std::int64_t extent, std::int64_t most, std::int64_t multiple) noexcept {
    std::int64_t const parts = (extent + most - 1) / most, part = (extent + parts - 1) / parts;
    return (part + multiple - 1) / multiple * multiple;
}

bool on_a_line(char const* p, std::int64_t row) noexcept {
    return ((reinterpret_cast<std::intptr_t>(p) | row) & (line - 1)) == 0;
}

}  // namespace

transpose_copy::transpose_copy(program const& p) noexcept
    : program_(p), out_(p.outputs[0]), space_(p.space.ndim, p.space.shape) {
    plan_value const& v = p.source->values[out_.value];
    if (v.kind != value_kind::load || p.space.total < least_elements) return;
    plan_operand const& in = p.source->operands[v.operand];
    space_.add(out_.out->strides);
    space_.add(in.strides);
    space_.simplify();
    to_ = static_cast<char*>(out_.out->base), from_ = static_cast<char const*>(in.base);
    size_ = itemsize(v.dtype);
    choose_dimensions();
    if (down_ < 0 || along_ < 0 || down_ == along_) return;
    pays_ = choose_pieces() || choose_tiles();
    if (pays_) count_tiles();
}

void transpose_copy::choose_dimensions() noexcept {
    auto const step = [&](int operand, int d) { return std::abs(space_.strides[operand][d]); };
    for (int d = 0; d < space_.ndim; ++d) {
        if (step(source, d) != 0 && (down_ < 0 || step(source, d) < step(source, down_))) down_ = d;
        if (along_ < 0 || step(target, d) <= step(target, along_)) along_ = d;
    }
}

bool transpose_copy::choose_tiles() noexcept {
    std::int64_t const rows = space_.shape[down_], columns = space_.shape[along_], size = size_,
                       least_extent = size >= 8 ? 8 : 17;  // else there are no squares of items to turn over
    // If rows are less than a line apart, elements read along the target are found in the first cache again.
    if (std::abs(space_.strides[source][along_]) < line || std::min(rows, columns) < least_extent) return false;
    auto misaligned = reinterpret_cast<std::intptr_t>(to_) | reinterpret_cast<std::intptr_t>(from_);
    for (int d = 0; d < space_.ndim; ++d) misaligned |= space_.strides[target][d] | space_.strides[source][d];
    bool const dense = space_.strides[source][down_] == size && space_.strides[target][along_] == size;
    streams_ = dense && misaligned % size == 0 && out_.streamed;
    buffers_ = dense && misaligned % size == 0 && space_.size() * size >= buffered_bytes;
    tile_rows_ = streams_ ? share(rows, streamed_row_bytes / size, line / std::min(size, line))
                          : share(rows, std::max(cached_rows, task_elements / columns), 8);
    tile_columns_ = share(columns, streams_ ? streamed_columns : std::max(cached_columns, task_elements / rows),
                          line / std::min(size, line));
    return true;
}

// Where a dimension of a few elements is the closest one of the target or of the source, and dense.
bool transpose_copy::choose_pieces() noexcept {
    if (space_.strides[source][down_] != size_ || space_.strides[target][along_] != size_) return false;
    std::int64_t const rows = space_.shape[down_], columns = space_.shape[along_];
    int const kind = size_class(static_cast<int>(size_));
    interleave_kernels const& k = active_interleave_kernels();
    if (columns <= max_interleaved && rows >= least_piece && space_.strides[target][down_] == columns * size_)
        join_ = k.join[kind][columns];
    else if (rows <= max_interleaved && columns >= least_piece && space_.strides[source][along_] == rows * size_)
        separate_ = k.separate[kind][rows];
    streams_ = out_.streamed;
    tile_rows_ = join_ ? share(rows, most_piece, line) : rows;
    tile_columns_ = join_ ? columns : share(columns, most_piece, line);
    return join_ || separate_;
}

void transpose_copy::count_tiles() noexcept {
    std::int64_t const rows = space_.shape[down_], columns = space_.shape[along_], plane = rows * columns;
    tiles_along_ = (columns + tile_columns_ - 1) / tile_columns_;
    tiles_ = (rows + tile_rows_ - 1) / tile_rows_ * tiles_along_;
    planes_ = space_.size() / plane;
    planes_a_task_ = tiles_ > 1 ? 1 : std::max<std::int64_t>(1, task_elements / plane);
}

void transpose_copy::run(std::int64_t task) const noexcept {
    std::int64_t const first = task / tiles_ * planes_a_task_, tile = task % tiles_,
                       row = tile / tiles_along_ * tile_rows_, column = tile % tiles_along_ * tile_columns_;
    auto const &to = space_.strides[target], &from = space_.strides[source];
    for (std::int64_t plane = first; plane < std::min(first + planes_a_task_, planes_); ++plane) {
        patch p{to_ + row * to[down_] + column * to[along_],
                from_ + row * from[down_] + column * from[along_],
                std::min(tile_rows_, space_.shape[down_] - row),
                std::min(tile_columns_, space_.shape[along_] - column),
                to[down_],
                to[along_],
                from[down_],
                from[along_]};
        std::int64_t left = plane;
        for (int d = space_.ndim; d-- > 0;) {
            if (d == down_ || d == along_) continue;
            std::int64_t const at = left % space_.shape[d];
            left /= space_.shape[d];
            p.to += at * to[d], p.from += at * from[d];
        }
        copy_tile(p);
    }
    if (streams_) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void transpose_copy::copy_tile(patch const& p) const noexcept {
    if (join_) return join_piece(p);
    if (separate_) return separate_piece(p);
    bool const whole_lines = on_a_line(p.to, p.to_row);
    if (streams_ && whole_lines) return turn(active_transpose_kernels().streamed, p);
    if ((streams_ || (buffers_ && !whole_lines)) && copy_pieces(p)) return;
    program_.kernels->copy[size_class(static_cast<int>(size_))](p);
}

void transpose_copy::turn(transpose_kernel const* whole_lines, patch const& p) const noexcept {
    int const kind = size_class(static_cast<int>(size_));
    std::int64_t const items = line / size_, whole = p.columns / items * items;
    for (std::int64_t c = 0; c < whole; c += items)
        whole_lines[kind]({p.to + c * size_, p.from + c * p.from_column, p.rows, p.to_row, p.from_column});
    if (whole == p.columns) return;
    patch rest = p;
    rest.to += whole * size_, rest.from += whole * p.from_column, rest.columns -= whole;
    program_.kernels->copy[kind](rest);
}

void transpose_copy::join_piece(patch const& p) const noexcept {
    alignas(line) char buffer[streamed_piece * 8 * max_interleaved];
    std::int64_t const step = streams_ ? streamed_piece : p.rows;
    for (std::int64_t r = 0; r < p.rows; r += step) {
        std::int64_t const n = std::min(step, p.rows - r);
        char const* from[max_interleaved];
        for (std::int64_t k = 0; k < p.columns; ++k) from[k] = p.from + k * p.from_column + r * size_;
        char* const to = p.to + r * p.to_row;
        join_(streams_ ? buffer : to, from, n);
        if (streams_) program_.kernels->stream(to, buffer, static_cast<std::size_t>(n * p.to_row));
    }
}

void transpose_copy::separate_piece(patch const& p) const noexcept {
    alignas(line) char buffer[max_interleaved][streamed_piece * 8];
    std::int64_t const step = streams_ ? streamed_piece : p.columns;
    for (std::int64_t c = 0; c < p.columns; c += step) {
        std::int64_t const n = std::min(step, p.columns - c);
        char* to[max_interleaved];
        for (std::int64_t k = 0; k < p.rows; ++k) to[k] = streams_ ? buffer[k] : p.to + k * p.to_row + c * size_;
        separate_(to, p.from + c * p.from_column, n, prefetches_streams);
        for (std::int64_t k = 0; streams_ && k < p.rows; ++k)
            program_.kernels->stream(p.to + k * p.to_row + c * size_, buffer[k], static_cast<std::size_t>(n * size_));
    }
}

// Copies through a buffer, some lines of every row at a time. Where lines of a row begin within the transposed part,
// the part before stays in the buffer until its line is complete, one line in front of the next piece.
bool transpose_copy::copy_pieces(patch const& p) const noexcept {
    constexpr std::int64_t piece_bytes = 8 * line, row_bytes = line + piece_bytes;
    char* const memory = thread_scratch(0, p.rows * row_bytes);
    if (!memory) return false;
    std::int64_t const items = piece_bytes / size_;
    for (std::int64_t c = 0; c < p.columns; c += items) {
        std::int64_t const n = std::min(items, p.columns - c), bytes = n * size_;
        bool const last = c + n == p.columns;
        patch piece = p;
        piece.to = memory + line, piece.from += c * p.from_column, piece.columns = n, piece.to_row = row_bytes;
        turn(active_transpose_kernels().stored, piece);
        for (std::int64_t r = 0; r < p.rows; ++r) {
            char* const to = p.to + r * p.to_row + c * size_;
            char* const from = piece.to + r * row_bytes;
            std::int64_t const before = c == 0 ? 0 : reinterpret_cast<std::intptr_t>(to) % line,
                               kept = last ? 0 : reinterpret_cast<std::intptr_t>(to + bytes) % line;
            auto const whole = static_cast<std::size_t>(before + bytes - kept);
            if (streams_) {
                program_.kernels->stream(to - before, from - before, whole);
            } else {
                for (std::int64_t b = 0; b < row_bytes; b += line) __builtin_prefetch(to + 2 * p.to_row + b, 1);
                __builtin_memcpy(to - before, from - before, whole);
            }
            if (!last) __builtin_memcpy(from - line, from + bytes - line, line);
        }
    }
    return true;
}

}  // namespace bascule::cpu
