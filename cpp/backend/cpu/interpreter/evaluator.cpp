#include "backend/cpu/interpreter/evaluator.hpp"

#include <new>

#include "backend/cpu/common/cpu_tuning.hpp"
#include "backend/cpu/common/fp_status.hpp"
#include "backend/cpu/common/thread_scratch.hpp"
#include "backend/cpu/copy/interleave.hpp"
#include "backend/cpu/interpreter/selection_reader.hpp"

namespace bascule::cpu {

namespace {

constexpr int repeated_arena = 2;
constexpr std::int64_t largest_item = 16;

// Whether a reduction reads one repeated element.
bool reduces_repeated(program const& p) noexcept {
    for (int k = 0; k < p.source->nreductions; ++k)
        if (p.slots[p.source->reductions[k].value].single) return true;
    return false;
}

}  // namespace

evaluator::evaluator(program const& p, int arena) noexcept : program_(p), registers_(make_room(arena)) {
    if (!ready()) return;
    for (int v = 0; v < p.nslots; ++v) {
        slot const& s = p.slots[v];
        at[v] = s.where == place::fixed                                  ? s.base
                : s.where == place::reg || s.where == place::interleaved ? reg(s.reg)
                : s.where == place::table                                ? reinterpret_cast<char*>(at)
                                                                         : nullptr;
    }
    for (int k = 0; k < p.nmoving; ++k) filled_[p.moving[k]] = 0;
}

char* evaluator::make_room(int arena) noexcept {
    program const& p = program_;
    if (p.from) {
        reader_.reset(new (std::nothrow) selection_reader(*p.from));
        if (!reader_ || !reader_->ready()) return nullptr;
    }
    if (reduces_repeated(p) && !thread_scratch(repeated_arena, p.block * largest_item)) return nullptr;
    return thread_scratch(arena, p.nregisters * p.register_bytes + 64);
}

evaluator::~evaluator() {
    if (program_.streams) __atomic_thread_fence(__ATOMIC_SEQ_CST);  // other threads may read the streamed results
}

// Row by row or in whole planes, whichever part of the block the patch covers.
char* evaluator::packed(slot const& s, std::uint16_t v, std::int64_t i, std::int64_t n) noexcept {
    char* const to = reg(s.reg);
    geometry const& g = program_.space;
    bool const row_start = s.repeats && i % g.inner == 0;
    if (row_start && filled_[v] >= n) return to;
    filled_[v] = row_start ? n : 0;
    copy_kernel const copy = program_.kernels->copy[size_class(s.itemsize)];
    each_patch(g, s.strides, i, n,
               [&](std::int64_t offset, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                   std::int64_t column_stride, std::int64_t done) {
                   copy({to + done * s.itemsize, s.base + offset, rows, columns, columns * s.itemsize, s.itemsize,
                         row_stride, column_stride});
               });
    return to;
}

char* evaluator::counted(slot const& s, std::uint16_t v, std::int64_t i, std::int64_t n) noexcept {
    auto* const to = reinterpret_cast<std::int64_t*>(reg(s.reg));
    std::int64_t const start = program_.source->iotas[program_.source->values[v].operand].start;
    each_patch(program_.space, s.strides, i, n,
               [&](std::int64_t offset, std::int64_t rows, std::int64_t columns, std::int64_t row_step,
                   std::int64_t step, std::int64_t done) {
                   for (std::int64_t r = 0; r < rows; ++r)
                       program_.kernels->ramp(to + done + r * columns, start + offset + r * row_step, step,
                                              static_cast<std::size_t>(columns));
               });
    return reinterpret_cast<char*>(to);
}

void evaluator::place_moving(std::int64_t i, std::int64_t n, position& here) noexcept {
    geometry const& g = program_.space;
    load_interleaved(program_, at, i, n);
    for (int k = 0; k < program_.nmoving; ++k) {
        std::uint16_t const v = program_.moving[k];
        slot const& s = program_.slots[v];
        switch (s.where) {
            case place::flat: at[v] = s.base + i * s.itemsize; break;
            case place::rows:
                at[v] = g.by_rows || i % g.inner + n <= g.inner ? s.base + here.offset(s.strides) : packed(s, v, i, n);
                break;
            case place::strided:
            case place::per_row: at[v] = s.base + here.offset(s.strides); break;
            case place::interleaved: break;
            case place::selected: at[v] = reader_->read(i, n); break;
            case place::counted: at[v] = counted(s, v, i, s.single ? 1 : n); break;
            default: at[v] = packed(s, v, i, n); break;
        }
    }
}

void evaluator::place_outputs(position& here) noexcept {
    for (int k = 0; k < program_.noutputs; ++k) {
        output const& o = program_.outputs[k];
        if (o.direct) at[o.value] = static_cast<char*>(o.out->base) + here.offset(o.out->strides);
    }
}

void evaluator::classify(instruction const& x, std::size_t n, std::uint8_t* flags) noexcept {
    plan_value const& v = program_.source->values[x.value];
    type_id const from = program_.source->values[v.args[0]].dtype;
    auto const nth = [&](int k, std::uint16_t input) { return v.nargs > k ? at[input] : nullptr; };
    auto const single = [&](std::uint16_t input) { return program_.slots[input].single; };
    fp_error_args const args{at[x.d],  at[x.a], nth(1, x.b), nth(2, x.c), single(x.a), single(x.b), single(x.c),
                             x.wanted, n};
    std::uint8_t const found = fp_errors_of(v, from, args, *program_.kernels);
    flags[x.value] |= found;
    flags[x.second] |= found;
}

// Prefetches the first operands of the next block while the instructions of this one run: as many lines as a core can
// wait for at a time. Prefetching an invalid address is harmless, so the end of memory need not be checked.
void evaluator::fetch_ahead(std::int64_t n, int step) const noexcept {
    constexpr std::int64_t line = 64, most_lines = 16;
    if (!prefetches_streams || program_.space.total <= n || program_.nmoving == 0) return;
    std::int64_t const share = line * (most_lines / program_.nmoving);
    for (int k = 0; k < program_.nmoving; ++k) {
        slot const& s = program_.slots[program_.moving[k]];
        std::int64_t const bytes = n * s.itemsize, first = step * share;
        if (s.where != place::flat || first >= bytes) continue;
        char const* const next = at[program_.moving[k]] + bytes + first;
        for (std::int64_t b = 0; b < share; b += line) __builtin_prefetch(next + b);
    }
}

bool evaluator::run_checked(std::int64_t n, std::uint8_t* flags) noexcept {
    bool dirty = true, ambiguous = false;
    instruction const* const end = program_.code + program_.ninstructions;
    for (instruction const* x = program_.code; x != end; ++x) {
        auto const count = static_cast<std::size_t>(x->single ? 1 : n);
        bool const by_hardware = x->inspect == inspection::hardware;
        bool const if_noted = x->inspect == inspection::values_if_noted;
        if ((by_hardware || if_noted) && dirty) fp_status::clear();
        x->run(at[x->d], at[x->a], at[x->b], at[x->c], count);
        fetch_ahead(n, static_cast<int>(x - program_.code));
        dirty = !by_hardware && !if_noted;
        if (x->inspect == inspection::values) classify(*x, count, flags);
        if (if_noted && fp_status::raised()) {
            dirty = true;
            classify(*x, count, flags);
        }
        if (!by_hardware) continue;
        std::uint8_t const raised = fp_status::raised(), found = raised & x->wanted;
        dirty = raised != 0;
        if (x->rounds) ambiguous |= note_rounded(*x, found, flags);
        else if (x->pair) ambiguous |= found != 0;
        else flags[x->value] |= found;
    }
    return ambiguous;
}

// Invalid operations and divisions by zero were those of float32, where nothing overflows. The processor finds a few
// more results too small than to_float16_fp_errors() in kernels/elementwise/fp_errors.cpp: then it is ambiguous.
bool evaluator::note_rounded(instruction const& x, std::uint8_t found, std::uint8_t* flags) noexcept {
    flags[x.second] |= found & (ops::fp::invalid | ops::fp::divide);
    flags[x.value] |= found & ops::fp::over;
    return (found & ops::fp::under) != 0;
}

void evaluator::place(std::int64_t i, std::int64_t n) noexcept {
    position here(program_.space, i);
    place_moving(i, n, here);
    place_outputs(here);
}

bool evaluator::block(std::int64_t i, std::int64_t n, std::uint8_t* flags) noexcept {
    place(i, n);
    if (program_.inspects) return run_checked(n, flags);
    run_all(n);
    return false;
}

void evaluator::compute(std::int64_t i, std::int64_t n) noexcept {
    place(i, n);
    run_all(n);
}

void evaluator::reduce(std::int64_t i, std::int64_t n) noexcept {
    position here(program_.space, i);
    place_moving(i, n, here);
    run_all(n);
}

void evaluator::run_all(std::int64_t n) noexcept {
    instruction const* const end = program_.code + program_.ninstructions;
    for (instruction const* x = program_.code; x != end; ++x) {
        x->run(at[x->d], at[x->a], at[x->b], at[x->c], static_cast<std::size_t>(x->single ? 1 : n));
        fetch_ahead(n, static_cast<int>(x - program_.code));
    }
}

char const* evaluator::whole(std::uint16_t v, std::int64_t n) const noexcept {
    slot const& s = program_.slots[v];
    if (!s.single) return at[v];
    char* const all = thread_scratch(repeated_arena, n * largest_item);
    program_.kernels->fill[size_class(s.itemsize)](all, at[v], nullptr, nullptr, static_cast<std::size_t>(n));
    return all;
}

void evaluator::store(std::int64_t i, std::int64_t n) noexcept {
    if (program_.interleaves) return store_interleaved(program_, at, i, n);
    for (int k = 0; k < program_.noutputs; ++k) {
        output const& o = program_.outputs[k];
        if (o.direct) continue;
        slot const& s = program_.slots[o.value];
        std::int64_t const step = s.single ? 0 : s.itemsize;
        copy_kernel const copy = program_.kernels->copy[size_class(s.itemsize)];
        auto* const base = static_cast<char*>(o.out->base);
        if (o.streamed) {
            std::int64_t const offset = offset_at(program_.space, o.out->strides, i);
            program_.kernels->stream(base + offset, at[o.value], static_cast<std::size_t>(n * s.itemsize));
            continue;
        }
        if (o.shape == layout::flat) {
            copy({base + i * s.itemsize, at[o.value], 1, n, 0, s.itemsize, 0, step});
            continue;
        }
        each_patch(program_.space, o.out->strides, i, n,
                   [&](std::int64_t offset, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                       std::int64_t column_stride, std::int64_t done) {
                       copy({base + offset, at[o.value] + done * step, rows, columns, row_stride, column_stride,
                             columns * step, step});
                   });
    }
}

}  // namespace bascule::cpu
