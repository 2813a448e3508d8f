// What processors with the same instructions do differently, found out once.
#pragma once

namespace bascule::cpu {

// Items that lie about in memory larger than the caches are asked for into the second cache, well ahead. AMD's waits
// for many more lines at a time than the first: that takes half the time of loads, of gathers and of requests into the
// first (Zen 4, 8 MB and 80 MB). Intel's processors keep to gathers and to the first, which were measured to be good
// there.
extern bool const asks_second_cache;

}  // namespace bascule::cpu
