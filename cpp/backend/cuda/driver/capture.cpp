#include "backend/cuda/driver/capture.hpp"

#include <algorithm>
#include <cstring>

#include "backend/cuda/driver/failure.hpp"

namespace bascule::cuda {

void captures::begin(stream_handle s) {
    std::lock_guard const lock(mutex_);
    expects(!under_way_, status::value_error, "begin_capture: a stream of this device is being recorded already");
    auto begun = std::make_unique<recorded_graph>();
    result const code = api_.stream_begin_capture(s, capture_relaxed);
    if (code != success) throw failure{status::device_error, "[cuda] begin_capture: " + api_.describe(code)};
    thread_ = std::this_thread::get_id();
    stream_ = s;
    under_way_ = std::move(begun);
    ++graphs_;
}

// Ends the capture even if a step fails.
std::unique_ptr<recorded_graph> captures::end(stream_handle s) {
    std::unique_ptr<recorded_graph> made;
    {
        std::lock_guard const lock(mutex_);
        expects(under_way_ && stream_ == s, status::value_error, "end_capture: this stream is not being recorded");
        made = std::move(under_way_);
        living_.push_back(made.get());
        stream_ = nullptr;
    }
    graph_handle graph = nullptr;
    result code = api_.stream_end_capture(s, &graph);
    if (code == success && graph) {
        code = api_.graph_instantiate(&made->executable, graph, 0);
        api_.graph_destroy(graph);
    }
    if (code == success && made->executable) return made;
    destroy(std::move(made));
    throw failure{status::device_error, "[cuda] end_capture: " + api_.describe(code)};
}

void captures::destroy(std::unique_ptr<recorded_graph> g) {
    if (g->executable) api_.executable_graph_destroy(g->executable);
    {
        std::lock_guard const lock(mutex_);
        std::erase(living_, g.get());
        --graphs_;
    }
    for (auto const& m : g->parked) pool_.release(m.p, m.bytes);
    for (auto const& m : g->host) pinned_.release(m.p, m.bytes);
}

void captures::note_allocated(void* p) {
    std::lock_guard const lock(mutex_);
    if (under_way_) under_way_->allocated.insert(p);
}

bool captures::park(void* p, std::int64_t bytes) {
    if (graphs_.load(std::memory_order_relaxed) == 0) return false;
    std::lock_guard const lock(mutex_);
    if (under_way_) {
        under_way_->parked.push_back({p, bytes});
        return true;
    }
    for (auto* g : living_)
        if (g->allocated.erase(p)) {
            g->parked.push_back({p, bytes});
            return true;
        }
    return false;
}

void const* captures::kept_copy(void const* from, std::int64_t bytes) {
    void* const to = pinned_.allocate(bytes);
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
    std::lock_guard const lock(mutex_);
    under_way_->host.push_back({to, bytes});
    return to;
}

}  // namespace bascule::cuda
