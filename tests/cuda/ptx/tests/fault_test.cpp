// Faults that are planted in a kernel, and the same kernel without them.
#include "harness.hpp"

namespace bascule::ptx::testing {
namespace {

constexpr char const* shared = ".shared .align 16 .b8 tile[256];\n";

// Each thread of a block of 64 reads what the thread across has stored.
std::string exchange(std::string const& between) {
    return "mov.u32 %r2, tile;\nshl.b32 %r3, %r1, 2;\nadd.s32 %r4, %r2, %r3;\nst.shared.u32 [%r4], %r1;\n" + between +
           "xor.b32 %r5, %r3, 252;\nadd.s32 %r5, %r2, %r5;\nld.shared.u32 %r6, [%r5];\nst.global.u32 [%rd3], %r6;";
}

TEST(faults, a_missing_barrier_is_a_race) {
    EXPECT_EQ(fault_of(exchange("bar.sync 0;\n"), {.threads = 64}, shared), "");
    std::string const message = fault_of(exchange(""), {.threads = 64}, shared);
    EXPECT_TRUE(says(message, "nothing has written") || says(message, "a race")) << message;
}

TEST(faults, a_missing_second_barrier_is_a_race) {
    std::string const again = "add.s32 %r7, %r6, 1;\nst.shared.u32 [%r4], %r7;";
    EXPECT_EQ(fault_of(exchange("bar.sync 0;\n") + "bar.sync 0;\n" + again, {.threads = 64}, shared), "");
    EXPECT_TRUE(says(fault_of(exchange("bar.sync 0;\n") + again, {.threads = 64}, shared), "a race"));
}

TEST(faults, lanes_of_a_warp_are_ordered_by_a_barrier_of_the_warp) {
    EXPECT_EQ(
        fault_of(exchange("bar.warp.sync -1;\nand.b32 %r3, %r3, 124;\n") + "", {.threads = 32}, shared).find("a race"),
        std::string::npos);
    EXPECT_TRUE(says(fault_of("mov.u32 %r2, tile;\nst.shared.u32 [%r2], %r1;", {}, shared), "a race"));
}

TEST(faults, a_misaligned_vector_load_names_the_lane) {
    EXPECT_EQ(fault_of("ld.global.v2.u32 {%r2, %r3}, [%rd2+8];\nst.global.u32 [%rd3], %r2;"), "");
    std::string const message = fault_of("ld.global.v2.u32 {%r2, %r3}, [%rd2+4];\nst.global.u32 [%rd3], %r2;");
    EXPECT_TRUE(says(message, "lane 0 reads 8 bytes at 0x") && says(message, "no multiple of that")) << message;
}

TEST(faults, a_read_behind_an_allocation) {
    EXPECT_EQ(fault_of("ld.global.u32 %r2, [%rd2+252];\nst.global.u32 [%rd3], %r2;"), "");
    EXPECT_TRUE(
        says(fault_of("ld.global.u32 %r2, [%rd2+256];\nst.global.u32 [%rd3], %r2;"), "outside of any allocation"));
    EXPECT_TRUE(says(fault_of("ld.global.v2.u32 {%r2, %r3}, [%rd2+256];"), "outside of any allocation"));
}

TEST(faults, a_read_behind_shared_memory) {
    EXPECT_TRUE(
        says(fault_of("mov.u32 %r2, tile;\nld.shared.u32 %r3, [%r2+256];", {}, shared), "outside of the block's"));
}

TEST(faults, words_that_nothing_wrote) {
    EXPECT_TRUE(says(fault_of("mov.u32 %r2, tile;\nld.shared.u32 %r3, [%r2+8];", {}, shared),
                     "shared memory that nothing has written"));
    EXPECT_TRUE(says(fault_of("ld.global.u32 %r3, [%rd3];"), "global memory that nothing has written"));
    EXPECT_TRUE(says(fault_of(".local .align 4 .b8 mine[16];\nst.local.u32 [mine], 1;\nld.local.u32 %r3, [mine+4];"),
                     "local memory that nothing has written"));
    EXPECT_EQ(fault_of(".local .align 4 .b8 mine[16];\nst.local.u32 [mine+4], 1;\nld.local.u32 %r3, [mine+4];"), "");
}

TEST(faults, threads_that_write_one_word) {
    EXPECT_TRUE(says(fault_of("st.global.u32 [%rd1], %r1;"), "a race"));
    EXPECT_EQ(fault_of("st.global.u32 [%rd3], 0;\nred.global.add.u32 [%rd3], %r1;"), "");
}

TEST(faults, barriers_for_a_part_of_the_block) {
    std::string const message =
        fault_of("setp.lt.u32 %p1, %r1, 32;\n@%p1 bra L;\nbar.sync 0;\nL:\nmov.u32 %r2, 1;", {.threads = 64});
    EXPECT_TRUE(says(message, "a part of the block waits")) << message;
    EXPECT_TRUE(says(fault_of("setp.lt.u32 %p1, %r1, 16;\n@%p1 bra L;\nbar.sync 0;\nL:\nbar.sync 0;", {.threads = 32}),
                     "barrier divergence"));
    EXPECT_EQ(fault_of("bar.sync 0;\nbar.sync 1, 64;", {.threads = 64}), "");
}

TEST(faults, shuffles_and_votes_without_their_lanes) {
    EXPECT_TRUE(says(fault_of("setp.lt.u32 %p1, %r1, 16;\n@%p1 bra L;\nshfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\nL:\n"
                              "mov.u32 %r3, 1;"),
                     "never come here"));
    EXPECT_TRUE(says(fault_of("vote.sync.ballot.b32 %r2, %p1, -1;", {.threads = 20}), "does not exist or has ended"));
    EXPECT_TRUE(says(fault_of("shfl.sync.idx.b32 %r2, %r1, 0, 31, -2;"), "not in its own mask"));
    EXPECT_EQ(fault_of("vote.sync.ballot.b32 %r2, %p1, -1;"), "");
}

TEST(faults, an_unknown_instruction_is_named) {
    for (std::string const op : {"wgmma.fence.sync.aligned", "tex.1d.v4.f32.f32", "add.u7"}) try {
            module(kernel(op + " %r1, %r2, %r3;")).kernel("k");
            ADD_FAILURE() << op;
        } catch (syntax_error const& e) { EXPECT_TRUE(says(e.what(), op)) << e.what(); }
}

TEST(faults, blocks_that_write_one_word) {
    std::string const last = "ld.global.u32 %r2, [%rd2];\nst.global.u32 [%rd2+4], %r2;";
    EXPECT_EQ(fault_of("setp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;\n" + last + "\nL:"), "");
    EXPECT_TRUE(says(fault_of("setp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;\n" + last + "\nL:", {.blocks = 2}), "a race"));
}

// The last block to come adds up what the others stored: ordered by fences and an atomic counter.
TEST(faults, fences_and_a_counter_order_blocks) {
    auto const body = [](std::string const& fence) {
        return "mov.u32 %r2, %ctaid.x;\nmul.wide.u32 %rd4, %r2, 4;\nadd.s64 %rd4, %rd4, %rd2;\nsetp.ne.u32 %p1, %r1, "
               "0;\n"
               "@%p1 bra L;\nst.global.u32 [%rd4+16], %r2;\n" +
               fence + "atom.global.add.u32 %r3, [%rd2], 1;\nsetp.ne.u32 %p2, %r3, 10;\n@%p2 bra L;\n" + fence +
               "ld.global.u32 %r4, [%rd2+16];\nld.global.u32 %r5, [%rd2+20];\nld.global.u32 %r6, [%rd2+24];\n"
               "ld.global.u32 %r7, [%rd2+28];\nadd.s32 %r4, %r4, %r5;\nst.global.u32 [%rd3], %r4;\nL:";
    };
    EXPECT_EQ(fault_of(body("membar.gl;\n"), {.blocks = 4}), "");
    EXPECT_TRUE(says(fault_of(body(""), {.blocks = 4}), "a race"));
}

}  // namespace
}  // namespace bascule::ptx::testing
