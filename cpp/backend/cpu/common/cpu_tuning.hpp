// What processors with the same instructions do differently, found out once.
#pragma once

namespace bascule::cpu {

// Memory that is read in order is better asked for early. On Intel's processors two cores reach three quarters of what
// they can read without that. AMD's fetch ahead of a loop by themselves as far as it pays, and requests besides take
// the places of loads: sums of 8 MB in the cache take 30 % longer with them (Zen 4).
extern bool const prefetches_streams;

// Items that lie about in memory larger than the caches are asked for into the second cache, well ahead. AMD's waits
// for many more lines at a time than the first: that takes half the time of loads, of gathers and of requests into the
// first (Zen 4, 8 MB and 80 MB). Intel's processors keep to gathers and to the first, which were measured to be good
// there.
extern bool const prefetches_into_l2;

// Long machine code computes two vectors alternately: Zen 4 has room for some 128 vector instructions that wait for
// others, little more than such code has for a vector. Intel's processors have the order that was measured on them.
extern bool const pairs_vectors;

// Vectors of 64 bytes are computed and stored in two halves: Zen 4's. What is quickly computed and stored then takes up
// to a fifth longer with them than with vectors of 32 bytes.
extern bool const splits_vectors;

// Results that fit the last cache are written past it where much more is read beside, which drives them out before
// anything reads them again: AMD's, where sums and products of four arrays take a sixth less so (Zen 4, 24 MB each).
extern bool const streams_beside_reads;

// Approximations of reciprocal roots have the bits that jit/avx512_root.cpp was tested with.
extern bool const approximates_as_tested;

}  // namespace bascule::cpu
