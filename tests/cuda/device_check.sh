#!/bin/sh
# Everything there is to check on a machine with a GPU, in one command: builds, runs the CUDA tests against the real driver
# (and once more on the emulation), measures, and writes all results to $OUT.
#   OUT=results tests/cuda/device_check.sh
# Needs a C++20 compiler, CMake, GoogleTest, an NVIDIA driver and NVRTC (libnvrtc.so.12 or .13 where the loader, CUDA_HOME or
# BASCULE_NVRTC finds it). Exit status 0: all tests passed on the device.
set -u
cd "$(dirname "$0")/../.."
out=${OUT:-device-check}
build=${BUILD:-build/device-check}
mkdir -p "$out"

run() { # name, command...: its output goes to a file, its status to the summary
    name=$1
    shift
    "$@" >"$out/$name.txt" 2>&1
    status=$?
    echo "$name: exit status $status" | tee -a "$out/summary.txt"
    return $status
}

: >"$out/summary.txt"
run machine sh -c 'uname -a; nvidia-smi; c++ --version; cmake --version'
run configure cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DBASCULE_TESTS=ON || exit 1
run build cmake --build "$build" --target cuda_test cuda_benchmark -j "$(nproc)" || exit 1

failed=0
BASCULE_CUDA_TEST=device run tests_on_device "$build/tests/cpp/cuda_test" --gtest_output="xml:$out/tests_on_device.xml" || failed=1
run tests_on_emulation "$build/tests/cpp/cuda_test" --gtest_output="xml:$out/tests_on_emulation.xml" || failed=1
run benchmark "$build/tests/cuda/cuda_benchmark" || failed=1
exit $failed
