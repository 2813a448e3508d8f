// The one symbol that the library shows.
#include <thrust/version.h>

#include <stdexcept>
#include <string>

#include "backend/cuda/algorithms/thrust/execution.hpp"

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

bool runs(algorithm_kind kind) noexcept {
    switch (kind) {
        case algorithm_kind::sort:
        case algorithm_kind::argsort:
        case algorithm_kind::select_ranks:
        case algorithm_kind::factorize:
        case algorithm_kind::aggregate_by_id:
        case algorithm_kind::join_pairs:
        case algorithm_kind::gather_strings:
        case algorithm_kind::concat_strings:
        case algorithm_kind::compare_strings:
        case algorithm_kind::find_strings:
        case algorithm_kind::assemble_strings:
        case algorithm_kind::replace_strings:
        case algorithm_kind::validity_bits:
        case algorithm_kind::window_bounds:
        case algorithm_kind::window_aggregate:
        case algorithm_kind::window_exponential:
        case algorithm_kind::searchsorted:
        case algorithm_kind::bincount:
        case algorithm_kind::histogram: return true;
        default: return false;
    }
}

void dispatch(context const& c, algorithm_kind kind, void* args) {
    switch (kind) {
        case algorithm_kind::sort: return sort(c, *static_cast<sort_args const*>(args));
        case algorithm_kind::argsort: return argsort(c, *static_cast<argsort_args const*>(args));
        case algorithm_kind::select_ranks: return select_ranks(c, *static_cast<select_ranks_args const*>(args));
        case algorithm_kind::factorize: return factorize(c, *static_cast<factorize_args*>(args));
        case algorithm_kind::searchsorted: return searchsorted(c, *static_cast<searchsorted_args const*>(args));
        case algorithm_kind::bincount: return bincount(c, *static_cast<bincount_args*>(args));
        case algorithm_kind::histogram: return histogram(c, *static_cast<histogram_args const*>(args));
        case algorithm_kind::aggregate_by_id:
            return aggregate_by_id(c, *static_cast<aggregate_by_id_args const*>(args));
        case algorithm_kind::join_pairs: return join_pairs(c, *static_cast<join_pairs_args*>(args));
        case algorithm_kind::gather_strings: return gather_strings(c, *static_cast<gather_strings_args*>(args));
        case algorithm_kind::concat_strings: return concat_strings(c, *static_cast<concat_strings_args*>(args));
        case algorithm_kind::compare_strings:
            return compare_strings(c, *static_cast<compare_strings_args const*>(args));
        case algorithm_kind::find_strings: return find_strings(c, *static_cast<find_strings_args const*>(args));
        case algorithm_kind::assemble_strings: return assemble_strings(c, *static_cast<assemble_strings_args*>(args));
        case algorithm_kind::replace_strings: return replace_strings(c, *static_cast<replace_strings_args*>(args));
        case algorithm_kind::validity_bits: return validity_bits(c, *static_cast<validity_bits_args*>(args));
        case algorithm_kind::window_bounds: return window_bounds(c, *static_cast<window_bounds_args const*>(args));
        case algorithm_kind::window_aggregate:
            return window_aggregate(c, *static_cast<window_aggregate_args const*>(args));
        case algorithm_kind::window_exponential:
            return window_exponential(c, *static_cast<window_exponential_args const*>(args));
        default: throw unsupported{"an algorithm that this library does not know"};
    }
}

algorithm_outcome run(algorithm_host const* host, algorithm_kind kind, void* args) noexcept {
    try {
        dispatch(context(*host), kind, args);
        return algorithm_outcome::ok;
    } catch (host_said_no const&) { return algorithm_outcome::host_said_no; } catch (bad_index const& e) {
        return say(algorithm_outcome::bad_index, e.text);
    } catch (unsupported const& e) {
        return say(algorithm_outcome::not_supported, e.text);
    } catch (device_failed const& e) {
        return say(algorithm_outcome::device_failed, e.text);
    } catch (std::exception const& e) { return say(algorithm_outcome::device_failed, e.what()); }
}

char const* describe() noexcept {
    static std::string const text = [] {
        std::string s = "Thrust " + std::to_string(THRUST_MAJOR_VERSION) + "." + std::to_string(THRUST_MINOR_VERSION);
#if defined(BASCULE_EMULATED_ALGORITHMS)
        return s + " on the host";
#else
        return s + ", CUDA " + std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION / 10 % 100);
#endif
    }();
    return text.c_str();
}

char const* problem([[maybe_unused]] int driver_version) noexcept {
#if !defined(BASCULE_EMULATED_ALGORITHMS)
    if (driver_version / 1000 < CUDART_VERSION / 1000) {
        static std::string const text = "it was built for CUDA " + std::to_string(CUDART_VERSION / 1000) +
                                        ", which the driver is too old for";
        return text.c_str();
    }
#endif
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
