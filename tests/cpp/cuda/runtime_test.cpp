// The host side: entry point, pool, streams, errors, compiled kernels and their cache. Most of it needs the fake
// driver's powers to fail on request and to run streams as late as it may.
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <thread>
#include <utility>

#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "cuda_device.hpp"

namespace bascule::testing {
namespace {

using runtime = on_fake_cuda;
using lazy_streams = on_fake_cuda;
using kernel_cache = on_fake_cuda;
using kernel_checks = on_fake_cuda;

program negation(std::int64_t n) {
    program p({n});
    p.store(p.op(ops::find("negative"), type_id::float64,
                 {p.input(std::vector<double>(static_cast<std::size_t>(n), 2.0))}));
    return p;
}

// ---- entry
TEST_F(runtime, the_device_describes_itself) {
    EXPECT_STREQ(device->name, "cuda");
    EXPECT_EQ(device->abi, backend_abi);
    EXPECT_EQ(device->size, sizeof(backend));
    EXPECT_FALSE(device->host_memory);
    EXPECT_EQ(device->device_count(), 1);
    // The library of algorithms is in the folder of the plug-in; a program without one inside it has no such folder.
    EXPECT_EQ(std::string(device->describe(0))
                  .find("cuda: emulated device, 1024 MiB, sm_90, driver for CUDA 13.0, kernels by NVRTC 13.0 (none "
                        "compiled ahead), NO SORTING: "),
              0u)
        << device->describe(0);
}

TEST_F(runtime, another_abi_is_refused) {
    host_api host;
    host.abi = backend_abi + 1;
    private_library const lib(host);
    EXPECT_EQ(lib.opened.code, status::not_supported);
    EXPECT_NE(std::string(lib.device().last_error()).find("ABI"), std::string::npos);
}

TEST_F(runtime, a_missing_driver_is_reported) {
    with_environment const no_driver("BASCULE_CUDA_DRIVER", "/nowhere/libcuda.so.1");
    private_library const lib(host_api{});
    EXPECT_EQ(lib.opened.code, status::device_error);
    EXPECT_NE(std::string(lib.device().last_error()).find("no NVIDIA driver"), std::string::npos);
}

TEST_F(runtime, a_driver_without_devices_is_reported) {
    with_environment const none("BASCULE_FAKE_CUDA_DEVICES", "0");
    private_library const lib(host_api{});
    EXPECT_EQ(lib.opened.code, status::device_error);
    EXPECT_NE(std::string(lib.device().last_error()).find("no device"), std::string::npos) << lib.device().last_error();
}

TEST_F(runtime, several_devices_are_counted) {
    with_environment const two("BASCULE_FAKE_CUDA_DEVICES", "2");
    private_library const lib(host_api{});
    EXPECT_EQ(lib.device().device_count(), 2);
}

TEST_F(runtime, a_device_number_past_the_last_is_a_value_error) {
    void* p = nullptr;
    EXPECT_EQ(device->allocate(1, 8, &p), status::value_error);
    EXPECT_EQ(device->synchronize(-1, nullptr), status::value_error);
}

TEST_F(runtime, a_compiler_newer_than_the_driver_is_refused) {
    with_environment const newer("BASCULE_FAKE_CUDA_NVRTC_MAJOR", "14");
    private_library const lib(host_api{});
    EXPECT_NE(negation(4).run_on(lib.device()).code,
              status::ok);  // it says so, or finds an NVRTC that this driver is not made for
}

// ---- errors
TEST_F(runtime, a_failed_launch_is_reported_once_at_synchronisation) {
    negation(4).run_on(*device);
    fake().reset();
    with_environment const fail("BASCULE_FAKE_CUDA_FAIL", "cuLaunchKernel:1");
    outcome const o = negation(4).run_on(*device);
    EXPECT_EQ(o.code, status::device_error);
    EXPECT_NE(o.error.find("CUDA_ERROR_UNKNOWN"), std::string::npos) << o.error;
    EXPECT_EQ(device->synchronize(0, nullptr), status::ok);
    expect_equal_bytes(negation(4));
}

TEST_F(runtime, a_later_kernel_of_a_reduction_may_fail_too) {
    sum_of(1000).run_on(*device);
    for (int k = 1; k <= 3; ++k) {
        fake().reset();
        with_environment const fail("BASCULE_FAKE_CUDA_FAIL", "cuLaunchKernel:" + std::to_string(k));
        EXPECT_EQ(sum_of(1000).run_on(*device).code, status::device_error) << k;
    }
}

TEST_F(runtime, an_illegal_address_keeps_its_name_and_loses_the_device) {
    double x = 1;
    std::int64_t const shape = 1, stride = 8;
    plan_operand const nowhere{reinterpret_cast<void*>(0x1000), &stride, type_id::float64};
    plan_value const values[] = {{.kind = value_kind::load, .dtype = type_id::float64},
                                 {.kind = value_kind::op,
                                  .dtype = type_id::float64,
                                  .nargs = 1,
                                  .op = static_cast<std::uint16_t>(ops::find("negative")),
                                  .args = {0}}};
    plan_store const store{1, nowhere};
    plan p;
    p.ndim = 1, p.shape = &shape, p.operands = &nowhere, p.noperands = 1, p.values = values, p.nvalues = 2,
    p.stores = &store, p.nstores = 1;
    private_library const lib(host_api{});
    backend const& d = lib.device();
    EXPECT_EQ(d.run(0, &p, nullptr), status::ok);  // a launch does not wait
    EXPECT_EQ(d.synchronize(0, nullptr), status::device_error);
    EXPECT_NE(std::string(d.last_error()).find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << d.last_error();
    EXPECT_EQ(d.copy(0, reinterpret_cast<void*>(0x1000), &x, 8, copy_kind::host_to_device, nullptr),
              status::device_error);
}

TEST_F(runtime, a_kernel_that_writes_past_its_output_is_caught) {
    program p({8});
    int const x = p.input(std::vector<double>(8, 1.0));
    p.store(p.op(ops::find("negative"), type_id::float64, {x}), {{8}, 0, 40});  // eight elements into room for five
    EXPECT_EQ(p.run_on(*device).code, status::device_error);
    fake().reset();
    device->synchronize(0, nullptr);
}

// ---- streams
TEST_F(lazy_streams, a_plan_runs_when_somebody_waits_for_it) {
    with_environment const lazy("BASCULE_FAKE_CUDA_LAZY", "1");
    outcome const late = negation(1000).run_on(*device);
    EXPECT_EQ(late.code, status::ok);
    EXPECT_EQ(late.as<double>(), std::vector<double>(1000, -2.0));
}

TEST_F(lazy_streams, a_read_without_synchronize_sees_nothing_yet) {
    with_environment const lazy("BASCULE_FAKE_CUDA_LAZY", "1");
    double x = 5, back = 0;
    void* p = nullptr;
    device->allocate(0, 8, &p);
    device->copy(0, p, &x, 8, copy_kind::host_to_device, nullptr);
    device->copy(0, &back, p, 8, copy_kind::device_to_host, nullptr);
    EXPECT_EQ(back, 0);
    device->synchronize(0, nullptr);
    EXPECT_EQ(back, 5);
    device->release(0, p, 8);
}

TEST_F(lazy_streams, host_memory_may_change_once_a_copy_was_called) {
    with_environment const lazy("BASCULE_FAKE_CUDA_LAZY", "1");
    double x = 5, back = 0;
    void* p = nullptr;
    device->allocate(0, 8, &p);
    device->copy(0, p, &x, 8, copy_kind::host_to_device, nullptr);
    x = 6;
    device->copy(0, &back, p, 8, copy_kind::device_to_host, nullptr);
    device->synchronize(0, nullptr);
    EXPECT_EQ(back, 5);
    device->release(0, p, 8);
}

TEST_F(lazy_streams, checked_plans_wait_by_themselves) {
    with_environment const lazy("BASCULE_FAKE_CUDA_LAZY", "1");
    std::int64_t const shape = 1, stride = 8;
    double x = 1e300;
    void* memory = nullptr;
    device->allocate(0, 8, &memory);
    device->copy(0, memory, &x, 8, copy_kind::host_to_device, nullptr);
    plan_operand const operand{memory, &stride, type_id::float64};
    plan_value const values[] = {{.kind = value_kind::load, .dtype = type_id::float64},
                                 {.kind = value_kind::op,
                                  .dtype = type_id::float64,
                                  .nargs = 2,
                                  .check = 15,
                                  .op = static_cast<std::uint16_t>(ops::find("multiply")),
                                  .args = {0, 0}}};
    plan_store const store{1, operand};
    std::uint32_t flags[2] = {};
    plan p;
    p.ndim = 1, p.shape = &shape, p.operands = &operand, p.noperands = 1, p.values = values, p.nvalues = 2,
    p.stores = &store, p.nstores = 1;
    p.fp_flags = flags;
    EXPECT_EQ(device->run(0, &p, nullptr), status::ok);
    EXPECT_EQ(flags[1], std::uint32_t{ops::fp::over});
    device->release(0, memory, 8);
}

TEST_F(lazy_streams, reductions_hold_no_memory_that_their_kernels_still_need) {
    outcome const eager = sum_of(3000).run_on(*device);
    with_environment const lazy("BASCULE_FAKE_CUDA_LAZY", "1");
    outcome const late = sum_of(3000).run_on(*device);
    EXPECT_EQ(late.code, status::ok);
    EXPECT_EQ(late.outputs, eager.outputs);
}

TEST_F(lazy_streams, work_on_a_foreign_stream_follows_the_own_one) {
    with_environment const lazy("BASCULE_FAKE_CUDA_LAZY", "1");
    void* handle = dlopen(BASCULE_FAKE_CUDA, RTLD_NOW);
    auto const create = reinterpret_cast<int (*)(void**, unsigned)>(dlsym(handle, "cuStreamCreate"));
    void* stream = nullptr;
    create(&stream, 1);
    double x = 5, back = 0;
    void* p = nullptr;
    device->allocate(0, 8, &p);
    device->copy(0, p, &x, 8, copy_kind::host_to_device, nullptr);
    device->copy(0, &back, p, 8, copy_kind::device_to_host, stream);
    device->synchronize(0, stream);
    EXPECT_EQ(back, 5);
    device->release(0, p, 8);
}

// Another thread may take a block that a call gives back while the call's kernels still wait on a stream of their own.
// The driver's watcher of calls plays that thread: it allocates all it can, and fills it on the device's stream.
struct thief {
    backend const* device;
    std::vector<void*> taken;
    static constexpr std::int64_t bytes = 512;  // the least that a block has
    void take() {
        static std::vector<char> const mine(bytes, 'x');
        void* p = nullptr;
        if (taken.size() == 100 || device->allocate(0, bytes, &p) != status::ok) return;
        taken.push_back(p);
        device->copy(0, p, mine.data(), bytes, copy_kind::host_to_device, nullptr);
    }
    // How many blocks still have their contents.
    std::size_t kept() const {
        std::size_t count = 0;
        std::vector<char> found(bytes);
        for (void* p : taken) {
            device->copy(0, found.data(), p, bytes, copy_kind::device_to_host, nullptr);
            device->synchronize(0, nullptr);
            count += found == std::vector<char>(bytes, 'x');
        }
        return count;
    }
};
thief* at_work = nullptr;

TEST_F(lazy_streams, memory_of_work_on_a_foreign_stream_is_handed_on_after_it) {
    with_environment const classes("BASCULE_CUDA_POOL", "cached"), lazy("BASCULE_FAKE_CUDA_LAZY", "1");
    private_library const lib({});
    void* handle = dlopen(BASCULE_FAKE_CUDA, RTLD_NOW);
    auto const create = reinterpret_cast<int (*)(void**, unsigned)>(dlsym(handle, "cuStreamCreate"));
    auto const watch = reinterpret_cast<void (*)(void (*)(char const*))>(dlsym(handle, "bascule_fake_watch"));
    void* stream = nullptr;
    create(&stream, 1);
    outcome const alone = sum_of(3000).run_on(lib.device(), stream);
    thief other{&lib.device(), {}};
    at_work = &other;
    watch([](char const* name) {
        if (std::string_view(name).starts_with("cuEvent")) at_work->take();  // the pool is not locked around these
    });
    outcome const watched = sum_of(3000).run_on(lib.device(), stream);
    watch(nullptr);
    lib.device().synchronize(0, nullptr);  // the results are read late, too
    EXPECT_EQ(watched.code, status::ok) << watched.error;
    EXPECT_EQ(watched.outputs, alone.outputs);
    EXPECT_GT(other.taken.size(), 3u);
    EXPECT_EQ(other.kept(), other.taken.size());
    for (void* p : other.taken) lib.device().release(0, p, thief::bytes);
    lib.device().trim(0);
}

// Another thread releases blocks while work of its own, on the device's stream, still has to read them. The watcher
// plays it after a call has ordered its stream, and before the call allocates memory.
struct giver {
    backend const* device;
    std::vector<void*> blocks, copies;
    std::size_t given = 0;
    void prepare() {
        std::vector<char> const mine(thief::bytes, 'x');
        for (auto* list : {&blocks, &copies}) {
            list->resize(40);
            for (void*& p : *list) device->allocate(0, thief::bytes, &p);
        }
        for (void* p : blocks) device->copy(0, p, mine.data(), thief::bytes, copy_kind::host_to_device, nullptr);
    }
    void give() {
        if (given == blocks.size()) return;
        device->copy(0, copies[given], blocks[given], thief::bytes, copy_kind::device_to_device, nullptr);
        device->release(0, blocks[given++], thief::bytes);
    }
};
giver* giving = nullptr;

TEST_F(lazy_streams, memory_is_taken_for_a_foreign_stream_after_the_work_of_who_gave_it) {
    with_environment const classes("BASCULE_CUDA_POOL", "cached"), lazy("BASCULE_FAKE_CUDA_LAZY", "1");
    private_library const lib({});
    void* handle = dlopen(BASCULE_FAKE_CUDA, RTLD_NOW);
    auto const create = reinterpret_cast<int (*)(void**, unsigned)>(dlsym(handle, "cuStreamCreate"));
    auto const watch = reinterpret_cast<void (*)(void (*)(char const*))>(dlsym(handle, "bascule_fake_watch"));
    void* stream = nullptr;
    create(&stream, 1);
    outcome const alone = sum_of(3000).run_on(lib.device(), stream);
    giver other{&lib.device(), {}, {}};
    other.prepare();
    giving = &other;
    watch([](char const* name) {
        if (std::string_view(name) == "cuStreamWaitEvent") giving->give();
    });
    outcome const watched = sum_of(3000).run_on(lib.device(), stream);
    watch(nullptr);
    lib.device().synchronize(0, nullptr);
    EXPECT_EQ(watched.code, status::ok) << watched.error;
    EXPECT_EQ(watched.outputs, alone.outputs);
    EXPECT_GT(other.given, 1u);
    for (std::size_t k = 0; k < other.given; ++k) {
        std::vector<char> found(thief::bytes);
        lib.device().copy(0, found.data(), other.copies[k], thief::bytes, copy_kind::device_to_host, nullptr);
        lib.device().synchronize(0, nullptr);
        EXPECT_EQ(found, std::vector<char>(thief::bytes, 'x')) << k;
    }
    for (void* p : other.copies) lib.device().release(0, p, thief::bytes);
    for (std::size_t k = other.given; k < other.blocks.size(); ++k)
        lib.device().release(0, other.blocks[k], thief::bytes);
    lib.device().trim(0);
}

// Another thread copies on a stream while that stream is destroyed; the watcher plays it.
struct latecomer {
    backend const* device;
    void *stream = nullptr, *block = nullptr;
    bool copied = false;
    void copy() {
        static double const x = 5;
        if (!std::exchange(copied, true)) device->copy(0, block, &x, 8, copy_kind::host_to_device, stream);
    }
};
latecomer* late = nullptr;

TEST_F(lazy_streams, nothing_waits_for_a_stream_that_is_gone) {
    with_environment const lazy("BASCULE_FAKE_CUDA_LAZY", "1");
    private_library const lib({});
    backend const& d = lib.device();
    auto const watch = reinterpret_cast<void (*)(void (*)(char const*))>(
        dlsym(dlopen(BASCULE_FAKE_CUDA, RTLD_NOW), "bascule_fake_watch"));
    latecomer other{&d};
    double x = 4, back = 0;
    void* block = nullptr;
    for (void** p : {&block, &other.block}) d.allocate(0, 8, p);
    ASSERT_EQ(d.streams->create(0, true, 0, &other.stream), status::ok);
    d.copy(0, block, &x, 8, copy_kind::host_to_device, other.stream);
    late = &other;
    watch([](char const* name) {
        if (std::string_view(name) == "cuEventCreate") late->copy();
    });
    d.streams->destroy(0, other.stream);
    watch(nullptr);
    EXPECT_TRUE(other.copied);
    d.copy(0, &back, other.block, 8, copy_kind::device_to_host, nullptr);
    EXPECT_EQ(d.synchronize(0, nullptr), status::ok) << d.last_error();
    EXPECT_EQ(back, 5);
    for (void* p : {block, other.block}) d.release(0, p, 8);
    d.trim(0);
}

TEST_F(runtime, threads_may_run_plans_at_once) {
    std::vector<std::thread> threads;
    std::vector<outcome> outcomes(4);
    for (std::size_t t = 0; t < 4; ++t) threads.emplace_back([&, t] { outcomes[t] = sum_of(1000).run_on(*device); });
    for (auto& t : threads) t.join();
    for (auto const& o : outcomes) {
        EXPECT_EQ(o.code, status::ok) << o.error;
        EXPECT_EQ(o.outputs, outcomes[0].outputs);
    }
}

// ---- kernels
TEST_F(kernel_cache, a_kernel_knows_no_sizes_strides_or_constants) {
    auto const scaled = [](std::int64_t n, std::int64_t stride, double by) {
        program p({n});
        int const x = p.input(type_id::float64, {{stride}, 0, n * stride}, bytes(static_cast<std::size_t>(n * stride)));
        p.store(p.op(ops::find("multiply"), type_id::float64, {x, p.constant(by)}));
        return p.run_on(cuda()).code;
    };
    EXPECT_EQ(scaled(10, 16, 2.0), status::ok);
    int const before = fake().compilations();
    EXPECT_EQ(scaled(500, 24, 3.0), status::ok);
    EXPECT_EQ(scaled(7, 48, -1.0), status::ok);
    EXPECT_EQ(fake().compilations(), before);
}

TEST_F(kernel_cache, sums_of_any_length_share_their_kernels) {
    sum_of(10).run_on(*device);
    int const before = fake().compilations();
    sum_of(10000).run_on(*device);
    EXPECT_EQ(fake().compilations(), before);
}

std::string cache_for(char const* name) {
    std::string const folder = cache_directory() + "/" + name;
    std::filesystem::create_directories(folder);
    return folder;
}
std::vector<std::filesystem::path> files_in(std::string const& folder) {
    std::vector<std::filesystem::path> all;
    for (auto const& f : std::filesystem::recursive_directory_iterator(folder))
        if (f.is_regular_file()) all.push_back(f.path());
    return all;
}

TEST_F(kernel_cache, a_kernel_on_disk_is_not_compiled_again) {
    std::string const folder = cache_for("reused");
    host_api host;
    host.cache_directory = folder.c_str();
    EXPECT_EQ(negation(4).run_on(private_library(host).device()).code, status::ok);
    EXPECT_EQ(files_in(folder).size(), 1u);
    int const before = fake().compilations();
    EXPECT_EQ(negation(4).run_on(private_library(host).device()).code, status::ok);
    EXPECT_EQ(fake().compilations(), before);
}

TEST_F(kernel_cache, a_damaged_file_is_compiled_again) {
    std::string const folder = cache_for("damaged");
    host_api host;
    host.cache_directory = folder.c_str();
    negation(4).run_on(private_library(host).device());
    auto const file = files_in(folder).at(0);
    std::string text;
    {
        std::ifstream in(file);
        std::getline(in, text, '\0');
    }
    text.replace(text.find("bascule emulated"), 8, "garbage!");
    std::ofstream(file) << text;
    EXPECT_EQ(negation(4).run_on(private_library(host).device()).code, status::ok);
}

TEST_F(kernel_cache, without_a_directory_nothing_is_written) {
    EXPECT_EQ(negation(4).run_on(private_library(host_api{}).device()).code, status::ok);
}

TEST_F(kernel_cache, a_directory_that_cannot_be_written_is_no_error) {
    host_api host;
    host.cache_directory = "/proc/nowhere";
    EXPECT_EQ(negation(4).run_on(private_library(host).device()).code, status::ok);
}

TEST_F(kernel_cache, a_file_that_is_cut_off_or_no_file_at_all_is_passed_by) {
    std::string const folder = cache_for("cut");
    host_api host;
    host.cache_directory = folder.c_str();
    negation(4).run_on(private_library(host).device());
    auto const file = files_in(folder).at(0);
    for (std::uintmax_t const left : {std::filesystem::file_size(file) - 3, std::uintmax_t{20}, std::uintmax_t{0}}) {
        std::filesystem::resize_file(file, left);
        EXPECT_EQ(negation(4).run_on(private_library(host).device()).code, status::ok) << left;
    }
    std::filesystem::remove(file);
    std::filesystem::create_directory(file);
    EXPECT_EQ(negation(4).run_on(private_library(host).device()).code, status::ok);
    EXPECT_TRUE(files_in(folder).empty());
}

// The limit stands for a disk that is full: writes up to it succeed, later ones do not.
TEST_F(kernel_cache, a_full_disk_is_no_error_and_leaves_nothing_behind) {
    std::string const folder = cache_for("full");
    host_api host;
    host.cache_directory = folder.c_str();
    EXPECT_EQ(negation(4).run_on(private_library(host_api{}).device()).code, status::ok);  // the emulation's own files
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    private_library const lib(host);
    rlimit const little{100, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
    status const code = negation(4).run_on(lib.device()).code;
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(code, status::ok);
    EXPECT_TRUE(files_in(folder).empty());
}

TEST_F(kernel_cache, another_driver_has_kernels_of_its_own) {
    std::string const folder = cache_for("drivers");
    host_api host;
    host.cache_directory = folder.c_str();
    negation(4).run_on(private_library(host).device());
    with_environment const newer("BASCULE_FAKE_CUDA_DRIVER_VERSION", "13010");
    negation(4).run_on(private_library(host).device());
    EXPECT_EQ(files_in(folder).size(), 2u);
}

// ---- kernels do not depend on the order in which threads take their turns, and the checks would see it if they did
bool same_in_every_order(program const& p) {
    outcome const expected = p.run_on(*reference_backend());
    bool same = true;
    for (char const* order : {"forward", "reverse", "1", "2"}) {
        with_environment const turn("BASCULE_EMULATION_ORDER", order);
        private_library const lib(host_api{});
        outcome const actual = p.run_on(lib.device());
        same = same && actual.code == status::ok && actual.outputs == expected.outputs;
        if (actual.code != status::ok) fake().reset();
    }
    return same;
}

TEST_F(kernel_checks, reductions_are_the_same_in_every_order) { EXPECT_TRUE(same_in_every_order(sum_of(5000))); }

TEST_F(kernel_checks, a_barrier_left_out_of_a_reduction_is_noticed) {
    for (int k = 1; k <= 2; ++k) {  // before the lanes are joined, and between two steps of joining
        with_environment const mutation("BASCULE_FAKE_CUDA_MUTATE", "reduce.cuh:" + std::to_string(k));
        EXPECT_FALSE(same_in_every_order(sum_of(5000))) << "barrier " << k;
    }
}

TEST_F(kernel_checks, a_barrier_left_out_between_levels_of_the_tree_is_noticed) {
    with_environment const mutation("BASCULE_FAKE_CUDA_MUTATE", "reduce.cuh:7");  // those of variances come before
    EXPECT_FALSE(same_in_every_order(sum_of(5000)));
}

}  // namespace
}  // namespace bascule::testing
