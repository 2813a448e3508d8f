#include "backend/cpu/jit/code_cache.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include "bascule/core/system.hpp"

namespace bascule::cpu::jit {
namespace {

struct entry {
    std::uint64_t hash;
    kernel run;
    int size;
    std::uint8_t key[1];  // `size` bytes
};

constexpr int slots = 4096, most_entries = slots / 2;
std::atomic<entry const*> table[slots];
// Held while code is written. A thread that does not get it interprets instead, so no thread waits, after a fork
// either.
std::atomic_flag writing;
int entries = 0;

std::uint64_t hash_of(code_key const& k) noexcept {
    std::uint64_t h = static_cast<std::uint64_t>(k.size);
    for (int i = 0; i < k.size; i += 8) {
        std::uint64_t w = 0;
        std::memcpy(&w, k.bytes + i, static_cast<std::size_t>(k.size - i < 8 ? k.size - i : 8));
        h = (h ^ w) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

bool is_of(entry const& e, code_key const& k, std::uint64_t hash) noexcept {
    return e.hash == hash && e.size == k.size && std::memcmp(e.key, k.bytes, static_cast<std::size_t>(k.size)) == 0;
}

// Memory that is mapped twice, to be written and to be run, so that nothing is ever both. A forked process shares it
// and takes memory of its own when it writes.
class code_memory {
public:
    void* keep(std::uint8_t const* code, int size) noexcept {
        if (!writable_ || owner_ != process() || used_ + size > bytes) map();
        if (!writable_ || used_ + size > bytes) return nullptr;
        std::memcpy(writable_ + used_, code, static_cast<std::size_t>(size));
        void* const at = runs_ + used_;
        used_ = (used_ + size + 63) / 64 * 64;
        return at;
    }

private:
    static constexpr int bytes = 1 << 20, most_maps = 4;

    static int process() noexcept { return getpid(); }
    void map() noexcept {
        writable_ = nullptr;
        if (maps_ == most_maps) return;
        ++maps_;
        int const file = system::unnamed_file();
        if (file < 0) return;
        if (ftruncate(file, bytes) == 0) {
            void* const w = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            void* const r = mmap(nullptr, bytes, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
            if (w != MAP_FAILED && r != MAP_FAILED) {
                writable_ = static_cast<std::uint8_t*>(w), runs_ = static_cast<std::uint8_t*>(r);
                used_ = 0, owner_ = process();
            } else {
                if (w != MAP_FAILED) munmap(w, bytes);
                if (r != MAP_FAILED) munmap(r, bytes);
            }
        }
        close(file);
    }

    std::uint8_t *writable_ = nullptr, *runs_ = nullptr;
    int used_ = 0, owner_ = 0, maps_ = 0;
} memory;

}  // namespace

kernel find_code(code_key const& k, bool& refused) noexcept {
    std::uint64_t const hash = hash_of(k);
    for (std::uint64_t at = hash % slots;; at = (at + 1) % slots) {
        entry const* const e = table[at].load(std::memory_order_acquire);
        if (!e) break;
        if (!is_of(*e, k, hash)) continue;
        refused = e->run == nullptr;
        return e->run;
    }
    refused = false;
    return nullptr;
}

kernel keep_code(code_key const& k, std::uint8_t const* code, int size) noexcept {
    if (writing.test_and_set(std::memory_order_acquire)) return nullptr;
    kernel run = nullptr;
    auto* const e = entries < most_entries
                        ? static_cast<entry*>(std::malloc(sizeof(entry) + static_cast<std::size_t>(k.size)))
                        : nullptr;
    if (e) {
        if (size > 0) run = reinterpret_cast<kernel>(memory.keep(code, size));
        e->hash = hash_of(k), e->run = run, e->size = k.size;
        std::memcpy(e->key, k.bytes, static_cast<std::size_t>(k.size));
        std::uint64_t at = e->hash % slots;
        while (table[at].load(std::memory_order_relaxed)) at = (at + 1) % slots;
        table[at].store(e, std::memory_order_release);
        ++entries;
    }
    writing.clear(std::memory_order_release);
    return run;
}

}  // namespace bascule::cpu::jit
