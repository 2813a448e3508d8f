"""An aggregation is one struct: one added to a copied tree appears in arrays, groups and windows, and in the docs."""

import math
import re
from pathlib import Path

import pytest
from copied_tree import ROOT, copied_tree, module_of

FAMILY = Path("cpp/include/bascule/ops/aggregates/sums.hpp")
# The sum of the squares: one algebra for arrays and groups, and its inverse for windows.
AGGREGATE = """
struct energy {
    static constexpr aggregate_spec meta{.name = "energy", .types = types::floats, .group_types = groupable_types, .identity = 0, .doc = "Sum of the squares."};
    template <class T> struct of {
        using input = T;
        using state = T;
        using result = T;
        static constexpr int leaf_size = 1024, granule = 8;
        BASCULE_HD static T identity() { return 0; }
        BASCULE_HD static void update(T& s, T x, std::int64_t) { s += x * x; }
        BASCULE_HD static T merge(T earlier, T later) { return earlier + later; }
        BASCULE_HD static T finish(T s, std::int64_t, double) { return s; }
        BASCULE_HD static T leaf(T const* x, std::int64_t n, std::int64_t = 0) { return reduce(x, n); }
        BASCULE_HD static T reduce(T const* x, std::int64_t n, std::int64_t = 0) {
            T s = 0;
            for (std::int64_t i = 0; i < n; ++i) update(s, x[i], i);
            return s;
        }
    };
    template <class T> using in_groups = counted<T, of<real_number<T>>, real_number<T>>;
    struct in_windows {
        double squares = 0;
        std::int64_t values = 0;
        BASCULE_HD void enter(double x) { squares += x * x, ++values; }
        BASCULE_HD void leave(double x) { squares -= x * x, --values; }
        BASCULE_HD double result(std::int64_t least, std::int64_t) const { return values < least ? window::not_a_number() : squares; }
    };
};

"""
MODULE = r"""
#include <pybind11/stl.h>

#include "backend/cpu/kernels/parts.hpp"
#include "backend/cpu/tables/group_kernels.hpp"
#include "backend/cpu/windows/windows.hpp"
#include "backend/cuda/codegen/aggregate_catalog.hpp"
#include "bascule/core/algorithms.hpp"
#include "bascule/core/backend.hpp"
#include "support/op_catalogue.hpp"

namespace py = pybind11;
using namespace bascule;
using numbers = std::vector<double>;
using groups = std::vector<std::uint32_t>;

namespace bascule::python { py::list aggregate_table_rows(); }

namespace {

int const number = ops::find_aggregate("energy");

void expect(bool that) {
    if (!that) throw std::runtime_error("a device refused the aggregation");
}

double of_an_array(numbers const& x) {
    static cpu::kernel_table kernels;
    cpu::isa_baseline::fill_aggregate_sums(kernels);
    double s = 0;
    auto const& k = kernels.reduction[number][static_cast<int>(type_id::float64)];
    expect(k.reduce != nullptr);
    k.reduce(&s, x.data(), static_cast<std::int64_t>(x.size()), 0);
    return s;
}

group_request request_of(numbers const& x, numbers& out) {
    group_request r;
    r.aggregate = static_cast<std::uint16_t>(number);
    r.column = {type_id::float64, x.data(), nullptr, nullptr, static_cast<std::int64_t>(x.size())};
    r.out = out.data();
    return r;
}

numbers of_groups(numbers const& x, groups const& codes, std::int64_t count) {
    using namespace cpu::tables::grouping;
    numbers out(static_cast<std::size_t>(count));
    group_request const r = request_of(x, out);
    kernel const k = kernel_for(r);
    expect(k.add != nullptr);
    std::vector<std::max_align_t> states(static_cast<std::size_t>(count * k.state_size));
    k.clear(states.data(), count);
    k.add(states.data(), {codes.data(), 0, x.data(), nullptr, nullptr, nullptr, 0, r.column.length});
    k.finish(states.data(), count, 0, r);
    return out;
}

numbers of_groups_by_reference(numbers const& x, groups const& codes, std::int64_t count) {
    numbers out(static_cast<std::size_t>(count));
    group_request const r = request_of(x, out);
    aggregate_by_id_args a{codes.data(), r.column.length, count, &r, 1};
    expect(reference_backend()->algorithm(0, algorithm_kind::aggregate_by_id, &a, nullptr) == status::ok);
    return out;
}

window_aggregate_args windows_of(window_request& r, numbers const& x, std::int64_t width, numbers& out) {
    r.aggregate = static_cast<std::uint16_t>(number);
    r.values = x.data(), r.length = r.span.windows = static_cast<std::int64_t>(x.size());
    r.span.low = 1 - width, r.min_periods = width;
    r.out = out.data();
    return {&r, 1};
}

numbers of_windows(numbers const& x, std::int64_t width) {
    numbers out(x.size());
    window_request r;
    expect(cpu::windows::window_aggregate(windows_of(r, x, width, out)) == status::ok);
    return out;
}

numbers of_windows_by_reference(numbers const& x, std::int64_t width) {
    numbers out(x.size());
    window_request r;
    auto a = windows_of(r, x, width, out);
    expect(reference_backend()->algorithm(0, algorithm_kind::window_aggregate, &a, nullptr) == status::ok);
    return out;
}

// Element types with which random plans draw the aggregation.
std::size_t drawn_types() {
    for (auto const& a : testing::catalogue().aggregates)
        if (a.number == number) return a.loops.size();
    return 0;
}

}  // namespace

PYBIND11_MODULE(parts_of_aggregates, m) {
    m.def("aggregate_table", &python::aggregate_table_rows);
    m.def("of_an_array", &of_an_array);
    m.def("of_groups", &of_groups);
    m.def("of_groups_by_reference", &of_groups_by_reference);
    m.def("of_windows", &of_windows);
    m.def("of_windows_by_reference", &of_windows_by_reference);
    m.def("cuda_type", [] { return cuda::find_aggregate(number, type_id::float64).type; });
    m.def("cuda_header", [] { return std::string(cuda::find_aggregate(number, type_id::float64).header); });
    m.def("drawn_types", &drawn_types);
}
"""
SOURCES = [
    "cpp/backend/cpu/common/cpu_tuning.cpp",
    "cpp/backend/cpu/common/last_error.cpp",
    "cpp/backend/cpu/tables/group_kernels.cpp",
    "cpp/backend/cpu/windows/aggregate.cpp",
    "cpp/backend/cuda/codegen/aggregate_catalog.cpp",
    "cpp/backend/cuda/codegen/op_catalog.cpp",
    "cpp/src/array/semantics/promote.cpp",
    "cpp/src/core/pool.cpp",
    "cpp/src/core/recording.cpp",
    "cpp/src/core/system.cpp",
    "cpp/src/sched/cpu_count.cpp",
    "cpp/src/sched/interrupt.cpp",
    "cpp/src/sched/recursive_lock.cpp",
    "cpp/src/sched/thread_pool.cpp",
    "python/bindings/op_table.cpp",
]


def add_aggregate(header: Path) -> None:
    text = header.read_text()
    family = re.search(r"using \w+_aggregates = op_list<[^;]*?>;", text)
    assert family, f"{header.name}: expected a family list, using <family>_aggregates = op_list<...>;"
    listed = family.group(0).replace(">;", ", energy>;")
    header.write_text(text[: family.start()] + AGGREGATE.lstrip() + listed + text[family.end() :])


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A module of the sources with one more aggregation in one file."""
    tree = copied_tree(tmp_path_factory.mktemp("tree"))
    add_aggregate(tree / FAMILY)
    return module_of(tree, MODULE, SOURCES, ["cpp/backend/cpu/kernels/reduce/aggregate_sums.cpp"])


def test_a_new_aggregation_touches_one_file(parts, monkeypatch):
    x = [1.0, 2.0, 3.0, 4.0, 5.0]
    assert parts.of_an_array(x) == 55
    holed = [1.0, math.nan, 3.0, 4.0, 5.0]
    codes = [1, 1, 0, 1, 0]
    assert parts.of_groups(holed, codes, 3) == parts.of_groups_by_reference(holed, codes, 3) == [34, 17, 0]
    windows = parts.of_windows(x, 2)
    assert windows[1:] == parts.of_windows_by_reference(x, 2)[1:] == [5, 13, 25, 41]
    assert math.isnan(windows[0])
    assert (parts.cuda_type(), parts.cuda_header()) == (
        "bascule::ops::aggregate::energy",
        "bascule/ops/aggregates/sums.hpp",
    )
    assert parts.drawn_types() == 2  # float16 computes in float32

    monkeypatch.syspath_prepend(str(ROOT / "docs/_ext"))
    from generated_pages import aggregates_table

    rows = [line for line in aggregates_table(parts.aggregate_table()).splitlines() if "energy" in line]
    assert rows == ["| `energy` | Sum of the squares. | yes | yes | yes |"]
