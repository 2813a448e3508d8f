#include "backend/cuda/launch/flag_words.hpp"

namespace bascule::cuda {

int count_of_checked(plan const& p) {
    int n = 0;
    for (int v = 0; v < p.nvalues; ++v) n += is_checked(p, p.values[v]);
    return n;
}

flag_words::flag_words(device& d, plan const& p, stream_handle stream) : device_(d), plan_(p), stream_(stream) {
    if (d.memory_type(p.fp_flags) == memory_type_device) return;
    std::int64_t const bytes = 4 * count();
    own_.emplace(d, bytes, stream);
    d.fill(own_->get(), 0, bytes, stream);
}

std::string flag_words::declaration(plan const& p) {
    return "    std::uint32_t flags[" + std::to_string(count_of_checked(p)) + "] = {};";
}

std::string flag_words::address(kernel_text& text) const {
    return text.word(reinterpret_cast<std::uint64_t>(own_ ? own_->get() : static_cast<void*>(plan_.fp_flags)));
}

// Which word is whose are parameters: a kernel does not know the plan's numbers.
void flag_words::print_report(kernel_text& text, std::vector<int> const& values) const {
    if (values.empty()) return;
    std::string const words = address(text);
    for (std::size_t k = 0; k < values.size(); ++k)
        text.line("    report(" + words + ", " + text.word(static_cast<std::uint64_t>(values[k])) + ", flags[" +
                  std::to_string(k) + "] & (unsigned)" + text.word(plan_.values[values[k]].check) + ");");
}

std::string flag_words::report_of_reduction(kernel_text& text, int which) const {
    return "    report(" + address(text) + ", " + text.word(static_cast<std::uint64_t>(plan_.nvalues + which)) +
           ", own & (unsigned)" + text.word(plan_.reductions[which].check) + ");\n";
}

void flag_words::collect() {
    if (!own_) return;
    std::vector<std::uint32_t> flags(static_cast<std::size_t>(count()));
    device_.copy(flags.data(), own_->get(), static_cast<std::int64_t>(4 * flags.size()), copy_kind::device_to_host,
                 stream_);
    device_.synchronize(stream_);
    for (std::size_t v = 0; v < flags.size(); ++v) plan_.fp_flags[v] |= flags[v];
}

}  // namespace bascule::cuda
