// Every op and every aggregation: what a generated kernel may call.
#pragma once
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/distribution_rules.hpp"
#include "bascule/ops/table.hpp"
