#include "backend/cpu/csv/text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace bascule::cpu::csv {

scratch::scratch(std::int64_t n)
    : data(static_cast<char*>(host_pool().allocate(std::max<std::int64_t>(n, 1)))),
      bytes(std::max<std::int64_t>(n, 1)) {
    if (!data) throw std::bad_alloc();
}

csv_source::csv_source(read_csv_args const& a) {
    if (a.path) {
        file_ = open(a.path, O_RDONLY | O_CLOEXEC);
        struct stat info;
        if (file_ < 0 || fstat(file_, &info) != 0 || !S_ISREG(info.st_mode)) {
            int const why = file_ < 0 ? errno : EINVAL;
            if (file_ >= 0) close(file_);
            throw csv_fault(csv_failure::file_error,
                            "[Errno " + std::to_string(why) + "] " + std::strerror(why) + ": '" + a.path + "'");
        }
        stored_ = info.st_size;
    } else {
        memory_ = a.memory.data;
        stored_ = a.memory.size;
    }
    char last = '\n';
    size_ = stored_;
    if (stored_ > 0) read(stored_ - 1, 1, &last);
    if (last != '\n') ++size_;
}

csv_source::~csv_source() {
    if (file_ >= 0) close(file_);
}

std::int64_t csv_source::read(std::int64_t begin, std::int64_t n, char* to) const {
    n = std::max<std::int64_t>(std::min(n, size_ - begin), 0);
    std::int64_t const stored = std::max<std::int64_t>(std::min(n, stored_ - begin), 0);
    if (stored > 0 && memory_) std::memcpy(to, memory_ + begin, static_cast<std::size_t>(stored));
    for (std::int64_t done = 0; !memory_ && done < stored;) {
        ssize_t const got = pread(file_, to + done, static_cast<std::size_t>(stored - done), begin + done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw csv_fault(csv_failure::file_error, "[read_csv] the file became shorter while it was read");
        done += got;
    }
    if (stored < n) to[stored] = '\n';
    return n;
}

void throw_ragged(std::int64_t expected, std::int64_t line, std::int64_t saw) {
    throw csv_fault(csv_failure::parser_error, "Error tokenizing data. C error: Expected " + std::to_string(expected) +
                                                   " fields in line " + std::to_string(line) + ", saw " +
                                                   std::to_string(saw) + "\n");
}

void split_row(char const* text, std::int64_t at, std::int64_t size, csv_dialect const& d, csv_row* row) {
    char const separator = d.marks.separator;
    row->begins.clear();
    row->ends.clear();
    row->complete = false;
    std::int64_t begin = at, i = at;
    for (;;) {
        if (d.marks.quoting && i < size && text[i] == d.marks.quote) {
            for (++i; i < size; ++i) {
                if (text[i] != d.marks.quote) continue;
                if (i + 1 < size && text[i + 1] == d.marks.quote) ++i;
                else break;
            }
            ++i;
        }
        while (i < size && text[i] != separator && text[i] != '\n' && text[i] != '\r') ++i;
        if (i >= size) return;
        row->begins.push_back(static_cast<std::uint32_t>(begin));
        row->ends.push_back(static_cast<std::uint32_t>(i));
        if (text[i] != separator) break;
        begin = ++i;
    }
    // Whether a newline follows the carriage return must be known; behind the last byte there is always one.
    if (text[i] == '\r' && i + 1 >= size) return;
    row->next = i + (text[i] == '\r' && text[i + 1] == '\n' ? 2 : 1);
    row->complete = true;
    row->blank = d.skip_blank_lines && row->begins.size() == 1 &&
                 std::all_of(text + at, text + i, [](char c) { return c == ' ' || c == '\t'; });
}

void csv_piece::read(csv_source const& source, std::int64_t begin, std::int64_t n) {
    if (buffer_.bytes < n + front + behind) buffer_ = scratch(n + front + behind);
    text_ = buffer_.data + front;
    std::memset(buffer_.data, '\n', front);
    origin_ = begin;
    loaded_ = source.read(begin, n, text_);
    std::memset(text_ + loaded_, '\n', behind);
}

void csv_piece::load(csv_source const& source, csv_dialect const& d, csv_chunk const& chunk, std::int64_t width,
                     bool cut_long_rows, bool exact) {
    fields_ = {};
    fields_.width = width;
    if (chunk.rows == 0) return;
    std::int64_t const begin = exact ? chunk.start : chunk.begin;
    for (std::int64_t more = 4096;; more *= 8) {
        read(source, begin, std::max<std::int64_t>(chunk.end - begin, 0) + more);
        bool const all = origin_ + loaded_ >= source.size();
        if (loaded_ > std::int64_t{0xf0000000})
            throw csv_fault(csv_failure::parser_error, "Error tokenizing data. C error: a row is longer than 4 GB");
        if (exact ? split_exact(d, chunk, width, cut_long_rows) : take_regular(d, chunk, source.size())) break;
        if (all) break;
    }
    if (exact) return;
    std::int64_t const rows = chunk.rows;
    // Fewer rows than lines: some are blank, and marks that fit by number alone would deceive.
    if (width > 1 && rows == chunk.lines && is_rectangular(width, rows)) {
        mark_[first_mark_ - 1] = static_cast<std::uint32_t>(first_row_at_ - 1);
        fields_ = {text_, mark_ + first_mark_ - 1, mark_ + first_mark_, 1, rows, width, true};
        return;
    }
    split_marks(d, chunk, width, cut_long_rows);
}

// Finds the marks of the chunk's rows; false when the text loaded ends within the last one.
bool csv_piece::take_regular(csv_dialect const& d, csv_chunk const& chunk, std::int64_t input_size) {
    std::int64_t const room = (loaded_ + 128) * 4;
    if (marks_.bytes < room) marks_ = scratch(room);
    mark_ = reinterpret_cast<std::uint32_t*>(marks_.data) + 1;  // one place in front for the mark before the first row
    std::int64_t const own = chunk.end - chunk.begin;
    csv_scan_kernels const& scan = csv_scan();
    std::int64_t n = scan.index(text_, 0, loaded_, d.marks, chunk.inside, mark_);
    first_mark_ = 0;
    first_row_at_ = 0;
    if (!chunk.first) {
        while (first_mark_ < n && text_[mark_[first_mark_]] != '\n') ++first_mark_;
        if (first_mark_ >= n) return false;
        first_row_at_ = mark_[first_mark_++] + 1;
    }
    // Rows end with the first newline at or behind the chunk's end.
    std::int64_t last = std::lower_bound(mark_ + first_mark_, mark_ + n, static_cast<std::uint32_t>(own)) - mark_;
    while (last < n && text_[mark_[last]] != '\n') ++last;
    mark_count_ = std::min(last + 1, n) - first_mark_;
    return last < n || chunk.end >= input_size;
}

bool csv_piece::is_rectangular(std::int64_t width, std::int64_t rows) const {
    if (mark_count_ != rows * width) return false;
    for (std::int64_t i = first_mark_ + width - 1, end = first_mark_ + mark_count_; i < end; i += width)
        if (text_[mark_[i]] != '\n') return false;
    return true;
}

// Pads or cuts the row in row_ to `width` fields.
void csv_piece::add_row(std::int64_t width, bool cut, std::int64_t line) {
    auto const n = static_cast<std::int64_t>(row_.begins.size());
    if (n > width && !cut) throw_ragged(width, line, n);
    auto const taken = static_cast<std::ptrdiff_t>(std::min(n, width));
    begins_.insert(begins_.end(), row_.begins.begin(), row_.begins.begin() + taken);
    ends_.insert(ends_.end(), row_.ends.begin(), row_.ends.begin() + taken);
    for (std::int64_t k = n; k < width; ++k) {
        begins_.push_back(row_.ends.back());
        ends_.push_back(row_.ends.back());
    }
    ++fields_.rows;
}

void csv_piece::split_marks(csv_dialect const& d, csv_chunk const& chunk, std::int64_t width, bool cut) {
    begins_.clear();
    ends_.clear();
    std::int64_t line = chunk.lines_before;
    auto begin = static_cast<std::uint32_t>(first_row_at_);
    row_.begins.clear();
    row_.ends.clear();
    for (std::int64_t i = first_mark_; i < first_mark_ + mark_count_ && fields_.rows < chunk.rows; ++i) {
        std::uint32_t const at = mark_[i];
        bool const ends_row = text_[at] == '\n';
        row_.begins.push_back(begin);
        row_.ends.push_back(ends_row && at > begin && text_[at - 1] == '\r' ? at - 1 : at);
        begin = at + 1;
        if (!ends_row) continue;
        ++line;
        bool const blank =
            d.skip_blank_lines && row_.begins.size() == 1 &&
            std::all_of(text_ + row_.begins[0], text_ + row_.ends[0], [](char c) { return c == ' ' || c == '\t'; });
        if (!blank) add_row(width, cut, line);
        row_.begins.clear();
        row_.ends.clear();
    }
    fields_ = {text_, begins_.data(), ends_.data(), 0, fields_.rows, width, false};
}

bool csv_piece::split_exact(csv_dialect const& d, csv_chunk const& chunk, std::int64_t width, bool cut) {
    begins_.clear();
    ends_.clear();
    fields_.rows = 0;
    std::int64_t at = 0, line = chunk.lines_before;
    while (line < chunk.lines_before + chunk.lines && fields_.rows < chunk.rows) {
        if (at >= loaded_) return false;
        split_row(text_, at, loaded_, d, &row_);
        if (!row_.complete) return false;
        at = row_.next;
        ++line;
        if (!row_.blank) add_row(width, cut, line);
    }
    fields_ = {text_, begins_.data(), ends_.data(), 0, fields_.rows, width, false};
    return true;
}

}  // namespace bascule::cpu::csv
