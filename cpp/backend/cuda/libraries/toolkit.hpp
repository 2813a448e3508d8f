// cuBLAS, cuSOLVER, cuFFT and cuSPARSE, each opened at its first use from a package of pip's or the system. The
// packages' folders are those that NVRTC is looked for in.
#pragma once
#include <string>
#include <vector>

#include "backend/cuda/libraries/entry_points.hpp"

namespace bascule::cuda::libraries {

// Said once, before the first use. The version is the driver's, 1000 * major + 10 * minor.
void lie_in(std::vector<std::string> directories, int driver_version);

template <class Api> struct opened {
    Api const* api = nullptr;  // null where there is none
    std::string version;       // "13.1"
    std::string why_not;       // with the fix
};
opened<cublas_api> const& cublas();
opened<cusolver_api> const& cusolver();
opened<cufft_api> const& cufft();
opened<cusparse_api> const& cusparse();

// A line for users: the libraries of products, factors, transforms and sparse products, or why there are none.
std::string describe();

// Throws where the library is missing; `what` names the caller that needs it.
template <class Api> Api const& needed(opened<Api> const& library, char const* what);

// Throws where a function of a library says that it failed.
void must(int status, int no_memory, char const* function);

}  // namespace bascule::cuda::libraries
