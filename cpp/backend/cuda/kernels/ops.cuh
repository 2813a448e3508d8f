// Every op and every aggregation that a generated kernel may call.
#pragma once
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/distribution_rules.hpp"
#include "bascule/ops/table.hpp"
