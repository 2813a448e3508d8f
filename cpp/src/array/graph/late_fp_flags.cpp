#include "late_fp_flags.hpp"

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "bascule/array/storage.hpp"

namespace bascule::late_fp_flags {
namespace {

constexpr std::size_t most_words = 16384;

// One for each device, as long as the process lives. Kernels on one device run in order, so words that have been copied
// out and set to 0 again may be given to the next plan at once.
struct gathering {
    device where;
    std::shared_mutex launches;  // held shared by plans that are being launched, exclusively by a reader
    std::mutex mutex;            // guards the members below
    std::uint32_t* words = nullptr;
    std::size_t used = 0;
    std::vector<expectation> expected;

    void copy(void* to, void const* from, std::size_t count, copy_kind kind) const {
        throw_if(where.api->copy(where.index, to, from, static_cast<std::int64_t>(4 * count), kind, nullptr), where);
    }
    void clear(std::size_t count) const {
        static std::uint32_t const zeros[most_words] = {};
        copy(words, zeros, count, copy_kind::host_to_device);
    }
    // Null: no room is left.
    std::uint32_t* take(std::size_t count, std::span<expectation const> more) {
        std::lock_guard const lock(mutex);
        if (!words) {
            void* p = nullptr;
            throw_if(where.api->allocate(where.index, 4 * most_words, &p), where);
            words = static_cast<std::uint32_t*>(p);
            clear(most_words);
        }
        if (used + count > most_words) return nullptr;
        for (expectation e : more) {
            e.first += static_cast<std::int32_t>(used);
            expected.push_back(e);
        }
        used += count;
        return words + used - count;
    }
};

gathering& of(device where) {
    static std::mutex mutex;
    static auto* const all = new std::vector<std::unique_ptr<gathering>>;
    std::lock_guard const lock(mutex);
    for (auto const& g : *all)
        if (g->where == where) return *g;
    all->push_back(std::make_unique<gathering>());
    all->back()->where = where;
    return *all->back();
}

}  // namespace

// Where too much has gathered, the device is waited for after all.
claim::claim(device where, std::size_t words, std::span<expectation const> expected) : owner_(&of(where)) {
    auto& g = *static_cast<gathering*>(owner_);
    g.launches.lock_shared();
    try {
        while (!(words_ = g.take(words, expected))) {
            g.launches.unlock_shared();
            struct again {
                gathering& g;
                ~again() { g.launches.lock_shared(); }
            } const shared_again{g};
            reading early(where);
            throw_if(where.api->synchronize(where.index, nullptr), where);
            early.report();
        }
    } catch (...) {
        g.launches.unlock_shared();
        throw;
    }
}

claim::~claim() { static_cast<gathering*>(owner_)->launches.unlock_shared(); }

errstate::finding as_reported(errstate::finding f, std::uint8_t check, device where) {
    f.fp_errors = check;
    pending_operation named;
    named.op = f.op;
    if (where.api->host_memory || !check || errstate::mark(named, f.how, check)) return f;
    return {named.order, named.line, named.named, named.how, named.check};
}

std::optional<claim> report_later(errstate::finding const& f, std::uint8_t check, device where) {
    expectation const expected{.finding = as_reported(f, check, where)};
    if (expected.finding.line == 0) return {};
    return std::optional<claim>(std::in_place, where, 1, std::span(&expected, 1));
}

reading::reading(device where) : where_(where) {
    if (where.api->host_memory) return;
    gathering& g = of(where);
    std::unique_lock const nobody_launches(g.launches);
    std::lock_guard const lock(g.mutex);
    if (g.used == 0) return;
    found_.resize(g.used);
    g.copy(found_.data(), g.words, g.used, copy_kind::device_to_host);
    g.clear(g.used);
    expected_ = std::exchange(g.expected, {});
    g.used = 0;
}

reading::~reading() = default;

void reading::report() {
    for (expectation const& e : std::exchange(expected_, {})) {
        std::uint32_t flags = 0;
        for (std::int32_t k = 0; k < e.count; ++k) flags |= found_[static_cast<std::size_t>(e.first + k)];
        auto f = e.finding;
        f.fp_errors &= e.means == 0 ? static_cast<std::uint8_t>(flags) : flags ? e.means : std::uint8_t{0};
        errstate::report(f);
    }
}

}  // namespace bascule::late_fp_flags
