#include "bascule/array/device_calls.hpp"

#include <algorithm>
#include <vector>

#include "algorithm_traffic.hpp"
#include "bascule/core/algorithms.hpp"
#include "bascule/core/array_algorithms_linear.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::device_calls::recorded {
namespace {

constexpr std::size_t most_names = 6;  // of one call

// Ops in their order, each once, and the reductions behind an arrow.
class plan_names {
public:
    void add(plan const& p) {
        for (int k = 0; k < p.nvalues; ++k)
            if (p.values[k].kind == value_kind::op) add(ops_, ops::table[p.values[k].op].name);
        for (int k = 0; k < p.nreductions; ++k) add(reductions_, ops::aggregate_table[p.reductions[k].aggregate].name);
        fills_ = fills_ || p.noperands == 0;
    }
    [[nodiscard]] std::string text() const {
        std::string const computed = joined(ops_), reduced = joined(reductions_);
        if (computed.empty() && reduced.empty()) return fills_ ? "fill" : "copy";
        return computed + (computed.empty() || reduced.empty() ? "" : " -> ") + reduced;
    }

private:
    static void add(std::vector<char const*>& to, char const* name) {
        if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
    }
    static std::string joined(std::vector<char const*> const& names) {
        std::string text;
        for (std::size_t k = 0; k < std::min(names.size(), most_names); ++k)
            text += (k > 0 ? ", " : "") + std::string(names[k]);
        return text + (names.size() > most_names ? ", ..." : "");
    }
    std::vector<char const*> ops_, reductions_;
    bool fills_ = false;
};

// Bytes that plans read and write in memory. Memory that one plan of a chain writes and a later one reads stays in a
// cache.
class plan_traffic {
public:
    void add(plan const& p) {
        for (int k = 0; k < p.noperands; ++k)
            if (std::find(written_.begin(), written_.end(), p.operands[k].base) == written_.end())
                add(p, p.operands[k]);
        for (int k = 0; k < p.nstores; ++k) written(p, p.stores[k].out);
        for (int k = 0; k < p.nreductions; ++k) written(p, p.reductions[k].out);
        elements_ = std::max(elements_, traffic::elements(p.ndim, p.shape));
    }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }
    [[nodiscard]] std::int64_t elements() const { return elements_; }

private:
    void add(plan const& p, plan_operand const& o) {
        bytes_ += traffic::touched(p.ndim, p.shape, o.strides) * itemsize(o.dtype);
    }
    void written(plan const& p, plan_operand const& o) {
        add(p, o);
        written_.push_back(o.base);
    }
    std::vector<void const*> written_;
    std::int64_t bytes_ = 0, elements_ = 0;
};

// Until the device has done it, so that the time is that of the work.
status waited(device where, status s) {
    return s == status::ok && !where.api->host_memory ? where.api->synchronize(where.index, current_stream(where)) : s;
}

char const* name_of(algorithm_kind kind, void const* args) {
    static constexpr char const* tasks[] = {"solve", "inv",  "det", "cholesky", "qr",
                                            "qr",    "eigh", "eig", "svd",      "lstsq"};
    if (kind != algorithm_kind::matrix_factor) return describe(kind);
    return tasks[static_cast<int>(static_cast<matrix_factor_args const*>(args)->task)];
}

}  // namespace

status run_chain(device where, plan const* const* plans, std::int32_t count, std::int64_t rows) {
    plan_names names;
    plan_traffic moved;
    for (std::int32_t k = 0; k < count; ++k) names.add(*plans[k]), moved.add(*plans[k]);
    recording::call seen(recording::span_kind::plan, where.name());
    seen.what.name = names.text(), seen.what.bytes = moved.bytes(), seen.what.elements = moved.elements();
    return waited(where, count == 1 ? where.api->run(where.index, plans[0], current_stream(where))
                                    : where.api->run_chain(where.index, plans, count, rows, current_stream(where)));
}

status algorithm(device where, algorithm_kind kind, void* args) {
    recording::call seen(recording::span_kind::algorithm, where.name());
    seen.what.name = name_of(kind, args);
    status const s = waited(where, where.api->algorithm(where.index, kind, args, current_stream(where)));
    if (s == status::ok) seen.what.bytes = traffic::of(kind, args, where.api->host_memory);  // sizes are known now
    return s;
}

status copy(device where, void* to, void const* from, std::int64_t bytes, copy_kind kind) {
    static constexpr char const* names[] = {"host to device", "device to host", "device to device"};
    recording::call seen(recording::span_kind::copy, where.name());
    seen.what.name = names[static_cast<int>(kind)];
    if (where.api->host_memory) seen.what.name = "copy";
    seen.what.bytes = 2 * bytes;  // read and written
    return waited(where, where.api->copy(where.index, to, from, bytes, kind, current_stream(where)));
}

status copy_between(device to, void* out, device from, void const* in, std::int64_t bytes) {
    recording::call seen(recording::span_kind::copy, to.name());
    seen.what.name = "from " + from.name();
    seen.what.bytes = 2 * bytes;
    return waited(to, to.api->copy_between(to.index, out, from.index, in, bytes));
}

}  // namespace bascule::device_calls::recorded
