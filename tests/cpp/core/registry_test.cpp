#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "bascule/core/device.hpp"
#include "bascule/core/error.hpp"

namespace {

using bascule::find_device;
using bascule::status;

template <class Error, class F> std::string text_of(F&& f) {
    try {
        f();
    } catch (Error const& e) { return e.what(); }
    return "nothing was thrown";
}
bool contains(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }

TEST(registry, built_in_devices_have_their_names) {
    EXPECT_EQ(find_device("cpu").name(), "cpu");
    EXPECT_EQ(find_device("reference").name(), "reference");
    EXPECT_EQ(find_device("cpu"), find_device("cpu:0"));
    EXPECT_NE(find_device("cpu"), find_device("reference"));
}

TEST(registry, an_unknown_name_is_a_value_error_that_lists_the_known_ones) {
    for (char const* name : {"", "gpu", "CPU", "cuda0", "cpu "}) {
        std::string const text = text_of<bascule::value_error>([&] { find_device(name); });
        for (char const* known : {"\"cpu\"", "\"cuda\"", "\"reference\""}) EXPECT_TRUE(contains(text, known)) << text;
    }
    for (char const* name : {"cuda:", "cuda:x", "cuda:-1", "cpu:1x", "cpu:99999999999"})
        EXPECT_THROW(find_device(name), bascule::value_error) << name;
}

TEST(registry, a_device_number_past_the_last_is_a_device_error) {
    EXPECT_THROW(find_device("cpu:7"), bascule::device_error);
}

TEST(registry, without_a_driver_cuda_is_absent_and_the_reason_names_it) {
    setenv("BASCULE_CUDA_DRIVER", "/nowhere/libdriver.so", 1);
    bascule::set_plugin_directories("/nowhere", {}, "");
    EXPECT_TRUE(contains(bascule::why_no_cuda(), "/nowhere/libdriver.so")) << bascule::why_no_cuda();
    EXPECT_TRUE(contains(text_of<bascule::device_error>([] { find_device("cuda:1"); }), "cuda:1 is not available"));
    unsetenv("BASCULE_CUDA_DRIVER");
}

TEST(registry, with_a_driver_but_no_library_the_reason_names_the_library) {
    setenv("BASCULE_CUDA_DRIVER", "libc.so.6", 1);
    bascule::set_plugin_directories("/nowhere", {"/a", "/b"}, "/cache");
    EXPECT_TRUE(contains(bascule::why_no_cuda(), "/nowhere/libbascule_cuda.so")) << bascule::why_no_cuda();
    EXPECT_THROW(find_device("cuda"), bascule::device_error);
    unsetenv("BASCULE_CUDA_DRIVER");
}

char const* some_text() noexcept { return "[test] expected this, got that"; }

TEST(registry, each_status_is_thrown_as_its_error_with_the_backends_text) {
    bascule::backend api;
    api.name = "test";
    api.last_error = some_text;
    bascule::device const where{&api, 2};
    EXPECT_NO_THROW(throw_if(status::ok, where));
    EXPECT_EQ(text_of<bascule::memory_error>([&] { throw_if(status::out_of_memory, where); }), some_text());
    EXPECT_EQ(text_of<bascule::not_supported>([&] { throw_if(status::not_supported, where); }), some_text());
    EXPECT_EQ(text_of<bascule::device_error>([&] { throw_if(status::device_error, where); }), some_text());
    EXPECT_EQ(text_of<bascule::device_error>([&] { throw_if(status::compile_error, where); }), some_text());
    EXPECT_EQ(text_of<bascule::index_error>([&] { throw_if(status::index_error, where); }), some_text());
    EXPECT_EQ(text_of<bascule::value_error>([&] { throw_if(status::value_error, where); }), some_text());
    EXPECT_EQ(text_of<bascule::error>([&] { throw_if(status::interrupted, where); }), "[test:2] interrupted");
}

}  // namespace
