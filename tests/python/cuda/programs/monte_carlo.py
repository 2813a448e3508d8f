"""Option prices by simulation, in the style of CuPy programs: a generator per thread, and sums of blocks."""

import math

import bascule as cp
import numpy as np

simulate = cp.RawKernel(
    r"""
// A generator of 64 bits a thread (SplitMix64), and normal numbers by pairs (Box and Muller).
__device__ unsigned long long next(unsigned long long* state) {
    unsigned long long z = (*state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}
__device__ double uniform(unsigned long long* state) { return ((next(state) >> 11) + 0.5) * 0x1p-53; }

struct market { double price, strike, rate, volatility, years; };

extern "C" __global__ void simulate(const market m, unsigned long long seed, int paths, double* payoffs, double* of_blocks) {
    extern __shared__ double part[];
    const int t = threadIdx.x;
    const double drift = (m.rate - 0.5 * m.volatility * m.volatility) * m.years, spread = m.volatility * sqrt(m.years);
    double sum = 0.0;
    for (int i = blockIdx.x * blockDim.x + t; i < paths; i += gridDim.x * blockDim.x) {
        unsigned long long state = seed + 0x632be59bd9b4e019ULL * (unsigned long long)(i + 1);
        const double radius = sqrt(-2.0 * log(uniform(&state))), angle = 6.283185307179586 * uniform(&state);
        const double up = m.price * exp(drift + spread * radius * cos(angle));
        const double down = m.price * exp(drift - spread * radius * cos(angle));
        const double payoff = 0.5 * (fmax(up - m.strike, 0.0) + fmax(down - m.strike, 0.0));
        payoffs[i] = payoff;
        sum += payoff;
    }
    part[t] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) of_blocks[blockIdx.x] = part[0];
}
""",
    "simulate",
)
MARKET = np.dtype([(name, np.float64) for name in ("price", "strike", "rate", "volatility", "years")])
squares = cp.ReductionKernel(
    "float64 x, float64 mean", "float64 s", "(x - mean) * (x - mean)", "a + b", "s = a", "0", "squares"
)


def exact(price, strike, rate, volatility, years):
    """The formula of Black and Scholes."""
    spread = volatility * math.sqrt(years)
    d = (math.log(price / strike) + (rate + volatility**2 / 2) * years) / spread
    normal = lambda x: 0.5 * math.erfc(-x / math.sqrt(2))
    return price * normal(d) - strike * math.exp(-rate * years) * normal(d - spread)


def on_the_host(market, seed, paths):
    """The kernel's payoffs in NumPy."""
    wrap = np.uint64
    state = wrap(seed) + wrap(0x632BE59BD9B4E019) * np.arange(1, paths + 1, dtype=np.uint64)
    numbers = []
    for _ in range(2):
        state = state + wrap(0x9E3779B97F4A7C15)
        z = (state ^ (state >> wrap(30))) * wrap(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> wrap(27))) * wrap(0x94D049BB133111EB)
        numbers.append((((z ^ (z >> wrap(31))) >> wrap(11)).astype(float) + 0.5) * 2.0**-53)
    price, strike, rate, volatility, years = market
    drift, spread = (rate - 0.5 * volatility**2) * years, volatility * np.sqrt(years)
    normal = np.sqrt(-2 * np.log(numbers[0])) * np.cos(6.283185307179586 * numbers[1])
    ends = [price * np.exp(drift + sign * spread * normal) for sign in (1, -1)]
    return 0.5 * sum(np.maximum(end - strike, 0) for end in ends)


def main():
    market, seed, paths, blocks, threads = (100.0, 105.0, 0.03, 0.2, 1.5), 20_240_601, 4000, 8, 64
    payoffs, of_blocks = cp.empty(paths), cp.zeros(blocks)
    arguments = (np.array(market, MARKET)[()], np.uint64(seed), paths, payoffs, of_blocks)
    simulate((blocks,), (threads,), arguments, shared_mem=threads * 8)
    np.testing.assert_allclose(payoffs.get(), on_the_host(market, seed, paths), rtol=1e-9)
    discount = math.exp(-market[2] * market[4])
    mean = float(of_blocks.sum()) / paths
    np.testing.assert_allclose(mean, payoffs.get().mean(), rtol=1e-12)
    error = math.sqrt(float(squares(payoffs, mean)) / (paths - 1) / paths) * discount
    assert abs(mean * discount - exact(*market)) < 4 * error < 1.0
    worst = cp.sort(payoffs)[-10:]
    np.testing.assert_allclose(cp.asnumpy(worst), np.sort(payoffs.get())[-10:])
    print("done")


main()
