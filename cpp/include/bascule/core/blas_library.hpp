// Where the BLAS and LAPACK of the CPU are searched.
#pragma once
#include <string>
#include <vector>

namespace bascule {

// Files to try in order: $BASCULE_OPENBLAS, the one set by set_blas_library, the one found when this was built, and the
// loader's own.
std::vector<std::string> blas_library_files();
void set_blas_library(std::string file);

}  // namespace bascule
