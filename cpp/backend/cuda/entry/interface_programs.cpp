// The tables of programs, streams and events behind the interface of core/backend.hpp.
#include "backend/cuda/entry/interface_programs.hpp"

#include "backend/cuda/driver/failure.hpp"
#include "backend/cuda/launch/programs.hpp"
#include "backend/cuda/libraries/handles.hpp"

namespace bascule::cuda {
namespace {

// ---- programs: compiled programs are kept as long as the process

status compile(std::int32_t i, program_source const* source, void** out) noexcept {
    return guarded([&] { *out = new user_program(device_at(i), *source); });
}

status find(std::int32_t i, void* program, char const* name, void** out) noexcept {
    return guarded([&] {
        device_at(i);
        *out = static_cast<user_program*>(program)->find(name);
    });
}

status global(std::int32_t i, void* program, char const* name, void** address, std::int64_t* bytes) noexcept {
    return guarded([&] {
        device_at(i);
        static_cast<user_program const*>(program)->global(name, address, bytes);
    });
}

std::int32_t const* parameters(void* f) noexcept {
    auto const& sizes = static_cast<user_program::function const*>(f)->parameters;
    return sizes.empty() ? nullptr : sizes.data();
}

function_handle handle_of(void* f) { return static_cast<user_program::function const*>(f)->handle; }

status attribute(std::int32_t i, void* f, std::int32_t which, std::int32_t* value) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        d.make_current();
        d.must_do(d.api().function_attribute(value, which, handle_of(f)), "reading a kernel's attribute");
    });
}

status set_attribute(std::int32_t i, void* f, std::int32_t which, std::int32_t value) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        d.make_current();
        d.must_do(d.api().set_function_attribute(handle_of(f), which, value), "setting a kernel's attribute");
    });
}

status launch(std::int32_t i, void* f, launch_shape const* shape, void** arguments, void* stream) noexcept {
    return guarded([&] {
        ordered_stream const s(device_at(i), stream);
        device_at(i).launch(handle_of(f), *shape, arguments, s.get());
    });
}

constexpr backend_programs programs = {
    .compile = compile,
    .find = find,
    .global = global,
    .parameters = parameters,
    .attribute = attribute,
    .set_attribute = set_attribute,
    .launch = launch,
};

// ---- streams and events. Pending work of the device's own stream is ordered before work submitted to another stream,
// so that a caller sees its calls run in order.

event_handle event_of(void* given) { return static_cast<event_handle>(given); }

void* own(std::int32_t i) noexcept {
    void* out = nullptr;
    guarded([&] {
        device_at(i).settle();  // who asks will wait for it
        out = device_at(i).own_stream();
    });
    return out;
}

status create(std::int32_t i, bool non_blocking, std::int32_t priority, void** out) noexcept {
    return guarded([&] { *out = device_at(i).make_stream(non_blocking, priority); });
}

// Work submitted to it still runs.
void destroy(std::int32_t i, void* stream) noexcept {
    guarded([&] { device_at(i).drop_stream(static_cast<stream_handle>(stream)); });
}

// 600: not yet.
bool is_done(device& d, result code, char const* what) {
    if (code != error_not_ready) d.must_do(code, what);
    return code == success;
}

// Work on the own stream is ordered before work submitted to the other stream.
status query(std::int32_t i, void* stream, bool* done) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        d.make_current();
        *done = is_done(d, d.api().stream_query(d.own_stream()), "asking a stream");
        if (stream && *done)
            *done = is_done(d, d.api().stream_query(static_cast<stream_handle>(stream)), "asking a stream");
    });
}

status wait_event(std::int32_t i, void* stream, void* event) noexcept {
    return guarded([&] {
        ordered_stream const s(device_at(i), stream);
        device_at(i).must_do(device_at(i).api().stream_wait_event(s.get(), event_of(event), 0), "waiting for an event");
    });
}

void order(std::int32_t i, void* waiting, void* running) noexcept {
    guarded([&] {
        device& d = device_at(i);
        d.settle();
        auto const stream = [&](void* s) { return s ? static_cast<stream_handle>(s) : d.own_stream(); };
        if (stream(waiting) != stream(running)) d.order(stream(waiting), d, stream(running));
    });
}

status create_event(std::int32_t i, std::uint32_t flags, void** out) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        d.make_current();
        event_handle e = nullptr;
        d.must_do(d.api().event_create(&e, flags), "making an event");
        *out = e;
    });
}

void destroy_event(std::int32_t i, void* event) noexcept {
    guarded([&] {
        device& d = device_at(i);
        d.make_current();
        d.api().event_destroy(event_of(event));
    });
}

status record(std::int32_t i, void* event, void* stream) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        auto const own = static_cast<stream_handle>(stream);
        if (d.overlaps(own)) {
            d.make_current();
            d.order(own, d, d.own_stream());
            return d.must_do(d.api().event_record(event_of(event), own), "recording an event");
        }
        ordered_stream const s(d, stream);
        d.must_do(d.api().event_record(event_of(event), s.get()), "recording an event");
    });
}

status query_event(std::int32_t i, void* event, bool* done) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        d.make_current();
        *done = is_done(d, d.api().event_query(event_of(event)), "asking an event");
    });
}

status synchronize_event(std::int32_t i, void* event) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        d.make_current();
        d.must_do(d.api().event_synchronize(event_of(event)), "waiting for an event");
    });
}

status elapsed(std::int32_t i, void* from, void* to, float* milliseconds) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        d.make_current();
        d.must_do(d.api().event_elapsed(milliseconds, event_of(from), event_of(to)), "the time between two events");
    });
}

// ---- graphs

// Where one cannot be made, only a call that needs it fails, and says why.
void make_handles(device& d) {
    for (auto* const make :
         {libraries::make_product_handle, libraries::make_factor_handle, libraries::make_sparse_handle}) {
        try {
            make(d);
        } catch (failure const&) { continue; }
    }
}

status begin_capture(std::int32_t i, void* stream) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        expects(stream && stream != d.own_stream(), status::value_error,
                "begin_capture: the device's own stream cannot be recorded; use one of your own (bc.cuda.Stream())");
        d.make_current();
        d.settle();
        make_handles(d);
        d.order(static_cast<stream_handle>(stream), d, d.own_stream());
        d.recorder().begin(static_cast<stream_handle>(stream));
    });
}

status end_capture(std::int32_t i, void* stream, void** graph) noexcept {
    return guarded([&] {
        *graph = nullptr;
        device& d = device_at(i);
        d.make_current();
        *graph = d.recorder().end(static_cast<stream_handle>(stream)).release();
    });
}

using graph_call = result (*driver_api::*)(executable_graph_handle, stream_handle);

// CUDA launches no graph into a stream that is being recorded (its error 900), nor sends one there.
status give_graph(std::int32_t i, void* graph, void* stream, graph_call call, char const* what) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        expects(!d.recorder().records(static_cast<stream_handle>(stream)), status::value_error,
                "a graph cannot be launched into a stream that is being recorded");
        ordered_stream const s(d, stream);
        d.must_do((d.api().*call)(static_cast<recorded_graph const*>(graph)->executable, s.get()), what);
    });
}

status upload_graph(std::int32_t i, void* graph, void* stream) noexcept {
    return give_graph(i, graph, stream, &driver_api::graph_upload, "sending a graph to the device");
}

status launch_graph(std::int32_t i, void* graph, void* stream) noexcept {
    return give_graph(i, graph, stream, &driver_api::graph_launch, "launching a graph");
}

// Launches of the graph finish first: its memory is about to be reused.
void destroy_graph(std::int32_t i, void* graph) noexcept {
    guarded([&] {
        std::unique_ptr<recorded_graph> g(static_cast<recorded_graph*>(graph));
        device& d = device_at(i);
        d.make_current();
        d.api().stream_synchronize(d.own_stream());
        d.recorder().destroy(std::move(g));
    });
}

status memory(std::int32_t i, std::int64_t* free, std::int64_t* total) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        std::size_t left = 0, all = 0;
        d.make_current();
        d.must_do(d.api().memory_info(&left, &all), "reading the device's memory");
        *free = static_cast<std::int64_t>(left), *total = static_cast<std::int64_t>(all);
    });
}

status device_attribute(std::int32_t i, std::int32_t which, std::int32_t* value) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        d.must_do(d.api().device_attribute(value, which, d.handle()), "reading a device attribute");
    });
}

constexpr backend_streams streams = {
    .own = own,
    .create = create,
    .destroy = destroy,
    .query = query,
    .wait_event = wait_event,
    .order = order,
    .create_event = create_event,
    .destroy_event = destroy_event,
    .record = record,
    .query_event = query_event,
    .synchronize_event = synchronize_event,
    .elapsed = elapsed,
    .memory = memory,
    .attribute = device_attribute,
};

}  // namespace

backend_programs const* program_interface() noexcept { return &programs; }
backend_streams const* stream_interface() noexcept { return &streams; }

device_services graph_services() noexcept {
    device_services s;
    s.begin_capture = begin_capture, s.end_capture = end_capture;
    s.upload_graph = upload_graph, s.launch_graph = launch_graph, s.destroy_graph = destroy_graph;
    return s;
}

}  // namespace bascule::cuda
