// Memory and parallel loops of the grouping algorithms.
#pragma once
#include "backend/cpu/common/row_chunks.hpp"

namespace bascule::cpu::tables::grouping {

using chunked::chunk_rows;
using chunked::for_each_chunk;
using chunked::for_each_task;
using chunked::i64;
using chunked::row_chunks;
using chunked::scratch;
using chunked::table_chunks;
using chunked::u32;
using chunked::u64;
using chunked::u8;

}  // namespace bascule::cpu::tables::grouping
