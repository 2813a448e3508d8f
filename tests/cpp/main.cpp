// The main function of every test binary. ctest prints nothing of a binary that passes but keeps its output in a log,
// so skipped tests are listed in lines of their own, one a suite and reason, which make test shows again at its end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

namespace {

class skipped_tests : public ::testing::EmptyTestEventListener {
    void OnTestEnd(::testing::TestInfo const& test) override {
        auto const& result = *test.result();
        if (!result.Skipped()) return;
        std::string reason;
        for (int i = 0; i < result.total_part_count(); ++i)
            if (result.GetTestPartResult(i).skipped()) reason = result.GetTestPartResult(i).message();
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        ++counts_[{test.test_suite_name(), reason.empty() ? "no reason is given" : reason}];
    }
    void OnTestProgramEnd(::testing::UnitTest const&) override {
        for (auto const& [what, count] : counts_)
            std::printf("%s: %d tests not run: %s\n", what.first.c_str(), count, what.second.c_str());
    }
    std::map<std::pair<std::string, std::string>, int> counts_;
};

}  // namespace

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    ::testing::UnitTest::GetInstance()->listeners().Append(new skipped_tests);
    return RUN_ALL_TESTS();
}
