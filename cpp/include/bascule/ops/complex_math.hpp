// Elementary functions of complex numbers, in float and double. Device-clean.
// float computes through double and rounds once, except in the arithmetic of complex_math/arithmetic.hpp and integer
// powers, which give NumPy's results. Special values, branch cuts and signs of zero are those of C's Annex G.
#pragma once
#include "bascule/ops/complex_math/arithmetic.hpp"
#include "bascule/ops/complex_math/exponential.hpp"
#include "bascule/ops/complex_math/hyperbolic.hpp"
#include "bascule/ops/complex_math/inverse.hpp"
