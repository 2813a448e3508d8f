// Kernels written as PTX by hand, run on memory of the host.
#pragma once
#include <gtest/gtest.h>

#include "../decode.hpp"

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace bascule::ptx::testing {

// Allocations whose bounds are known, and which of their words were written.
class host_memory final : public global_memory {
public:
    ~host_memory() override {
        for (auto const& [address, block] : blocks_) std::free(reinterpret_cast<void*>(address));
    }
    std::uint64_t fresh(std::size_t bytes) {
        auto const p = reinterpret_cast<std::uint64_t>(std::aligned_alloc(256, (bytes + 511) / 256 * 256));
        blocks_[p] = {bytes, std::make_unique<shadow>(bytes, false)};
        return p;
    }
    template <class T> std::uint64_t of(std::vector<T> const& values) {
        std::uint64_t const p = fresh(values.size() * sizeof(T));
        std::memcpy(reinterpret_cast<void*>(p), values.data(), values.size() * sizeof(T));
        blocks_[p].marks->host_wrote(0, values.size() * sizeof(T));
        return p;
    }
    region find(std::uint64_t address, bool) override {
        if (region const r = variables ? variables->find(address) : region{}; r.end) return r;
        auto const after = blocks_.upper_bound(address);
        if (after == blocks_.begin()) return {};
        auto const& [begin, b] = *std::prev(after);
        return address < begin + b.bytes ? region{begin, begin + b.bytes, b.marks.get(), true} : region{};
    }

    module* variables = nullptr;

private:
    struct allocation {
        std::size_t bytes = 0;
        std::unique_ptr<shadow> marks{};
    };
    std::map<std::uint64_t, allocation> blocks_{};
};

template <class T> std::vector<T> values_at(std::uint64_t p, std::size_t n) {
    std::vector<T> all(n);
    std::memcpy(all.data(), reinterpret_cast<void const*>(p), n * sizeof(T));
    return all;
}

// A kernel with the address `out` in %rd1, `in` in %rd2, %tid.x in %r1, and registers of every type.
inline std::string kernel(std::string const& body, std::string const& before = "") {
    return ".version 9.0\n.target sm_80\n.address_size 64\n" + before +
           ".visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)\n{\n"
           ".reg .pred %p<20>;\n.reg .b16 %h<20>;\n.reg .b32 %r<40>;\n.reg .f32 %f<40>;\n.reg .b64 %rd<40>;\n"
           ".reg .f64 %fd<40>;\nld.param.u64 %rd1, [k_param_0];\nld.param.u64 %rd2, [k_param_1];\n"
           "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd3, %rd3, %rd1;\n" +
           body + "\nret;\n}\n";
}

struct run_options {
    unsigned blocks = 1, threads = 32, seed = 0;
    std::size_t dynamic_shared = 0;
};
inline counters run_kernel(std::string const& text, host_memory& memory, std::uint64_t out, std::uint64_t in,
                           run_options const& o = {}) {
    module m(text);
    launch_parameters work{.kernel = m.kernel("k"),
                           .grid = {o.blocks, 1, 1},
                           .threads = {o.threads, 1, 1},
                           .params = std::vector<char>(16),
                           .dynamic_shared = o.dynamic_shared,
                           .seed = o.seed};
    std::memcpy(work.params.data(), &out, 8);
    std::memcpy(work.params.data() + 8, &in, 8);
    counters counted;
    memory.variables = &m;
    run(work, memory, counted);
    memory.variables = nullptr;
    return counted;
}

// The words that 32 threads stored by `st.global.u32 [%rd3], ...`.
template <class T = std::uint32_t>
std::vector<T> results(std::string const& body, std::vector<T> const& in = {}, run_options const& o = {}) {
    host_memory memory;
    std::uint64_t const out = memory.fresh(o.threads * o.blocks * sizeof(T));
    run_kernel(kernel(body), memory, out, memory.of(in), o);
    return values_at<T>(out, o.threads * o.blocks);
}

// The message of the fault that a kernel ends with; empty if it ends well.
inline std::string fault_of(std::string const& body, run_options const& o = {}, std::string const& before = "") {
    host_memory memory;
    try {
        run_kernel(kernel(body, before), memory, memory.fresh(4 * o.threads),
                   memory.of(std::vector<std::uint32_t>(64, 7)), o);
    } catch (fault const& f) { return f.what(); }
    return "";
}
inline bool says(std::string const& message, std::string const& part) {
    return message.find(part) != std::string::npos;
}

}  // namespace bascule::ptx::testing
