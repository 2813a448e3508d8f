// Streams that are recorded as graphs: the state after a recording that fails.
#include "cuda_device.hpp"

namespace bascule::testing {
namespace {

class graphs : public on_fake_cuda {
protected:
    void SetUp() override {
        on_fake_cuda::SetUp();
        if (IsSkipped()) return;
        library_.emplace(host_api{});
        ASSERT_EQ(device().streams->create(0, true, 0, &stream), status::ok);
    }
    void TearDown() override {
        if (library_) {
            device().streams->destroy(0, stream);
            device().trim(0);
        }
        on_fake_cuda::TearDown();
    }
    backend const& device() const { return library_->device(); }
    device_services const& services() const { return library_->services(); }
    std::int64_t in_use() const {
        backend_memory m{};
        EXPECT_EQ(device().memory(0, &m), status::ok);
        return m.in_use;
    }
    // A graph that holds so many bytes.
    void* recorded(std::int64_t bytes) {
        void *p = nullptr, *graph = nullptr;
        EXPECT_EQ(services().begin_capture(0, stream), status::ok) << device().last_error();
        EXPECT_EQ(device().allocate(0, bytes, &p), status::ok);
        device().release(0, p, bytes);
        EXPECT_EQ(services().end_capture(0, stream, &graph), status::ok) << device().last_error();
        return graph;
    }
    void* stream = nullptr;

private:
    std::optional<private_library> library_;
};

// Memory that comes and goes afterwards is no graph's, and the next recording is one like any other.
TEST_F(graphs, a_recording_that_does_not_begin_leaves_nothing_behind) {
    void* const first = recorded(1000);
    std::int64_t const before = in_use();
    EXPECT_EQ(before, 1000);
    {
        with_environment const refused("BASCULE_FAKE_CUDA_FAIL", "cuStreamBeginCapture_v2:2");
        EXPECT_EQ(services().begin_capture(0, stream), status::device_error);
    }
    EXPECT_NE(std::string(device().last_error()).find("begin_capture"), std::string::npos) << device().last_error();
    void* p = nullptr;
    ASSERT_EQ(device().allocate(0, 500, &p), status::ok);
    EXPECT_EQ(in_use(), before + 500);
    device().release(0, p, 500);
    EXPECT_EQ(in_use(), before);
    void* const second = recorded(2000);
    EXPECT_EQ(in_use(), before + 2000);
    for (void* graph : {first, second}) services().destroy_graph(0, graph);
    EXPECT_EQ(in_use(), 0);
}

TEST_F(graphs, a_stream_that_is_not_recorded_has_no_end) {
    void* graph = nullptr;
    for (void* s : {stream, static_cast<void*>(nullptr)}) {
        EXPECT_EQ(services().end_capture(0, s, &graph), status::value_error);
        EXPECT_EQ(graph, nullptr);
    }
}

}  // namespace
}  // namespace bascule::testing
