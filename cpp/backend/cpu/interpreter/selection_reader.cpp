#include "backend/cpu/interpreter/selection_reader.hpp"

#include <algorithm>
#include <bit>

#include "backend/cpu/common/thread_scratch.hpp"

namespace bascule::cpu {

static constexpr std::int64_t bits_of_word = 64;
static constexpr int kept_arena = 4;

// In addition to a block there is room for the elements of its first word before it, and for a whole word behind its
// last element.
selection_reader::selection_reader(selection const& of) noexcept
    : of_(of), values_(*of.values, selection_values_arena),
      kept_(thread_scratch(kept_arena, (of.block + 2 * bits_of_word) * of.itemsize)) {}

char* selection_reader::read(std::int64_t i, std::int64_t n) noexcept {
    if (i != next_) seek(i);
    std::int64_t const total = of_.values->space.total, size = of_.itemsize, wanted = before_ + n;
    std::uint64_t const* const bits = of_.which->bits;
    char *to = kept_, *const end = kept_ + (of_.block + 2 * bits_of_word) * size, *const found = kept_ + before_ * size;
    // No word holds more than 64 elements, so never more words are taken than are needed.
    for (std::int64_t missing = wanted; missing > 0; missing = wanted - (to - kept_) / size) {
        std::int64_t const first = word_, position = first * bits_of_word;
        word_ += std::min(missing + bits_of_word - 1, of_.block) / bits_of_word;
        std::int64_t const elements = std::min(word_ * bits_of_word, total) - position;
        evaluator const& values = values_.block(position, elements);
        to = of_.take(to, end, values.whole(of_.data, elements), bits + first, elements);
    }
    std::int64_t const beyond = (to - kept_) / size - wanted;  // of the last word
    next_ = i + n;
    before_ = 0;
    if (beyond > 0) --word_, before_ = std::popcount(bits[word_]) - beyond;
    return found;
}

void selection_reader::seek(std::int64_t i) noexcept {
    std::int64_t const *const starts = of_.which->starts, *const end = starts + of_.pieces();
    std::int64_t const piece = std::upper_bound(starts, end, i) - starts - 1;
    word_ = piece * of_.which->piece / bits_of_word;
    before_ = i - starts[piece];
    for (std::int64_t of_word; before_ >= (of_word = std::popcount(of_.which->bits[word_])); ++word_)
        before_ -= of_word;
}

}  // namespace bascule::cpu
