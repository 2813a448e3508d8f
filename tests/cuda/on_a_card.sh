#!/bin/sh
# What there is to check on a machine with a GPU, in one command of at most 8 minutes, without a network: `make gpu-pack`
# has made the folder .gpu, which goes along.
#   OUT=results sh tests/cuda/on_a_card.sh
# Needs an NVIDIA driver, Python 3.12 with NumPy, and NVRTC where CUDA_HOME, /usr/local/cuda or the loader has it. What else an image
# has serves: pandas and pyarrow for frames, torch and CuPy to exchange arrays with, compute-sanitizer. What is missing is listed as not run.
# Seven files come back. Exit status 0: all parts that ran passed.
set -u
cd "$(dirname "$0")/../.."
out=${OUT:-gpu-results}
pack=$PWD/.gpu
python=${PYTHON:-python3}
scale=${SCALE:-1} one_in=${ONE_IN:-60} # a rehearsal on the fake driver takes less
mkdir -p "$out"
: >"$out/summary.txt"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: "${CUDA_HOME:=/usr/local/cuda}"
export CUDA_HOME BASCULE_CACHE_DIR="$work/kernels" PYTHONDONTWRITEBYTECODE=1

failed=0
begun=$(date +%s)
part() { # name, seconds, file, command...: output goes to the end of the file, the status to the summary
    name=$1 limit=$2 file=$out/$3
    shift 3
    left=$((480 - $(date +%s) + begun))
    [ "$left" -lt "$limit" ] && limit=$left
    if [ "$limit" -lt 5 ]; then
        echo "$name: not run, the 8 minutes are over" | tee -a "$out/summary.txt"
        failed=1
        return
    fi
    echo "== $name" >>"$file"
    from=$(date +%s)
    timeout -k 5 "$limit" "$@" >>"$file" 2>&1
    status=$?
    echo "$name: exit status $status, $(($(date +%s) - from)) s" | tee -a "$out/summary.txt"
    [ $status -eq 0 ] || failed=1
}
has() { "$python" -c "import $1" 2>/dev/null; }
not_run() { echo "$1: not run, $2" | tee -a "$out/summary.txt"; }

part machine 20 machine.txt sh -c 'uname -a; nvidia-smi; "$0" -V; "$0" -m pip list 2>/dev/null' "$python"
part install 90 machine.txt "$python" -m pip install -q --no-index --no-deps --target "$work/site" "$pack"/*.whl
export PYTHONPATH="$work/site${PYTHONPATH:+:$PYTHONPATH}"
part info 60 machine.txt env BASCULE_DEVICE=cuda "$python" -m bascule info
if gzip -dc "$pack/cuda_test.gz" >"$work/cuda_test" && chmod +x "$work/cuda_test"; then
    part 'C++ tests' 100 cpp_tests.txt env BASCULE_CUDA_TEST=device "$work/cuda_test" --gtest_brief=1
    part 'C++ benchmark' 30 benchmarks.txt "$pack/cuda_benchmark" $((16384 / scale * 4096))
else
    not_run 'C++ tests' 'the pack has none'
    failed=1
fi
suites='tests/python/array tests/python/core tests/python/lib tests/python/linalg'
if has scipy; then suites="$suites tests/python/random"; else not_run 'random numbers' 'there is no SciPy'; fi
if has pytest; then
    part "array suite, one in $one_in" 120 array_suite.txt "$python" -m pytest -q -r f -p no:cacheprovider --device cuda --one-in "$one_in" \
        $suites
else
    not_run 'array suite' 'there is no pytest, which the pack brings'
    failed=1
fi
if has pandas; then
    part 'frames' 60 frames.txt "$python" tests/cuda/card_frames.py $((200000 / (scale < 100 ? 1 : 100)))
else
    not_run 'frames' 'there is no pandas'
fi
part exchange 40 exchange.txt "$python" tests/cuda/card_exchange.py $([ "$scale" -eq 1 ] || echo --small)
part benchmarks 120 benchmarks.txt "$python" tests/cuda/card_benchmarks.py "$scale"
if command -v compute-sanitizer >/dev/null || [ -x "$CUDA_HOME/bin/compute-sanitizer" ]; then
    sanitizer=$(command -v compute-sanitizer || echo "$CUDA_HOME/bin/compute-sanitizer")
    for tool in memcheck racecheck; do
        part "compute-sanitizer, $tool" 60 sanitizer.txt env BASCULE_CUDA_POOL=exact "$sanitizer" --tool $tool --error-exitcode 9 \
            "$python" tests/cuda/card_exchange.py --small
    done
else
    not_run compute-sanitizer 'it is not installed'
fi
echo "in all: $(($(date +%s) - begun)) s" | tee -a "$out/summary.txt"
exit $failed
