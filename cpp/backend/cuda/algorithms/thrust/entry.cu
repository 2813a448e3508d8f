// The one symbol that the library shows.
#include <thrust/version.h>

#include <stdexcept>
#include <string>

#include "backend/cuda/algorithms/thrust/csv/read_csv.hpp"
#include "backend/cuda/algorithms/thrust/execution.hpp"
#include "bascule/core/algorithm_table.hpp"

#if !defined(BASCULE_EMULATED_ALGORITHMS)
#include <cuda_runtime_api.h>
#endif

namespace bascule::cuda::algorithms {
namespace {

thread_local std::string last_error_text;

algorithm_outcome say(algorithm_outcome outcome, std::string text) {
    last_error_text = std::move(text);
    return outcome;
}

using function = void (*)(context const&, void* args);
template <algorithm_kind kind, auto algorithm> void call(context const& c, void* args) {
    algorithm(c, arguments<kind>(args));
}
template <algorithm_kind kind, auto algorithm> constexpr algorithm_row<function> row = {kind, call<kind, algorithm>};

using enum algorithm_kind;
constexpr algorithm_table<function> table = {
    row<sort, algorithms::sort>,
    row<argsort, algorithms::argsort>,
    row<select_ranks, algorithms::select_ranks>,
    row<searchsorted, algorithms::searchsorted>,
    row<bincount, algorithms::bincount>,
    row<histogram, algorithms::histogram>,
    row<factorize, algorithms::factorize>,
    row<aggregate_by_id, algorithms::aggregate_by_id>,
    row<group_ranks, algorithms::group_ranks>,
    row<join_pairs, algorithms::join_pairs>,
    row<gather_strings, algorithms::gather_strings>,
    row<concat_strings, algorithms::concat_strings>,
    row<compare_strings, algorithms::compare_strings>,
    row<find_strings, algorithms::find_strings>,
    row<assemble_strings, algorithms::assemble_strings>,
    row<replace_strings, algorithms::replace_strings>,
    row<validity_bits, algorithms::validity_bits>,
    row<window_bounds, algorithms::window_bounds>,
    row<window_aggregate, algorithms::window_aggregate>,
    row<window_exponential, algorithms::window_exponential>,
    row<read_csv, algorithms::read_csv>,
};

bool runs(algorithm_kind kind) noexcept { return table.find(kind) != nullptr; }

algorithm_outcome run(algorithm_host const* host, algorithm_kind kind, void* args) noexcept {
    try {
        function const f = table.find(kind);
        if (!f) throw unsupported{"an algorithm that this library does not know"};
        f(context(*host), args);
        return algorithm_outcome::ok;
    } catch (host_said_no const&) { return algorithm_outcome::host_said_no; } catch (bad_index const& e) {
        return say(algorithm_outcome::bad_index, e.text);
    } catch (unsupported const& e) {
        return say(algorithm_outcome::not_supported, e.text);
    } catch (device_failed const& e) {
        return say(algorithm_outcome::device_failed, e.text);
    } catch (std::exception const& e) { return say(algorithm_outcome::device_failed, e.what()); }
}

#if defined(BASCULE_EMULATED_ALGORITHMS)
constexpr int runtime_version = 13000;  // as if it were the library of the wheels
#else
constexpr int runtime_version = CUDART_VERSION;
#endif

char const* describe() noexcept {
    static std::string const text = [] {
        std::string s = "Thrust " + std::to_string(THRUST_MAJOR_VERSION) + "." + std::to_string(THRUST_MINOR_VERSION);
#if defined(BASCULE_EMULATED_ALGORITHMS)
        return s + " on the host";
#else
        return s + ", CUDA " + std::to_string(runtime_version / 1000) + "." +
               std::to_string(runtime_version / 10 % 100);
#endif
    }();
    return text.c_str();
}

char const* problem(int driver_version) noexcept {
    if (driver_version / 1000 < runtime_version / 1000) {
        static std::string const text = "it was built for CUDA " + std::to_string(runtime_version / 1000) +
                                        ", which the driver is too old for";
        return text.c_str();
    }
    return "";
}

char const* last_error() noexcept { return last_error_text.c_str(); }

constexpr algorithm_library library = {
    .runs = runs, .run = run, .describe = describe, .problem = problem, .last_error = last_error};

}  // namespace
}  // namespace bascule::cuda::algorithms

extern "C" __attribute__((visibility("default"))) bascule::cuda::algorithm_library const* bascule_cuda_algorithms() {
    return &bascule::cuda::algorithms::library;
}
