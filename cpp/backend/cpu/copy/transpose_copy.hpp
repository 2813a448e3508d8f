// Copies to a layout whose innermost dimension is another one than the source's: a transpose, whole or of some
// dimensions. They are made in tiles, of which both sides are whole lines, or, where one of the two dimensions has but
// a few elements, in pieces of the other.
#pragma once
#include "backend/cpu/common/run_space.hpp"
#include "backend/cpu/dispatch/interleave_kernels.hpp"
#include "backend/cpu/dispatch/transpose_kernels.hpp"
#include "backend/cpu/program/program.hpp"

namespace bascule::cpu {

class transpose_copy {
public:
    explicit transpose_copy(program const&) noexcept;  // of a program that copies one load to one output
    bool pays() const noexcept { return pays_; }
    std::int64_t tasks() const noexcept { return (planes_ + planes_a_task_ - 1) / planes_a_task_ * tiles_; }
    void run(std::int64_t task) const noexcept;

private:
    void choose_dimensions() noexcept;
    bool choose_tiles() noexcept;
    bool choose_pieces() noexcept;
    void count_tiles() noexcept;
    void copy_tile(patch const&) const noexcept;
    void turn(transpose_kernel const* whole_lines, patch const&) const noexcept;
    bool copy_pieces(patch const&) const noexcept;  // false: out of memory
    void join_piece(patch const&) const noexcept;
    void separate_piece(patch const&) const noexcept;

    program const& program_;
    output const& out_;
    run_space<2> space_;  // the target, then the source
    char* to_ = nullptr;
    char const* from_ = nullptr;
    int down_ = -1, along_ = -1;  // the innermost dimensions of the source and of the target
    bool pays_ = false, streams_ = false, buffers_ = false;
    interleave_kernel join_ = nullptr;    // the target's items of one row of the source are between those of others
    separate_kernel separate_ = nullptr;  // the other way round
    std::int64_t size_ = 0, planes_ = 1, planes_a_task_ = 1, tiles_ = 1, tiles_along_ = 1, tile_rows_ = 0,
                 tile_columns_ = 0;
};

}  // namespace bascule::cpu
