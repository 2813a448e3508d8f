// DLPack tensors over an array's memory, and arrays over foreign tensors.
#include "bascule/io/dlpack.hpp"

#include <gtest/gtest.h>

#include <cstddef>

#include "bascule/array/elementwise.hpp"

namespace {

using namespace bascule;

// The layout that the specification gives the structures on 64-bit machines.
static_assert(sizeof(dlpack::tensor) == 48 && offsetof(dlpack::tensor, shape) == 24 &&
              offsetof(dlpack::tensor, byte_offset) == 40);
static_assert(sizeof(dlpack::managed_tensor) == 64 && offsetof(dlpack::managed_tensor, deleter) == 56);
static_assert(offsetof(dlpack::managed_tensor_versioned, flags) == 24 &&
              offsetof(dlpack::managed_tensor_versioned, content) == 32);

device cpu() { return find_device("cpu"); }

array counting(std::int64_t n) {
    plan_constant zero{}, one{};
    one.i64 = 1;
    return arange(cpu(), make_dtype(type_id::int64), n, zero, one);
}

int released = 0;
void count_release(void*) { ++released; }

TEST(dlpack, a_shared_array_shows_its_memory_until_the_deleter_runs) {
    array const a = counting(12);
    array const v = view(a, dims{3, 2}, dims{32, 16}, 8);
    auto* const t = dlpack::share_versioned(v, false);
    EXPECT_EQ(a.memory()->exports.load(), 1);
    EXPECT_EQ(t->version.major, 1u);
    EXPECT_EQ(t->flags, 0u);
    EXPECT_EQ(t->content.ndim, 2);
    EXPECT_EQ(t->content.strides[0], 4);
    EXPECT_EQ(t->content.strides[1], 2);
    EXPECT_EQ(t->content.type.bits, 64);
    EXPECT_EQ(t->content.type.code, dlpack::type_code::integer);
    auto const* p = static_cast<std::int64_t const*>(t->content.data);
    EXPECT_EQ(p[0], 1);
    EXPECT_EQ(p[t->content.strides[0] * 2 + t->content.strides[1]], 11);
    t->deleter(t);
    EXPECT_EQ(a.memory()->exports.load(), 0);
}

TEST(dlpack, flags_say_read_only_and_copied) {
    array a = counting(3);
    a.writeable = false;
    auto* const t = dlpack::share_versioned(a, true);
    EXPECT_EQ(t->flags, dlpack::read_only_flag | dlpack::copied_flag);
    t->deleter(t);
}

TEST(dlpack, a_tensor_keeps_the_memory_of_an_array_that_is_gone) {
    dlpack::managed_tensor* t = nullptr;
    {
        array const a = counting(100'000);
        t = dlpack::share(a);
    }
    EXPECT_EQ(static_cast<std::int64_t const*>(t->content.data)[99'999], 99'999);
    t->deleter(t);
}

TEST(dlpack, every_type_but_dates_comes_back) {
    for (int i = 0; i < type_count; ++i) {
        auto const id = static_cast<type_id>(i);
        array const a = empty(cpu(), make_dtype(id), dims{2, 3});
        if (is_time(id)) {
            EXPECT_NE(dlpack::why_not(a), nullptr);
            continue;
        }
        EXPECT_EQ(dlpack::why_not(a), nullptr);
        auto* const t = dlpack::share(a);
        array const back = dlpack::wrap_tensor(t->content, true, count_release, nullptr);
        EXPECT_EQ(back.type.id, id);
        EXPECT_EQ(back.data(), a.data());
        t->deleter(t);
    }
}

TEST(dlpack, a_foreign_tensor_is_released_once_when_nothing_uses_it) {
    released = 0;
    double values[] = {1, 2, 3, 4};
    std::int64_t shape[] = {2}, strides[] = {-2};
    dlpack::tensor const t{
        values, {dlpack::device_kind::cpu, 0}, 1, {dlpack::type_code::floating, 64, 1}, shape, strides, 24};
    {
        array const a = dlpack::wrap_tensor(t, false, count_release, nullptr);
        array const b = view(a, dims{1}, dims{8}, a.offset);
        EXPECT_FALSE(a.writeable);
        EXPECT_EQ(item(a, 0).f64[0], 4);
        EXPECT_EQ(item(a, 1).f64[0], 2);
        EXPECT_EQ(released, 0);
    }
    EXPECT_EQ(released, 1);
}

TEST(dlpack, an_empty_tensor_needs_no_address_and_is_released_at_once) {
    released = 0;
    std::int64_t shape[] = {2, 0};
    dlpack::tensor const t{
        nullptr, {dlpack::device_kind::cpu, 0}, 2, {dlpack::type_code::unsigned_integer, 8, 1}, shape, nullptr, 0};
    array const a = dlpack::wrap_tensor(t, true, count_release, nullptr);
    EXPECT_EQ(a.size(), 0);
    EXPECT_EQ(released, 1);
}

TEST(dlpack, what_cannot_be_wrapped_raises_and_is_not_released) {
    released = 0;
    std::int64_t shape[] = {1};
    double value = 0;
    dlpack::tensor const good{
        &value, {dlpack::device_kind::cpu, 0}, 1, {dlpack::type_code::floating, 64, 1}, shape, nullptr, 0};
    auto lanes = good, type = good, place = good, rank = good;
    lanes.type.lanes = 4, type.type.bits = 24, place.where.kind = static_cast<dlpack::device_kind>(7), rank.ndim = 65;
    for (auto const& t : {lanes, type, place, rank})
        EXPECT_THROW(dlpack::wrap_tensor(t, true, count_release, nullptr), device_error);
    EXPECT_EQ(released, 0);
}

}  // namespace
