// Reading and writing CSV text on the CPU.
#pragma once
#include "bascule/core/table_algorithms_csv.hpp"

namespace bascule::cpu::csv {

status read_csv(read_csv_args&) noexcept;
status write_csv(write_csv_args&) noexcept;

}  // namespace bascule::cpu::csv
