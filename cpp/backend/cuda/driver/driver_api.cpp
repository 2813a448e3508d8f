#include "backend/cuda/driver/driver_api.hpp"

#include <cstdlib>
#include <dlfcn.h>

namespace bascule::cuda {
namespace {

class symbol_loader {
public:
    explicit symbol_loader(void* library) : library_(library) {}
    template <class F> void operator()(F*& slot, char const* name) {
        slot = reinterpret_cast<F*>(dlsym(library_, name));
        if (!slot && missing_.empty()) missing_ = name;
    }
    template <class F> void optional(F*& slot, char const* name) { slot = reinterpret_cast<F*>(dlsym(library_, name)); }
    std::string const& missing() const { return missing_; }

private:
    void* library_;
    std::string missing_;
};

}  // namespace

// The suffixes are those that the driver's header gives these names since CUDA 4: the plain names are older interfaces.
std::string driver_api::load() {
    char const* path = std::getenv("BASCULE_CUDA_DRIVER");
    void* library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return std::string("[cuda] no NVIDIA driver: ") + dlerror();
    symbol_loader symbol(library);
    symbol(init, "cuInit");
    symbol(driver_version, "cuDriverGetVersion");
    symbol(device_count, "cuDeviceGetCount");
    symbol(device_get, "cuDeviceGet");
    symbol(device_name, "cuDeviceGetName");
    symbol(device_attribute, "cuDeviceGetAttribute");
    symbol(device_memory, "cuDeviceTotalMem_v2");
    symbol(retain_primary, "cuDevicePrimaryCtxRetain");
    symbol(set_current, "cuCtxSetCurrent");
    symbol(allocate, "cuMemAlloc_v2");
    symbol(release, "cuMemFree_v2");
    symbol(device_pool, "cuDeviceGetMemPool");
    symbol(set_pool_attribute, "cuMemPoolSetAttribute");
    symbol(set_pool_access, "cuMemPoolSetAccess");
    symbol(trim_pool, "cuMemPoolTrimTo");
    symbol(allocate_ordered, "cuMemAllocFromPoolAsync");
    symbol(release_ordered, "cuMemFreeAsync");
    symbol(allocate_host, "cuMemHostAlloc");
    symbol(release_host, "cuMemFreeHost");
    symbol(copy_to_device, "cuMemcpyHtoDAsync_v2");
    symbol(copy_to_host, "cuMemcpyDtoHAsync_v2");
    symbol(copy_on_device, "cuMemcpyDtoDAsync_v2");
    symbol(copy_peer, "cuMemcpyPeerAsync");
    symbol(can_access_peer, "cuDeviceCanAccessPeer");
    symbol(enable_peer_access, "cuCtxEnablePeerAccess");
    symbol(pointer_attribute, "cuPointerGetAttribute");
    symbol(fill_bytes, "cuMemsetD8Async");
    symbol(stream_create, "cuStreamCreate");
    symbol(stream_create_with_priority, "cuStreamCreateWithPriority");
    symbol(stream_destroy, "cuStreamDestroy_v2");
    symbol(stream_query, "cuStreamQuery");
    symbol(stream_synchronize, "cuStreamSynchronize");
    symbol(event_create, "cuEventCreate");
    symbol(event_record, "cuEventRecord");
    symbol(event_destroy, "cuEventDestroy_v2");
    symbol(event_query, "cuEventQuery");
    symbol(event_synchronize, "cuEventSynchronize");
    symbol(event_elapsed, "cuEventElapsedTime");
    symbol(stream_wait_event, "cuStreamWaitEvent");
    symbol(stream_begin_capture, "cuStreamBeginCapture_v2");
    symbol(stream_end_capture, "cuStreamEndCapture");
    symbol(graph_instantiate, "cuGraphInstantiateWithFlags");
    symbol(graph_upload, "cuGraphUpload");
    symbol(graph_launch, "cuGraphLaunch");
    symbol(graph_destroy, "cuGraphDestroy");
    symbol(executable_graph_destroy, "cuGraphExecDestroy");
    symbol(module_load, "cuModuleLoadData");
    symbol(module_function, "cuModuleGetFunction");
    symbol(module_global, "cuModuleGetGlobal_v2");
    symbol(function_attribute, "cuFuncGetAttribute");
    symbol(set_function_attribute, "cuFuncSetAttribute");
    symbol.optional(function_parameter, "cuFuncGetParamInfo");
    symbol(memory_info, "cuMemGetInfo_v2");
    symbol(launch, "cuLaunchKernel");
    symbol(error_name, "cuGetErrorName");
    symbol(error_text, "cuGetErrorString");
    return symbol.missing().empty() ? "" : "[cuda] the driver lacks " + symbol.missing();
}

std::string driver_api::describe(result code) const {
    char const* name = nullptr;
    char const* text = nullptr;
    if (error_name(code, &name) != success || !name) return "CUDA error " + std::to_string(code);
    if (error_text(code, &text) != success || !text) return name;
    return std::string(name) + " (" + text + ")";
}

}  // namespace bascule::cuda
