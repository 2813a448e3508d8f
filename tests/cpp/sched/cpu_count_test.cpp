#include "bascule/sched/cpu_count.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace {

using namespace bascule::sched;
namespace fs = std::filesystem;

// A folder that plays /proc and /sys/fs/cgroup.
struct cpu_count : testing::Test {
    fs::path const folder = fs::path(testing::TempDir()) /
                            testing::UnitTest::GetInstance()->current_test_info()->name();
    cpu_sources from;
    void SetUp() override {
        fs::remove_all(folder);
        fs::create_directories(folder);
        from.affinity = 8;
        from.cgroup_file = folder / "self_cgroup";
        from.cgroup_root = folder / "cgroup";
    }
    void TearDown() override { fs::remove_all(folder); }
    void write(char const* name, char const* text) {
        fs::create_directories((folder / name).parent_path());
        std::ofstream(folder / name) << text;
    }
};

TEST_F(cpu_count, without_a_quota_the_affinity_mask_decides) { EXPECT_EQ(default_thread_count(from), 8); }

TEST_F(cpu_count, our_variable_goes_before_openmps_and_both_before_the_machine) {
    from.omp_threads = "3,2";
    EXPECT_EQ(default_thread_count(from), 3);
    from.bascule_threads = "5";
    EXPECT_EQ(default_thread_count(from), 5);
}

TEST_F(cpu_count, text_that_is_no_positive_number_is_passed_over) {
    for (char const* text : {"", "zero", "0", "-4", "2x"}) {
        from.bascule_threads = text;
        EXPECT_EQ(default_thread_count(from), 8) << text;
    }
}

TEST_F(cpu_count, a_version_2_quota_is_rounded_up) {
    write("self_cgroup", "0::/a/b\n");
    write("cgroup/a/b/cpu.max", "250000 100000\n");
    EXPECT_EQ(usable_cpus(from), 3);
}

TEST_F(cpu_count, the_tightest_group_above_counts) {
    write("self_cgroup", "0::/a/b\n");
    write("cgroup/a/b/cpu.max", "max 100000\n");
    write("cgroup/a/cpu.max", "200000 100000\n");
    EXPECT_EQ(usable_cpus(from), 2);
}

TEST_F(cpu_count, in_a_container_the_root_group_counts) {
    write("self_cgroup", "0::/elsewhere/not/mounted\n");
    write("cgroup/cpu.max", "50000 100000\n");
    EXPECT_EQ(usable_cpus(from), 1);
}

TEST_F(cpu_count, a_version_1_quota_counts) {
    write("self_cgroup", "5:memory:/m\n4:cpu,cpuacct:/g\n");
    write("cgroup/cpu/g/cpu.cfs_quota_us", "400000\n");
    write("cgroup/cpu/g/cpu.cfs_period_us", "100000\n");
    write("cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    write("cgroup/cpu/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(usable_cpus(from), 4);
}

}  // namespace
