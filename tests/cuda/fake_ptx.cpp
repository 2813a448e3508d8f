#include "fake_ptx.hpp"

#include "ptx/decode.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace bascule::fake {
namespace {

// Every module that was loaded: a pointer to a variable may have come from another one.
std::vector<std::shared_ptr<ptx::module>>& modules() {
    static auto* const all = new std::vector<std::shared_ptr<ptx::module>>;  // threads may outlive static objects
    return *all;
}

// A kernel sees the memory of its device and of those whose memory it may reach, variables of modules and pinned
// memory.
class seen_memory final : public ptx::global_memory {
public:
    explicit seen_memory(device& on) : on_(on) {}
    ptx::region find(std::uint64_t address, bool to_write) override {
        if (ptx::region const r = of(on_, address, to_write); r.end > r.begin) return r;
        for (void* peer : on_.peers)
            if (ptx::region const r = of(*static_cast<device*>(peer), address, to_write); r.end > r.begin) return r;
        for (auto const& m : modules())
            if (ptx::region const r = m->find(address); r.end > r.begin) return r;
        auto const after = the().pinned.upper_bound(reinterpret_cast<char*>(address));
        if (after == the().pinned.begin()) return {};
        auto const& [start, bytes] = *std::prev(after);
        auto const begin = reinterpret_cast<std::uint64_t>(start);
        return address < begin + bytes ? ptx::region{begin, begin + bytes, nullptr, true} : ptx::region{};
    }

private:
    static ptx::region of(device& d, std::uint64_t address, bool to_write) {
        if (auto* const access = d.memory.open(address, to_write)) note_access(*access, to_write);
        return d.memory.region_of(address);
    }
    device& on_;
};

// ---- counts by kernel
class all_counts {
public:
    ptx::counters& of(std::string const& kernel) { return counts_[kernel]; }
    void print_all(char const* file) const {
        std::FILE* const out = file ? std::fopen(file, "a") : nullptr;
        if (!out) return;
        for (auto const& [name, c] : counts_) print(out, name, c);
        std::fclose(out);
    }
    void clear() { counts_.clear(); }

private:
    static void print(std::FILE* out, std::string const& name, ptx::counters const& c) {
        static constexpr char const* kinds[] = {"integer", "float32", "float64", "conversion", "logic",
                                                "memory",  "shared",  "warp",    "control"};
        static_assert(std::size(kinds) == ptx::work_kinds);
        auto const number = [out](char const* key, std::uint64_t n) {
            std::fprintf(out, ", \"%s\": %llu", key, static_cast<unsigned long long>(n));
        };
        std::fprintf(out, "{\"kernel\": \"%s\"", name.c_str());
        number("launches", c.launches), number("warp_instructions", c.warp_instructions);
        number("warps", c.warps), number("longest_warp", c.longest_warp);
        for (std::size_t k = 0; k < ptx::work_kinds; ++k) number(kinds[k], c.lane_instructions[k]);
        number("sectors", c.sectors), number("least_sectors", c.least_sectors), number("bytes", c.global_bytes);
        number("distinct_sectors", c.distinct_sectors);
        number("bank_cycles", c.bank_cycles), number("least_bank_cycles", c.least_bank_cycles);
        number("branches", c.branches), number("divergent_branches", c.divergent_branches);
        number("barriers", c.barriers);
        std::fprintf(out, "}\n");
    }
    std::map<std::string, ptx::counters> counts_{};
};
all_counts& counts() {
    static auto* const all = [] {
        std::atexit([] { counts().print_all(std::getenv("BASCULE_FAKE_CUDA_PTX_COUNTS")); });
        return new all_counts;
    }();
    return *all;
}

}  // namespace

bool runs_ptx() { return number_from("BASCULE_FAKE_CUDA_PTX", 0) != 0; }

bool is_ptx(char const* image) {
    return std::strncmp(image,
                        "\x7f"
                        "ELF",
                        4) != 0 &&
           std::strstr(image, ".version") && std::strstr(image, ".target");
}

int load_ptx(char const* image, module& into) {
    try {
        into.text = std::make_shared<ptx::module>(image);
        modules().push_back(into.text);
    } catch (ptx::syntax_error const& e) {
        the().last_message = e.what();
        return invalid_image;
    }
    return success;
}

int find_ptx(module const& in, char const* name, function& into) {
    try {
        into.code = in.text->kernel(name);
    } catch (ptx::syntax_error const& e) {
        the().last_message = e.what();
        return invalid_image;
    }
    if (!into.code) return not_found;
    for (std::size_t bytes : into.code->param_bytes) into.sizes.push_back(static_cast<int>(bytes));
    return success;
}

bool find_ptx_variable(module const& in, char const* name, device_ptr& address, std::size_t& bytes) {
    auto const [at, size] = in.text->variable_at(name);
    address = at, bytes = size;
    return at != 0;
}

std::function<void()> ptx_work(device& on, function const& f, unsigned const (&grid)[3], unsigned const (&threads)[3],
                               std::size_t dynamic_shared, void** given) {
    ptx::launch_parameters work{.kernel = f.code,
                                .grid = {grid[0], grid[1], grid[2]},
                                .threads = {threads[0], threads[1], threads[2]},
                                .params = std::vector<char>(f.code->params_size),
                                .dynamic_shared = dynamic_shared};
    for (std::size_t k = 0; k < f.code->param_bytes.size(); ++k)
        std::memcpy(work.params.data() + f.code->param_offsets[k], given[k], f.code->param_bytes[k]);
    return [&on, work = std::move(work)]() mutable {
        seen_memory memory(on);
        work.seed = static_cast<unsigned>(number_from("BASCULE_FAKE_CUDA_PTX_ORDER", 0));
        work.counts_distinct_sectors = number_from("BASCULE_FAKE_CUDA_PTX_DISTINCT", 0) != 0;
        ptx::run(work, memory, counts().of(work.kernel->name));
    };
}

int code_of_ptx_fault(std::string& message) {
    try {
        throw;
    } catch (ptx::fault const& f) {
        message = f.what();
        switch (f.kind) {
            case ptx::fault_kind::misaligned: return misaligned_address;
            case ptx::fault_kind::illegal_address: return illegal_address;
            default: return launch_failed;
        }
    } catch (ptx::syntax_error const& e) {
        message = e.what();
        return launch_failed;
    }
}

}  // namespace bascule::fake

// For reports: a line for each kernel that ran since the last call is appended to the file.
EXPORTED void bascule_fake_write_ptx_counts(char const* file) {
    bascule::fake::lock const l(bascule::fake::the().mutex);
    bascule::fake::counts().print_all(file);
    bascule::fake::counts().clear();
}
