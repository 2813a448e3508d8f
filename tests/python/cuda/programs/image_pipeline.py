"""An image pipeline in the style of CuPy programs: grey values, a tiled blur, edges, a histogram, equalisation."""

import bascule as cp
import numpy as np

TILE = 8
module = cp.RawModule(
    code=r"""
#define RADIUS 2
#define WIDE (TILE + 2 * RADIUS)
__constant__ float weights[2 * RADIUS + 1];

// One tile of the image and what lies around it goes to shared memory; beyond the border the image repeats its edge.
template <class T> __global__ void blur(const T* image, T* out, int rows, int columns) {
    __shared__ T tile[WIDE][WIDE];
    __shared__ T across[WIDE][TILE];
    const int row0 = blockIdx.y * TILE - RADIUS, column0 = blockIdx.x * TILE - RADIUS;
    for (int k = threadIdx.y * TILE + threadIdx.x; k < WIDE * WIDE; k += TILE * TILE) {
        const int r = min(max(row0 + k / WIDE, 0), rows - 1), c = min(max(column0 + k % WIDE, 0), columns - 1);
        tile[k / WIDE][k % WIDE] = image[r * columns + c];
    }
    __syncthreads();
    for (int r = threadIdx.y; r < WIDE; r += TILE) {
        T sum = 0;
        for (int d = 0; d <= 2 * RADIUS; ++d) sum += weights[d] * tile[r][threadIdx.x + d];
        across[r][threadIdx.x] = sum;
    }
    __syncthreads();
    const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row >= rows || column >= columns) return;
    T sum = 0;
    for (int d = 0; d <= 2 * RADIUS; ++d) sum += weights[d] * across[threadIdx.y + d][threadIdx.x];
    out[row * columns + column] = sum;
}

extern "C" __global__ void histogram(const unsigned char* image, unsigned int* counts, int n) {
    __shared__ unsigned int mine[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) mine[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[image[i]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += blockDim.x) if (mine[k]) atomicAdd(&counts[k], mine[k]);
}
""",
    options=("-std=c++17", f"-DTILE={TILE}"),
    name_expressions=("blur<float>",),
)
grey = cp.ElementwiseKernel(
    "raw uint8 rgb", "float32 g", "g = 0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] + 0.114f * rgb[3 * i + 2]", "grey"
)
to_byte = cp.ElementwiseKernel(
    "float32 x", "uint8 y", "y = x < 0.0f ? 0 : x > 255.0f ? 255 : (unsigned char)(x + 0.5f)", "to_byte"
)


def blurred(image):
    rows, columns = image.shape
    weights = cp.asarray([1, 4, 6, 4, 1], dtype=cp.float32) / 16
    memory = module.get_global("weights")
    cp.ndarray(weights.shape, weights.dtype, memory)[...] = weights
    out = cp.empty_like(image)
    grid = (-(-columns // TILE), -(-rows // TILE))
    module.get_function("blur<float>")(grid, (TILE, TILE), (image, out, rows, columns))
    return out


@cp.fuse()
def magnitude(dx, dy):
    return cp.sqrt(dx * dx + dy * dy)


def edges(image):
    dx, dy = cp.zeros_like(image), cp.zeros_like(image)
    dx[:, 1:-1] = (image[:, 2:] - image[:, :-2]) / 2
    dy[1:-1] = (image[2:] - image[:-2]) / 2
    return magnitude(dx, dy)


def equalised(image):
    counts = cp.zeros(256, dtype=cp.uint32)
    module.get_function("histogram")((3,), (64,), (image, counts, np.int32(image.size)))
    levels = cp.cumsum(counts.astype(cp.float64))
    table = cp.rint(255 * levels / levels[-1]).astype(cp.uint8)
    return table[image.astype(cp.int64)], counts


def on_the_host(rgb):
    """The same in NumPy."""
    grey = (rgb.astype(np.float64) * [0.299, 0.587, 0.114]).sum(-1)
    weights = np.array([1, 4, 6, 4, 1]) / 16
    padded = np.pad(grey, 2, mode="edge")
    across = sum(w * padded[:, k : k + grey.shape[1]] for k, w in enumerate(weights))
    blurred = sum(w * across[k : k + grey.shape[0]] for k, w in enumerate(weights))
    dx, dy = np.zeros_like(blurred), np.zeros_like(blurred)
    dx[:, 1:-1] = (blurred[:, 2:] - blurred[:, :-2]) / 2
    dy[1:-1] = (blurred[2:] - blurred[:-2]) / 2
    return grey, blurred, np.hypot(dx, dy)


def main():
    rows, columns = 21, 30
    y, x = np.mgrid[:rows, :columns]
    rgb = np.stack([8 * x, 12 * y, (x * y) % 256], -1).astype(np.uint8)
    image = grey(cp.asarray(rgb), cp.empty((rows, columns), dtype=cp.float32))
    smooth = blurred(image)
    found = edges(smooth)
    for mine, theirs in zip((image, smooth, found), on_the_host(rgb), strict=True):
        np.testing.assert_allclose(cp.asnumpy(mine), theirs, rtol=2e-5, atol=2e-4)
    small = to_byte(smooth)
    even, counts = equalised(small)
    bytes_there = cp.asnumpy(small)
    expected = np.bincount(bytes_there.ravel(), minlength=256)
    assert (counts.get() == expected).all()
    levels = np.cumsum(expected.astype(float))
    assert (even.get() == np.rint(255 * levels / levels[-1]).astype(np.uint8)[bytes_there]).all()
    print("done")


main()
