// The CUDA driver as a table of function pointers, declared by hand from its documentation: no NVIDIA header and no
// toolkit is needed to build this, and a machine without a driver loads the rest of bascule unharmed.
#pragma once
#include <cstddef>
#include <string>

namespace bascule::cuda {

using result = int;
using device_ptr = unsigned long long;
struct opaque_context;
struct opaque_stream;
struct opaque_event;
struct opaque_module;
struct opaque_function;
struct opaque_graph;
struct opaque_executable_graph;
struct opaque_memory_pool;
using context_handle = opaque_context*;
using stream_handle = opaque_stream*;
using event_handle = opaque_event*;
using module_handle = opaque_module*;
using function_handle = opaque_function*;
using graph_handle = opaque_graph*;
using executable_graph_handle = opaque_executable_graph*;
using memory_pool_handle = opaque_memory_pool*;

inline constexpr result success = 0, error_out_of_memory = 2, error_not_ready = 600;
inline constexpr int attribute_multiprocessors = 16, attribute_major = 75, attribute_minor = 76,
                     attribute_pageable_access = 88;
inline constexpr int pointer_attribute_memory_type = 2;
inline constexpr unsigned memory_type_host = 1, memory_type_device = 2;
inline constexpr unsigned host_memory_portable = 1;  // known to all contexts
inline constexpr unsigned stream_non_blocking = 1, event_without_timing = 2;
inline constexpr int pool_attribute_release_threshold = 4;
// Which device may reach the memory of a pool, and how.
struct pool_access {
    int location_kind, device, flags;
};
inline constexpr int location_device = 1, access_read_write = 3;
inline constexpr int capture_relaxed = 2;  // other calls of the process go on as ever

struct driver_api {
    result (*init)(unsigned flags);
    result (*driver_version)(int*);
    result (*device_count)(int*);
    result (*device_get)(int* device, int ordinal);
    result (*device_name)(char*, int length, int device);
    result (*device_attribute)(int* value, int attribute, int device);
    result (*device_memory)(std::size_t* bytes, int device);
    result (*retain_primary)(context_handle*, int device);
    result (*set_current)(context_handle);
    result (*allocate)(device_ptr*, std::size_t bytes);
    result (*release)(device_ptr);
    // ---- allocations in the order of a stream
    result (*device_pool)(memory_pool_handle*, int device);
    result (*set_pool_attribute)(memory_pool_handle, int attribute, void* value);
    result (*set_pool_access)(memory_pool_handle, pool_access const*, std::size_t count);
    result (*trim_pool)(memory_pool_handle, std::size_t bytes_to_keep);
    result (*allocate_ordered)(device_ptr*, std::size_t bytes, memory_pool_handle, stream_handle);
    result (*release_ordered)(device_ptr, stream_handle);
    result (*allocate_host)(void**, std::size_t bytes, unsigned flags);
    result (*release_host)(void*);
    result (*copy_to_device)(device_ptr, void const*, std::size_t, stream_handle);
    result (*copy_to_host)(void*, device_ptr, std::size_t, stream_handle);
    result (*copy_on_device)(device_ptr, device_ptr, std::size_t, stream_handle);
    result (*copy_peer)(device_ptr, context_handle, device_ptr, context_handle, std::size_t, stream_handle);
    result (*can_access_peer)(int* can, int device, int peer);
    result (*enable_peer_access)(context_handle peer, unsigned flags);  // of the current context
    result (*pointer_attribute)(void* value, int attribute, device_ptr);
    result (*fill_bytes)(device_ptr, unsigned char, std::size_t, stream_handle);
    result (*stream_create)(stream_handle*, unsigned flags);
    result (*stream_create_with_priority)(stream_handle*, unsigned flags, int priority);
    result (*stream_destroy)(stream_handle);
    result (*stream_query)(stream_handle);
    result (*stream_synchronize)(stream_handle);
    result (*event_create)(event_handle*, unsigned flags);
    result (*event_record)(event_handle, stream_handle);
    result (*event_destroy)(event_handle);
    result (*event_query)(event_handle);
    result (*event_synchronize)(event_handle);
    result (*event_elapsed)(float* milliseconds, event_handle from, event_handle to);
    result (*stream_wait_event)(stream_handle, event_handle, unsigned flags);
    result (*stream_begin_capture)(stream_handle, int mode);
    result (*stream_end_capture)(stream_handle, graph_handle*);
    result (*graph_instantiate)(executable_graph_handle*, graph_handle, unsigned long long flags);
    result (*graph_upload)(executable_graph_handle, stream_handle);
    result (*graph_launch)(executable_graph_handle, stream_handle);
    result (*graph_destroy)(graph_handle);
    result (*executable_graph_destroy)(executable_graph_handle);
    result (*module_load)(module_handle*, void const* image);
    result (*module_function)(function_handle*, module_handle, char const* name);
    result (*module_global)(device_ptr*, std::size_t* bytes, module_handle, char const* name);
    result (*function_attribute)(int* value, int attribute, function_handle);
    result (*set_function_attribute)(function_handle, int attribute, int value);
    // Of drivers for CUDA 12.4 and newer, else null.
    result (*function_parameter)(function_handle, std::size_t number, std::size_t* offset, std::size_t* bytes);
    result (*memory_info)(std::size_t* free, std::size_t* total);
    result (*launch)(function_handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                     unsigned shared_bytes, stream_handle, void** arguments, void** extra);
    result (*error_name)(result, char const**);
    result (*error_text)(result, char const**);

    // Opens $BASCULE_CUDA_DRIVER, else libcuda.so.1. Returns an empty string, or why it could not.
    std::string load();
    // "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)"
    std::string describe(result) const;
};

}  // namespace bascule::cuda
