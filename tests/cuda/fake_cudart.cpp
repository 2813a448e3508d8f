// The CUDA runtime for machines without a GPU, on the fake driver: it takes the modules and kernels that nvcc's objects
// register, and launches their PTX. Only tests link it, with the device's algorithms as nvcc compiles them.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

// A program in several forms; of each a header, and behind it the text or code.
struct container_header {
    std::uint32_t magic;
    std::uint16_t version, header_bytes;
    std::uint64_t bytes;
};
struct entry_header {
    std::uint16_t kind, version;
    std::uint32_t header_bytes;
    std::uint64_t bytes;
    std::uint32_t compressed_bytes;
};
constexpr std::uint32_t container_magic = 0xba55ed50;
constexpr std::uint16_t kind_ptx = 1;

struct registered_module {
    std::string text;
    int capability = 0;
    std::map<int, CUmodule> on;  // by device
};
struct registered_kernel {
    registered_module* in;
    std::string name;
    std::map<int, CUfunction> on;
};
struct everything {
    std::mutex mutex;
    std::map<void const*, registered_kernel> kernels;  // by the function of the host
};
everything& all() {
    static auto* const made = new everything;  // objects unregister when the process ends
    return *made;
}

thread_local cudaError_t last_error = cudaSuccess;
cudaError_t said(int code) {
    if (code != cudaSuccess) last_error = static_cast<cudaError_t>(code);
    return static_cast<cudaError_t>(code);
}
cudaError_t said(CUresult code) { return said(static_cast<int>(code)); }  // the numbers are the same

// "sm_80" of the line that begins with .target
int capability_of(std::string const& text) {
    std::size_t const at = text.find(".target sm_");
    return at == text.npos ? 0 : std::atoi(text.c_str() + at + std::strlen(".target sm_"));
}

std::string ptx_of(void const* data) {
    container_header all_of{};
    std::memcpy(&all_of, data, sizeof all_of);
    auto const* at = static_cast<char const*>(data) + all_of.header_bytes;
    char const* const end = at + all_of.bytes;
    while (all_of.magic == container_magic && at < end) {
        entry_header e{};
        std::memcpy(&e, at, sizeof e);
        char const* const begin = at + e.header_bytes;
        if (e.kind == kind_ptx && e.compressed_bytes == 0) return {begin, strnlen(begin, e.bytes)};
        at = begin + e.bytes;
    }
    return {};
}

int current_device() {
    CUdevice device = 0;
    cuCtxGetDevice(&device);
    return device;
}

// Loaded when first launched.
cudaError_t find(void const* kernel, CUfunction& out) {
    std::lock_guard<std::mutex> const l(all().mutex);
    auto const found = all().kernels.find(kernel);
    if (found == all().kernels.end()) return cudaErrorInvalidDeviceFunction;
    registered_kernel& k = found->second;
    int const device = current_device();
    CUfunction& f = k.on[device];
    if (!f) {
        CUmodule& m = k.in->on[device];
        CUresult code = m ? CUDA_SUCCESS : cuModuleLoadData(&m, k.in->text.c_str());
        if (code == CUDA_SUCCESS) code = cuModuleGetFunction(&f, m, k.name.c_str());
        if (code != CUDA_SUCCESS) return static_cast<cudaError_t>(code);
    }
    out = f;
    return cudaSuccess;
}

cudaError_t launch(void const* kernel, dim3 grid, dim3 threads, void** arguments, std::size_t shared,
                   cudaStream_t stream) {
    CUfunction f{};
    if (cudaError_t const code = find(kernel, f)) return said(code);
    return said(cuLaunchKernel(f, grid.x, grid.y, grid.z, threads.x, threads.y, threads.z,
                               static_cast<unsigned>(shared), stream, arguments, nullptr));
}

struct configuration {
    dim3 grid, threads;
    std::size_t shared;
    void* stream;
};
thread_local std::vector<configuration> configurations;

}  // namespace

// ---- what objects of nvcc call when they are loaded
extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
    struct {
        int magic, version;
        void const* data;
    } w;
    std::memcpy(&w, wrapper, sizeof w);
    auto* const m = new registered_module{ptx_of(w.data), 0, {}};
    m->capability = capability_of(m->text);
    return reinterpret_cast<void**>(m);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void** of, char const* function, char*, char const* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
    std::lock_guard<std::mutex> const l(all().mutex);
    all().kernels[function] = {reinterpret_cast<registered_module*>(of), name, {}};
}
// Variables are found in the text.
void __cudaRegisterVar(void**, char*, char*, char const*, int, std::size_t, int, int) {}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 threads, std::size_t shared, void* stream) {
    configurations.push_back({grid, threads, shared, stream});
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* threads, std::size_t* shared, void* stream) {
    configuration const c = configurations.back();
    configurations.pop_back();
    *grid = c.grid, *threads = c.threads, *shared = c.shared;
    std::memcpy(stream, &c.stream, sizeof c.stream);
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* out, void const* function) {
    *out = static_cast<cudaKernel_t>(const_cast<void*>(function));
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 threads, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
    return launch(kernel, grid, threads, arguments, shared, stream);
}

// ---- the runtime
cudaError_t cudaLaunchKernel(void const* function, dim3 grid, dim3 threads, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
    return launch(function, grid, threads, arguments, shared, stream);
}
cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* c, void const* function, void** arguments) {
    for (unsigned k = 0; k < c->numAttrs; ++k)  // that a kernel may begin before the last one ends promises nothing
        if (c->attrs[k].id != cudaLaunchAttributeProgrammaticStreamSerialization) return said(cudaErrorNotSupported);
    return launch(function, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes, c->stream);
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, void const* function) {
    CUfunction f{};
    if (cudaError_t const code = find(function, f)) return said(code);
    *out = {};
    int shared = 0, dynamic = 0;
    cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f);
    cuFuncGetAttribute(&dynamic, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f);
    out->sharedSizeBytes = static_cast<std::size_t>(shared);
    out->maxDynamicSharedSizeBytes = dynamic;
    out->maxThreadsPerBlock = 1024;
    out->numRegs = 32;
    out->ptxVersion = out->binaryVersion = all().kernels.at(function).in->capability;
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(void const* function, cudaFuncAttribute which, int value) {
    if (which != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;  // a hint
    CUfunction f{};
    if (cudaError_t const code = find(function, f)) return said(code);
    return said(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, value));
}
// By threads and shared memory, as of a multiprocessor of 2048 threads, 32 blocks and 164 KB.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void const* function, int threads,
                                                                   std::size_t dynamic, unsigned) {
    cudaFuncAttributes a{};
    if (cudaError_t const code = cudaFuncGetAttributes(&a, function)) return code;
    auto const shared = static_cast<int>(a.sharedSizeBytes + dynamic + 1024);
    *blocks = std::min({32, 2048 / std::max(threads, 1), (164 << 10) / shared});
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const* function, int threads,
                                                          std::size_t dynamic) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic, 0);
}

cudaError_t cudaGetDevice(int* device) {
    *device = current_device();
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    return device == current_device() ? cudaSuccess : said(cudaErrorNotSupported);  // bascule selects the device
}
cudaError_t cudaGetDeviceCount(int* count) { return said(cuDeviceGetCount(count)); }
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
    switch (which) {
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = 48 << 10; return cudaSuccess;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = 163 << 10; return cudaSuccess;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = 164 << 10; return cudaSuccess;
        case cudaDevAttrMaxThreadsPerBlock: *value = 1024; return cudaSuccess;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 2048; return cudaSuccess;
        case cudaDevAttrMaxBlocksPerMultiprocessor: *value = 32; return cudaSuccess;
        case cudaDevAttrWarpSize: *value = 32; return cudaSuccess;
        case cudaDevAttrMaxGridDimX: *value = 2147483647; return cudaSuccess;
        case cudaDevAttrMultiProcessorCount:
        case cudaDevAttrComputeCapabilityMajor:
        case cudaDevAttrComputeCapabilityMinor:
            return said(cuDeviceGetAttribute(value, static_cast<CUdevice_attribute>(which), device));
        default: return said(cudaErrorNotSupported);
    }
}

cudaError_t cudaMalloc(void** out, std::size_t bytes) {
    CUdeviceptr p = 0;
    cudaError_t const code = said(cuMemAlloc(&p, bytes));
    *out = reinterpret_cast<void*>(p);
    return code;
}
cudaError_t cudaFree(void* p) { return p ? said(cuMemFree(reinterpret_cast<CUdeviceptr>(p))) : cudaSuccess; }
cudaError_t cudaMemsetAsync(void* to, int byte, std::size_t bytes, cudaStream_t stream) {
    return said(cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(to), static_cast<unsigned char>(byte), bytes, stream));
}
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    auto const target = reinterpret_cast<CUdeviceptr>(to), source = reinterpret_cast<CUdeviceptr>(from);
    switch (kind) {
        case cudaMemcpyHostToDevice: return said(cuMemcpyHtoDAsync(target, from, bytes, stream));
        case cudaMemcpyDeviceToHost: return said(cuMemcpyDtoHAsync(to, source, bytes, stream));
        case cudaMemcpyDeviceToDevice: return said(cuMemcpyDtoDAsync(target, source, bytes, stream));
        default: return said(cudaErrorNotSupported);
    }
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return said(cuStreamSynchronize(stream)); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return said(cuStreamWaitEvent(stream, event, flags));
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) { return said(cuEventCreate(event, flags)); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) { return said(cuEventRecord(event, stream)); }
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return said(cuEventSynchronize(event)); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return said(cuEventDestroy(event)); }

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }
char const* cudaGetErrorName(cudaError_t code) {
    char const* name = nullptr;
    cuGetErrorName(static_cast<CUresult>(code), &name);
    return name;
}
char const* cudaGetErrorString(cudaError_t code) {
    char const* text = nullptr;
    cuGetErrorString(static_cast<CUresult>(code), &text);
    return text;
}

}  // extern "C"
