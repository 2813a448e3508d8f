#include "backend/cuda/compiler/prebuilt_kernels.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include "backend/cuda/compiler/embedded_headers.hpp"
#include "backend/cuda/compiler/nvrtc.hpp"

namespace bascule::cuda {
namespace {

std::string first_line() {
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(headers_hash()));
    return "bascule " BASCULE_VERSION " prebuilt kernels headers " + std::string(hash) + nvrtc::settings();
}

std::string piece(std::ifstream& file, std::uint64_t offset, std::uint64_t size) {
    std::string bytes(size, '\0');
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    return file ? bytes : "";
}

}  // namespace

void prebuilt_kernels::open() {
    if (std::exchange(opened_, true)) return;
    std::ifstream file(file_, std::ios::binary);
    std::string line;
    if (!file || !std::getline(file, line)) return void(why_none_ = "none compiled ahead");
    if (line != first_line()) return void(why_none_ = file_ + " is of another version");
    std::uint64_t const start = line.size() + 1;
    file.seekg(0, std::ios::end);
    auto const end = static_cast<std::uint64_t>(file.tellg());
    std::uint64_t count = 0;
    std::string const number = piece(file, start, sizeof count);
    if (number.size() == sizeof count) std::memcpy(&count, number.data(), sizeof count);
    if (count > (end - start) / sizeof(kernel)) count = 0;
    std::string const list = piece(file, start + sizeof count, count * sizeof(kernel));
    std::vector<kernel> all(list.size() / sizeof(kernel));
    if (!all.empty()) std::memcpy(all.data(), list.data(), all.size() * sizeof(kernel));
    auto const inside = [end](std::uint64_t at, std::uint64_t size) { return size <= end && at <= end - size; };
    bool const whole = !all.empty() && std::all_of(all.begin(), all.end(), [&](kernel const& k) {
        return inside(k.text, k.text_size) && inside(k.image, k.image_size) && k.architecture[15] == '\0';
    });
    if (!whole) return void(why_none_ = file_ + " is damaged");
    kernels_ = std::move(all);
}

// Machine code runs on later cards of its generation too.
int prebuilt_kernels::rank(kernel const& k, int capability) {
    std::string_view const name = k.architecture;
    bool const ptx = name.starts_with("compute_");
    int const made_for = std::atoi(k.architecture + (ptx ? 8 : 3));
    bool const runs = made_for > 0 && made_for <= capability && (ptx || made_for / 10 == capability / 10);
    return !runs ? 0 : ptx ? made_for : 1000 + made_for;
}

std::string prebuilt_kernels::find(std::string const& text, int capability) {
    std::lock_guard const lock(mutex_);
    open();
    if (kernels_.empty()) return "";
    std::ifstream file(file_, std::ios::binary);
    kernel const* best = nullptr;
    for (kernel const& k : kernels_) {
        if (k.text_size != text.size() || rank(k, capability) <= (best ? rank(*best, capability) : 0)) continue;
        if (piece(file, k.text, k.text_size) == text) best = &k;
    }
    return best ? piece(file, best->image, best->image_size) : "";
}

std::string prebuilt_kernels::describe() {
    std::lock_guard const lock(mutex_);
    open();
    if (kernels_.empty()) return why_none_;
    std::set<std::uint64_t> units;
    for (kernel const& k : kernels_) units.insert(k.text);
    return std::to_string(units.size()) + " compiled ahead";
}

}  // namespace bascule::cuda
