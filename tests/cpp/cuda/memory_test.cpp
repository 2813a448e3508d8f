// Memory of the device and pinned memory of the host: copies, the pools, the callback for lack of memory.
#include <cstring>
#include <map>
#include <utility>

#include "cuda_device.hpp"

namespace bascule::testing {
namespace {

using pool = on_fake_cuda;

TEST_F(pool, copies_go_both_ways) {
    std::vector<double> const data{1, 2, 3};
    void *a = nullptr, *b = nullptr;
    ASSERT_EQ(device->allocate(0, 24, &a), status::ok);
    ASSERT_EQ(device->allocate(0, 24, &b), status::ok);
    std::vector<double> back(3);
    device->copy(0, a, data.data(), 24, copy_kind::host_to_device, nullptr);
    device->copy(0, b, a, 24, copy_kind::device_to_device, nullptr);
    device->copy(0, back.data(), b, 24, copy_kind::device_to_host, nullptr);
    EXPECT_EQ(device->synchronize(0, nullptr), status::ok);
    EXPECT_EQ(back, data);
    device->release(0, a, 24);
    device->release(0, b, 24);
}

TEST_F(pool, released_blocks_are_used_again) {
    with_environment const caching("BASCULE_CUDA_POOL", "cached");
    private_library const lib(host_api{});
    backend const& d = lib.device();
    void *first = nullptr, *second = nullptr;
    d.allocate(0, 1000, &first);
    d.release(0, first, 1000);
    d.allocate(0, 1020, &second);  // the same size, rounded
    EXPECT_EQ(first, second);
    EXPECT_EQ(fake().calls("cuMemAlloc_v2"), 1);
    constexpr std::int64_t segment = 2 << 20;  // shared by small requests
    backend_memory m{};
    d.memory(0, &m);
    EXPECT_EQ(m.in_use, 1024);
    EXPECT_EQ(m.held, segment);
    d.release(0, second, 1020);
    d.memory(0, &m);
    EXPECT_EQ(m.in_use, 0);
    EXPECT_EQ(m.held, segment);
    EXPECT_EQ(m.peak, 1024);
    EXPECT_EQ(lib.services().free_blocks(0), 1);
    EXPECT_EQ(d.trim(0), segment);
    d.memory(0, &m);
    EXPECT_EQ(m.held, 0);
}

TEST_F(pool, free_blocks_are_split_and_joined_again) {
    with_environment const caching("BASCULE_CUDA_POOL", "cached");
    private_library const lib(host_api{});
    backend const& d = lib.device();
    constexpr std::int64_t unit = 4 << 20;
    void *whole = nullptr, *parts[4] = {};
    ASSERT_EQ(d.allocate(0, 4 * unit, &whole), status::ok);
    d.release(0, whole, 4 * unit);
    for (int k = 0; k < 4; ++k) {
        ASSERT_EQ(d.allocate(0, unit, &parts[k]), status::ok);
        EXPECT_EQ(parts[k], static_cast<char*>(whole) + k * unit);
    }
    EXPECT_EQ(fake().calls("cuMemAlloc_v2"), 1);
    backend_memory m{};
    for (int k : {1, 3, 2, 0}) d.release(0, parts[k], unit);
    d.memory(0, &m);
    EXPECT_EQ(lib.services().free_blocks(0), 1);
    void* again = nullptr;
    ASSERT_EQ(d.allocate(0, 4 * unit, &again), status::ok);
    EXPECT_EQ(again, whole);
    // Part of a segment that is in use keeps all of it.
    d.release(0, again, 4 * unit);
    ASSERT_EQ(d.allocate(0, unit, &again), status::ok);
    EXPECT_EQ(d.trim(0), 0);
    d.release(0, again, unit);
    EXPECT_EQ(d.trim(0), 4 * unit);
}

// A large free block is not broken up for a small request while the driver has memory, and is when it has none.
TEST_F(pool, large_blocks_are_broken_up_only_where_memory_is_short) {
    with_environment const caching("BASCULE_CUDA_POOL", "cached");
    private_library const lib(host_api{});
    backend const& d = lib.device();
    constexpr std::int64_t large = 64 << 20, little = 2 << 20;
    void *a = nullptr, *b = nullptr, *pin = nullptr;
    ASSERT_EQ(d.allocate(0, large, &a), status::ok);
    d.release(0, a, large);
    ASSERT_EQ(d.allocate(0, little, &b), status::ok);
    EXPECT_EQ(fake().calls("cuMemAlloc_v2"), 2);
    ASSERT_EQ(d.allocate(0, large / 2, &pin), status::ok);
    EXPECT_EQ(pin, a);
    with_environment const full("BASCULE_FAKE_CUDA_MEMORY", std::to_string(fake().bytes_in_use() + 100));
    void* c = nullptr;
    ASSERT_EQ(d.allocate(0, little, &c), status::ok) << d.last_error();
    EXPECT_EQ(c, static_cast<char*>(a) + large / 2);
    d.release(0, b, little), d.release(0, c, little), d.release(0, pin, large / 2);
    d.trim(0);
}

TEST_F(pool, blocks_never_overlap_and_all_come_back) {
    with_environment const caching("BASCULE_CUDA_POOL", "cached");
    private_library const lib(host_api{});
    backend const& d = lib.device();
    std::map<char*, std::int64_t> live;
    std::uint64_t seed = 7;
    auto const next = [&](std::uint64_t below) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return (seed >> 33) % below;
    };
    for (int step = 0; step < 3000; ++step) {
        if (live.size() < 40 && next(3) != 0) {
            auto const bytes = static_cast<std::int64_t>(next(2) ? next(4000) : next(3 << 20));
            void* p = nullptr;
            ASSERT_EQ(d.allocate(0, bytes, &p), status::ok);
            auto* const at = static_cast<char*>(p);
            auto const after = live.lower_bound(at);
            if (after != live.end()) { ASSERT_LE(at + bytes, after->first); }
            if (after != live.begin()) { ASSERT_LE(std::prev(after)->first + std::prev(after)->second, at); }
            live[at] = bytes;
        } else if (!live.empty()) {
            auto const gone = std::next(live.begin(), static_cast<long>(next(live.size())));
            d.release(0, gone->first, gone->second);
            live.erase(gone);
        }
    }
    std::int64_t in_use = 0;
    for (auto const& [at, bytes] : live) in_use += (std::max<std::int64_t>(bytes, 1) + 511) / 512 * 512;
    backend_memory m{};
    d.memory(0, &m);
    EXPECT_EQ(m.in_use, in_use);
    for (auto const& [at, bytes] : live) d.release(0, at, bytes);
    d.memory(0, &m);
    EXPECT_EQ(m.in_use, 0);
    d.trim(0);
    d.memory(0, &m);
    EXPECT_EQ(m.held, 0);
    EXPECT_EQ(lib.services().free_blocks(0), 0);
}

// The callback before an allocation fails frees memory, again and again, or reports why not.
TEST_F(pool, memory_is_asked_for_before_an_allocation_fails) {
    with_environment const caching("BASCULE_CUDA_POOL", "cached");
    private_library const lib(host_api{});
    backend const& d = lib.device();
    static void* held[2];
    static backend const* asked_by;
    constexpr std::int64_t unit = 2 << 20;
    d.set_memory_limit(0, 3 * unit);
    for (void*& p : held) ASSERT_EQ(d.allocate(0, unit, &p), status::ok);
    lib.services().set_relief([](backend const* api, std::int32_t, std::int64_t bytes, char const** why) {
        asked_by = api;
        EXPECT_EQ(bytes, 2 * unit);
        for (void*& p : held)
            if (p) {
                api->release(0, std::exchange(p, nullptr), unit);
                return unit;
            }
        *why = "nothing is left";
        return std::int64_t{0};
    });
    void *p = nullptr, *q = nullptr;
    ASSERT_EQ(d.allocate(0, 2 * unit, &p), status::ok) << d.last_error();
    EXPECT_EQ(asked_by, &d);
    EXPECT_EQ(d.allocate(0, 2 * unit, &q), status::out_of_memory);
    EXPECT_NE(std::string(d.last_error()).find("nothing is left"), std::string::npos) << d.last_error();
    EXPECT_EQ(d.allocate(0, 4 * unit, &q), status::out_of_memory);  // more than the limit: the callback is not called
    d.release(0, p, 2 * unit);
    for (void* h : held)
        if (h) d.release(0, h, unit);
    d.set_memory_limit(0, 0);
    d.trim(0);
}

// Large copies of pageable memory go by pieces through pinned buffers, either way and at any size; without buffers as
// ever.
TEST_F(pool, large_copies_are_staged) {
    for (char const* pinned : {"", "0"}) {
        with_environment const without("BASCULE_FAKE_CUDA_PINNED", *pinned ? pinned : "1000000000");
        private_library const lib(host_api{});
        backend const& d = lib.device();
        for (std::int64_t const bytes : {(1 << 20) - 1, 1 << 20, (2 << 20) + 1, 7 << 20}) {
            std::vector<unsigned char> given(static_cast<std::size_t>(bytes)), got(given.size());
            for (std::size_t k = 0; k < given.size(); ++k) given[k] = static_cast<unsigned char>(k * 31 + (k >> 13));
            std::vector<unsigned char> const expected = given;
            void* p = nullptr;
            ASSERT_EQ(d.allocate(0, bytes, &p), status::ok);
            with_environment const late("BASCULE_FAKE_CUDA_LAZY", "1");
            ASSERT_EQ(d.copy(0, p, given.data(), bytes, copy_kind::host_to_device, nullptr), status::ok);
            std::fill(given.begin(), given.end(), 0);  // it has been read
            ASSERT_EQ(d.copy(0, got.data(), p, bytes, copy_kind::device_to_host, nullptr), status::ok);
            ASSERT_EQ(d.synchronize(0, nullptr), status::ok);
            EXPECT_EQ(got, expected) << bytes;
            d.release(0, p, bytes);
        }
        EXPECT_EQ(fake().calls("cuMemHostAlloc") > 0, true);
        d.trim(0);
    }
}

TEST_F(pool, pinned_memory_is_a_pool_of_its_own) {
    with_environment const caching("BASCULE_CUDA_POOL", "cached");
    private_library const lib(host_api{});
    backend const& d = lib.device();
    void *a = nullptr, *b = nullptr;
    ASSERT_EQ(lib.services().allocate_host(0, 5000, &a), status::ok);
    std::memset(a, 1, 5000);
    lib.services().release_host(0, a, 5000);
    ASSERT_EQ(lib.services().allocate_host(0, 5000, &b), status::ok);
    EXPECT_EQ(a, b);
    EXPECT_EQ(fake().calls("cuMemHostAlloc"), 1);
    backend_memory m{};
    ASSERT_EQ(lib.services().host_memory(0, &m), status::ok);
    EXPECT_EQ(m.in_use, 5120);
    lib.services().release_host(0, b, 5000);
    EXPECT_EQ(lib.services().trim_host(0), 2 << 20);
    with_environment const none("BASCULE_FAKE_CUDA_PINNED", "0");
    EXPECT_EQ(lib.services().allocate_host(0, 5000, &b), status::out_of_memory);
    EXPECT_NE(std::string(d.last_error()).find("the host"), std::string::npos) << d.last_error();
    EXPECT_EQ(lib.services().allocate_host(0, -1, &b), status::value_error);
}

TEST_F(pool, a_limit_is_kept) {
    ASSERT_EQ(device->set_memory_limit(0, 4096), status::ok);
    void *a = nullptr, *b = nullptr;
    EXPECT_EQ(device->allocate(0, 4000, &a), status::ok);
    EXPECT_EQ(device->allocate(0, 200, &b), status::out_of_memory);
    EXPECT_EQ(b, nullptr);
    EXPECT_NE(std::string(device->last_error()).find("limit 4096"), std::string::npos);
    device->release(0, a, 4000);
    device->set_memory_limit(0, 0);
}

TEST_F(pool, the_cache_is_given_back_before_memory_is_refused) {
    with_environment const caching("BASCULE_CUDA_POOL", "cached");
    private_library const lib(host_api{});
    backend const& d = lib.device();
    with_environment const little("BASCULE_FAKE_CUDA_MEMORY", std::to_string(fake().bytes_in_use() + 10000));
    void *a = nullptr, *b = nullptr;
    ASSERT_EQ(d.allocate(0, 8192, &a), status::ok);
    d.release(0, a, 8192);
    EXPECT_EQ(d.allocate(0, 4096, &b), status::ok) << d.last_error();  // 8192 of 10000 bytes are in the cache
    d.release(0, b, 4096);
    d.trim(0);
}

TEST_F(pool, memory_that_is_not_there_is_out_of_memory) {
    with_environment const little("BASCULE_FAKE_CUDA_MEMORY", std::to_string(fake().bytes_in_use() + 100));
    void* p = nullptr;
    EXPECT_EQ(device->allocate(0, 1000, &p), status::out_of_memory);
    EXPECT_NE(std::string(device->last_error()).find("1000 bytes"), std::string::npos);
}

TEST_F(pool, a_reduction_without_memory_for_its_partial_results_fails_and_leaks_nothing) {
    sum_of(5000).run_on(*device);
    with_environment const little("BASCULE_FAKE_CUDA_MEMORY", std::to_string(fake().bytes_in_use() + 40100));
    outcome const o = sum_of(5000).run_on(*device);
    EXPECT_EQ(o.code, status::out_of_memory);
}

TEST_F(pool, a_negative_size_is_a_value_error) {
    void* p = nullptr;
    EXPECT_EQ(device->allocate(0, -1, &p), status::value_error);
}

}  // namespace
}  // namespace bascule::testing
