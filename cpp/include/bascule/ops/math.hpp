// Real elementary functions for float and double, in our own text: the same on every host and device, and free of
// branches, so that a plain loop over one is vector code. Special values are C99's. Largest errors, with a fused
// multiply-add: 1 ULP (erf, erfc and the gaps named at a function: 2); without one: 2 ULP.
#pragma once
#include "bascule/ops/math/basic.hpp"
#include "bascule/ops/math/bessel.hpp"
#include "bascule/ops/math/beta.hpp"
#include "bascule/ops/math/erf.hpp"
#include "bascule/ops/math/exp_log.hpp"
#include "bascule/ops/math/exp_log_by_table.hpp"
#include "bascule/ops/math/gamma.hpp"
#include "bascule/ops/math/hyperbolic.hpp"
#include "bascule/ops/math/inverse_trig.hpp"
#include "bascule/ops/math/logistic.hpp"
#include "bascule/ops/math/normal.hpp"
#include "bascule/ops/math/power.hpp"
#include "bascule/ops/math/remainder.hpp"
#include "bascule/ops/math/trig.hpp"
