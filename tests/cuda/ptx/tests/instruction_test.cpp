// Results of instructions, against the host's own arithmetic.
#include "harness.hpp"

#include <bit>
#include <cmath>

namespace bascule::ptx::testing {
namespace {

using words = std::vector<std::uint32_t>;

// `out` of an instruction on a pair of words that every lane loads: `code` uses %r2 and %r3 and leaves %r4.
std::uint32_t of_words(std::string const& code, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) {
    return results<std::uint32_t>(
        "ld.global.u32 %r2, [%rd2];\nld.global.u32 %r3, [%rd2+4];\nld.global.u32 %r5, [%rd2+8];\n"
        "mov.b32 %f2, %r2;\nmov.b32 %f3, %r3;\nmov.b32 %f5, %r5;\n" +
            code + "\nst.global.u32 [%rd3], %r4;",
        words{a, b, c})[5];
}
std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

TEST(instructions, integers) {
    EXPECT_EQ(of_words("add.s32 %r4, %r2, %r3;", 0xffffffffu, 2), 1u);
    EXPECT_EQ(of_words("add.sat.s32 %r4, %r2, %r3;", 0x7fffffffu, 2), 0x7fffffffu);
    EXPECT_EQ(of_words("mul.hi.u32 %r4, %r2, %r3;", 0xffffffffu, 0xffffffffu), 0xfffffffeu);
    EXPECT_EQ(of_words("mul.hi.s32 %r4, %r2, %r3;", 0xffffffffu, 0xffffffffu), 0u);
    EXPECT_EQ(of_words("mad.lo.s32 %r4, %r2, %r3, %r5;", 7, 6, 5), 47u);
    EXPECT_EQ(of_words("div.s32 %r4, %r2, %r3;", 0x80000000u, 0xffffffffu), 0x80000000u);
    EXPECT_EQ(of_words("rem.s32 %r4, %r2, %r3;", 0xfffffff9u, 4), 0xfffffffdu);
    EXPECT_EQ(of_words("mul24.lo.u32 %r4, %r2, %r3;", 0xff000002u, 3), 6u);
    EXPECT_EQ(of_words("sad.u32 %r4, %r2, %r3, %r5;", 3, 10, 1), 8u);
    EXPECT_EQ(of_words("add.cc.u32 %r4, %r2, %r3;\naddc.u32 %r4, %r5, 0;", 0xffffffffu, 1, 4), 5u);
    EXPECT_EQ(of_words("sub.cc.u32 %r4, %r2, %r3;\nsubc.u32 %r4, %r5, 0;", 0, 1, 4), 3u);
    EXPECT_EQ(of_words("mul.wide.s32 %rd9, %r2, %r3;\nshr.u64 %rd9, %rd9, 32;\ncvt.u32.u64 %r4, %rd9;", 0xffffffffu, 2),
              0xffffffffu);
}

TEST(instructions, bits) {
    EXPECT_EQ(of_words("popc.b32 %r4, %r2;", 0xf0f0u), 8u);
    EXPECT_EQ(of_words("clz.b32 %r4, %r2;", 0), 32u);
    EXPECT_EQ(of_words("brev.b32 %r4, %r2;", 1), 0x80000000u);
    EXPECT_EQ(of_words("bfind.u32 %r4, %r2;", 0x1000), 12u);
    EXPECT_EQ(of_words("bfind.s32 %r4, %r2;", 0xffffffffu), 0xffffffffu);
    EXPECT_EQ(of_words("bfe.u32 %r4, %r2, 4, 8;", 0x12345u), 0x34u);
    EXPECT_EQ(of_words("bfe.s32 %r4, %r2, 4, 8;", 0xff0u), 0xffffffffu);
    EXPECT_EQ(of_words("bfi.b32 %r4, %r2, %r3, 8, 8;", 0xab, 0x11111111u), 0x1111ab11u);
    EXPECT_EQ(of_words("prmt.b32 %r4, %r2, %r3, 0x5410;", 0x33221100u, 0x77665544u), 0x55441100u);
    EXPECT_EQ(of_words("prmt.b32 %r4, %r2, %r3, 0x8888;", 0x80u, 0), 0xffffffffu);
    EXPECT_EQ(of_words("lop3.b32 %r4, %r2, %r3, %r5, 0x96;", 0xff00, 0xf0f0, 0xcccc), 0xff00u ^ 0xf0f0u ^ 0xccccu);
    EXPECT_EQ(of_words("shf.l.wrap.b32 %r4, %r2, %r3, 8;", 0x12345678u, 0x9abcdef0u), 0xbcdef012u);
    EXPECT_EQ(of_words("shf.r.clamp.b32 %r4, %r2, %r3, 40;", 0x12345678u, 0x9abcdef0u), 0x9abcdef0u);
    EXPECT_EQ(of_words("shl.b32 %r4, %r2, 32;", 1), 0u);
    EXPECT_EQ(of_words("shr.s32 %r4, %r2, 99;", 0x80000000u), 0xffffffffu);
}

TEST(instructions, floats) {
    float const x = 1.1f, y = 3.3f, z = -3.63f;
    EXPECT_EQ(of_words("fma.rn.f32 %f4, %f2, %f3, %f5;\nmov.b32 %r4, %f4;", bits(x), bits(y), bits(z)),
              bits(std::fma(x, y, z)));
    EXPECT_EQ(
        of_words("mul.rn.f32 %f4, %f2, %f3;\nadd.rn.f32 %f4, %f4, %f5;\nmov.b32 %r4, %f4;", bits(x), bits(y), bits(z)),
        bits(x * y + z));
    // Without a word of the rounding the assembler may fuse the two, and does.
    EXPECT_EQ(of_words("mul.f32 %f4, %f2, %f3;\nadd.f32 %f4, %f5, %f4;\nmov.b32 %r4, %f4;", bits(x), bits(y), bits(z)),
              bits(std::fma(x, y, z)));
    EXPECT_EQ(of_words("add.rz.f32 %f4, %f2, %f3;\nmov.b32 %r4, %f4;", bits(1), bits(0x1p-24f)), bits(1));
    EXPECT_EQ(of_words("add.rp.f32 %f4, %f2, %f3;\nmov.b32 %r4, %f4;", bits(1), bits(0x1p-30f)),
              bits(std::nextafter(1.0f, 2.0f)));
    EXPECT_EQ(of_words("sub.rn.f32 %f4, %f2, %f3;\nmov.b32 %r4, %f4;", bits(INFINITY), bits(INFINITY)), 0x7fffffffu);
    EXPECT_EQ(of_words("min.f32 %f4, %f2, %f3;\nmov.b32 %r4, %f4;", bits(NAN), bits(2)), bits(2));
    EXPECT_EQ(of_words("min.NaN.f32 %f4, %f2, %f3;\nmov.b32 %r4, %f4;", bits(NAN), bits(2)), 0x7fffffffu);
    EXPECT_EQ(of_words("max.f32 %f4, %f2, %f3;\nmov.b32 %r4, %f4;", bits(-0.0f), bits(0.0f)), 0u);
    EXPECT_EQ(of_words("mul.ftz.f32 %f4, %f2, %f3;\nmov.b32 %r4, %f4;", bits(-0x1p-100f), bits(0x1p-40f)), 0x80000000u);
    EXPECT_EQ(of_words("add.sat.f32 %f4, %f2, %f3;\nmov.b32 %r4, %f4;", bits(1), bits(2)), bits(1));
    EXPECT_EQ(of_words("setp.ltu.f32 %p1, %f2, %f3;\nselp.u32 %r4, 1, 0, %p1;", bits(NAN), bits(1)), 1u);
    EXPECT_EQ(of_words("setp.lt.f32 %p1, %f2, %f3;\nselp.u32 %r4, 1, 0, %p1;", bits(NAN), bits(1)), 0u);
}

TEST(instructions, conversions) {
    EXPECT_EQ(of_words("cvt.rni.s32.f32 %r4, %f2;", bits(2.5f)), 2u);
    EXPECT_EQ(of_words("cvt.rzi.s32.f32 %r4, %f2;", bits(-2.9f)), 0xfffffffeu);
    EXPECT_EQ(of_words("cvt.rzi.s32.f32 %r4, %f2;", bits(1e20f)), 0x7fffffffu);
    EXPECT_EQ(of_words("cvt.rzi.u32.f32 %r4, %f2;", bits(-5.0f)), 0u);
    EXPECT_EQ(of_words("cvt.rzi.s32.f32 %r4, %f2;", bits(NAN)), 0u);
    EXPECT_EQ(of_words("cvt.rmi.f32.f32 %f4, %f2;\nmov.b32 %r4, %f4;", bits(-2.5f)), bits(-3));
    EXPECT_EQ(of_words("cvt.sat.u8.s32 %r4, %r2;", 300), 255u);
    EXPECT_EQ(of_words("cvt.s32.s8 %r4, %r2;", 0x80), 0xffffff80u);
    EXPECT_EQ(of_words("cvt.rn.f16.f32 %h1, %f2;\ncvt.u32.u16 %r4, %h1;", bits(65519)), 0x7bffu);
    EXPECT_EQ(of_words("cvt.rn.f16.f32 %h1, %f2;\ncvt.u32.u16 %r4, %h1;", bits(65520)), 0x7c00u);
    EXPECT_EQ(of_words("cvt.rn.f16.f32 %h1, %f2;\ncvt.u32.u16 %r4, %h1;", bits(0x1p-25f)), 0u);
    EXPECT_EQ(of_words("cvt.rn.f16.f32 %h1, %f2;\ncvt.u32.u16 %r4, %h1;", bits(0x1.8p-25f)), 1u);
    EXPECT_EQ(of_words("cvt.u16.u32 %h1, %r2;\ncvt.f32.f16 %f4, %h1;\nmov.b32 %r4, %f4;", 0x3555), bits(0x1.554p-2f));
    EXPECT_EQ(of_words("cvt.rn.bf16.f32 %h1, %f2;\ncvt.u32.u16 %r4, %h1;", bits(1.00390625f)), 0x3f80u);
    EXPECT_EQ(of_words("cvt.rn.f16x2.f32 %r4, %f2, %f3;", bits(1), bits(2)), 0x3c004000u);
    EXPECT_EQ(of_words("cvt.rz.f32.u32 %f4, %r2;\nmov.b32 %r4, %f4;", 0xffffffffu), bits(0x1.fffffep31f));
}

TEST(instructions, branches_meet_again) {
    words const found = results<std::uint32_t>(
        "mov.u32 %r4, 0;\nand.b32 %r2, %r1, 3;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra L;\nLOOP:\nadd.u32 %r4, %r4, %r1;\n"
        "sub.u32 %r2, %r2, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra LOOP;\nL:\nvote.sync.ballot.b32 %r5, %p1, -1;\n"
        "activemask.b32 %r6;\nadd.u32 %r4, %r4, %r6;\nst.global.u32 [%rd3], %r4;");
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(found[t], (t & 3) * t - 1);
}

TEST(instructions, a_table_of_branches) {
    words const found = results<std::uint32_t>(
        "and.b32 %r2, %r1, 3;\nbrx.idx %r2, T;\nT: .branchtargets A, B, C, D;\nA:\nmov.u32 %r4, 10;\nbra.uni E;\nB:\n"
        "mov.u32 %r4, 20;\nbra.uni E;\nC:\nmov.u32 %r4, 30;\nbra.uni E;\nD:\nmov.u32 %r4, 40;\nE:\nst.global.u32 "
        "[%rd3], %r4;");
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(found[t], ((t & 3) + 1) * 10);
}

TEST(instructions, warps) {
    words down = results<std::uint32_t>("shfl.sync.down.b32 %r4|%p1, %r1, 4, 31, -1;\n@!%p1 add.u32 %r4, %r4, 100;\n"
                                        "st.global.u32 [%rd3], %r4;");
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(down[t], t + 4 < 32 ? t + 4 : t + 100);
    words const halves =
        results<std::uint32_t>("shfl.sync.idx.b32 %r4, %r1, 3, 0x101f, -1;\nst.global.u32 [%rd3], %r4;");
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(halves[t], t / 16 * 16 + 3);
    words const same =
        results<std::uint32_t>("shr.u32 %r2, %r1, 3;\nmatch.any.sync.b32 %r4, %r2, -1;\nst.global.u32 [%rd3], %r4;");
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(same[t], 0xffu << t / 8 * 8);
    words const sum = results<std::uint32_t>("redux.sync.add.u32 %r4, %r1, -1;\nst.global.u32 [%rd3], %r4;");
    EXPECT_EQ(sum[9], 496u);
}

TEST(instructions, barriers_that_count) {
    words const found = results<std::uint32_t>(
        "setp.lt.u32 %p1, %r1, 37;\nbar.red.popc.u32 %r4, 0, %p1;\nst.global.u32 [%rd3], %r4;", {}, {.threads = 64});
    EXPECT_EQ(found[63], 37u);
}

TEST(instructions, atomics_return_what_was_there) {
    host_memory memory;
    std::uint64_t const out = memory.fresh(4 * 32), in = memory.of(words{5, 0});
    run_kernel(
        kernel("atom.global.add.u32 %r4, [%rd2], 2;\nst.global.u32 [%rd3], %r4;\nred.global.max.u32 [%rd2+4], %r1;"),
        memory, out, in);
    EXPECT_EQ(values_at<std::uint32_t>(in, 2), (words{69, 31}));
    EXPECT_EQ(values_at<std::uint32_t>(out, 32)[31], 67u);
}

// A function is expanded where it is called, its parameters in the frame of the thread.
TEST(instructions, calls) {
    std::string const twice = ".func (.param .b32 func_retval0) twice(.param .b32 twice_param_0)\n{\n.reg .b32 %r<4>;\n"
                              "ld.param.u32 %r1, [twice_param_0];\nadd.s32 %r2, %r1, %r1;\n"
                              "st.param.b32 [func_retval0+0], %r2;\nret;\n}\n";
    std::string const call =
        "{\n.reg .b32 temp_param_reg;\n.param .b32 param0;\nst.param.b32 [param0+0], %r1;\n"
        ".param .b32 retval0;\ncall.uni (retval0),\ntwice,\n(\nparam0\n);\nld.param.b32 %r4, [retval0+0];\n}\n";
    host_memory memory;
    std::uint64_t const out = memory.fresh(4 * 32);
    run_kernel(kernel(call + call + "st.global.u32 [%rd3], %r4;", twice), memory, out, out);
    EXPECT_EQ(values_at<std::uint32_t>(out, 32)[21], 42u);
}

TEST(instructions, generic_addresses_of_every_memory) {
    std::string const before = ".shared .align 8 .b8 tile[256];\n.const .align 4 .u32 constants[2] = {3, 4};\n";
    std::string const body =
        ".local .align 8 .b8 mine[8];\nmov.u64 %rd4, tile;\ncvta.shared.u64 %rd4, %rd4;\nmul.wide.u32 %rd5, %r1, 4;\n"
        "add.s64 %rd4, %rd4, %rd5;\nst.u32 [%rd4], %r1;\nmov.u64 %rd6, mine;\ncvta.local.u64 %rd6, %rd6;\nst.u32 "
        "[%rd6], 7;\n"
        "ld.u32 %r4, [%rd4];\nld.u32 %r5, [%rd6];\nld.const.u32 %r6, [constants+4];\nadd.s32 %r4, %r4, %r5;\n"
        "add.s32 %r4, %r4, %r6;\nst.u32 [%rd3], %r4;";
    host_memory memory;
    std::uint64_t const out = memory.fresh(4 * 32);
    run_kernel(kernel(body, before), memory, out, out);
    EXPECT_EQ(values_at<std::uint32_t>(out, 32)[5], 16u);
}

// A block waits for a word that a later block writes.
TEST(instructions, blocks_that_wait_for_others_let_them_run) {
    host_memory memory;
    std::uint64_t const out = memory.fresh(4 * 32), in = memory.of(words{0, 0});
    run_kernel(
        kernel("setp.ne.u32 %p1, %r1, 0;\n@%p1 bra E;\nmov.u32 %r2, %ctaid.x;\nsetp.ne.u32 %p2, %r2, 0;\n@%p2 bra W;\n"
               "L:\nld.volatile.global.u32 %r4, [%rd2];\nsetp.eq.u32 %p3, %r4, 0;\n@%p3 bra L;\nbra.uni E;\n"
               "W:\natom.global.exch.b32 %r4, [%rd2], 1;\nE:"),
        memory, out, in, {.blocks = 2});
    EXPECT_EQ(values_at<std::uint32_t>(in, 1)[0], 1u);
}

TEST(counts, sectors_and_banks) {
    host_memory memory;
    std::uint64_t const out = memory.fresh(4 * 32 * 32), in = memory.of(words(32 * 32, 1));
    counters const dense = run_kernel(kernel("st.global.u32 [%rd3], %r1;"), memory, out, in);
    EXPECT_EQ(dense.sectors, 4u);
    EXPECT_EQ(dense.least_sectors, 4u);
    counters const sparse = run_kernel(
        kernel("mul.wide.u32 %rd4, %r1, 128;\nadd.s64 %rd4, %rd4, %rd2;\nld.global.u32 %r4, [%rd4];"), memory, out, in);
    EXPECT_EQ(sparse.sectors, 32u);
    EXPECT_EQ(sparse.least_sectors, 4u);
    counters const banks =
        run_kernel(kernel("shl.b32 %r2, %r1, 7;\nmov.u32 %r3, tile;\nadd.u32 %r2, %r2, %r3;\nst.shared.u32 [%r2], %r1;",
                          ".shared .b8 tile[4096];\n"),
                   memory, out, in);
    EXPECT_EQ(banks.bank_cycles, 32u);
    EXPECT_EQ(banks.least_bank_cycles, 1u);
}

}  // namespace
}  // namespace bascule::ptx::testing
