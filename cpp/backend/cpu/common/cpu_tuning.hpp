// Differences between processors with the same instructions, determined once.
#pragma once

namespace bascule::cpu {

// Whether memory that is read in order should be prefetched. Intel's processors reach only three quarters of their read
// bandwidth on two cores without it. AMD's prefetch ahead of a loop by themselves as far as it pays, and further
// requests take the slots of loads: sums of 8 MB in the cache take 30 % longer with them (Zen 4).
extern bool const prefetches_streams;

// Whether scattered items in memory larger than the caches are prefetched into the second cache, well ahead. AMD's
// second cache waits for many more lines at a time than the first: that takes half the time of loads, of gathers and of
// prefetches into the first (Zen 4, 8 MB and 80 MB). Intel's processors use gathers and the first cache, as measured
// there.
extern bool const prefetches_into_l2;

// Long machine code computes two vectors alternately: Zen 4 has room for some 128 waiting vector instructions, little
// more than such code has for one vector. On Intel's processors the order was measured.
extern bool const pairs_vectors;

// Vectors of 64 bytes are computed and stored as two of 32 bytes on Zen 4. Code that computes and stores little then
// takes up to a fifth longer with them than with vectors of 32 bytes.
extern bool const splits_vectors;

// Results that fit the last cache bypass it where much more is read at the same time, which evicts them before they are
// read again: on AMD's, sums and products of four arrays take a sixth less that way (Zen 4, 24 MB each).
extern bool const streams_alongside_reads;

// Approximations of reciprocal roots have the bits that jit/avx512_root.cpp was tested with.
extern bool const approximates_as_tested;

}  // namespace bascule::cpu
