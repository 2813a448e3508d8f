// A plan that owns what it names: shape, strides, input bytes, output bytes. It runs on any device that core/backend.hpp
// describes, with buffers of that device, and hands back the bytes of its outputs.
#pragma once
#include <cstring>
#include <deque>
#include <initializer_list>
#include <string>
#include <vector>

#include "bascule/core/backend.hpp"

namespace bascule::testing {

using bytes = std::vector<unsigned char>;
using extents = std::vector<std::int64_t>;

// Where the elements of an operand lie inside its buffer; strides and positions in bytes.
struct layout {
    extents strides;
    std::int64_t first = 0;  // position of the element at index 0
    std::int64_t size = 0;   // of the whole buffer
};

inline layout contiguous(extents const& shape, std::int64_t itemsize) {
    layout l{extents(shape.size()), 0, itemsize};
    for (auto d = shape.size(); d-- > 0; l.size *= shape[d]) l.strides[d] = l.size;
    return l;
}

template <class T> bytes bytes_of(std::vector<T> const& data) {
    bytes b(data.size() * sizeof(T));
    if (!b.empty()) std::memcpy(b.data(), data.data(), b.size());
    return b;
}

struct outcome {
    status code = status::ok;
    std::string error;
    std::vector<bytes> outputs;  // whole buffers, those of stores before those of reductions
    std::uint32_t flags = 0;

    // The elements of an output buffer, one after the other.
    template <class T> std::vector<T> as(std::size_t output = 0) const {
        std::vector<T> data(outputs[output].size() / sizeof(T));
        if (!data.empty()) std::memcpy(data.data(), outputs[output].data(), data.size() * sizeof(T));
        return data;
    }
};

class program {
public:
    explicit program(extents shape, std::vector<std::uint8_t> reduced = {})
        : shape(std::move(shape)), reduced(std::move(reduced)) {}

    int input(type_id t, layout l, bytes data) {
        buffers_.push_back(std::move(data));
        operands_.push_back({static_cast<int>(buffers_.size()) - 1, t, std::move(l)});
        return add({.kind = value_kind::load, .dtype = t, .operand = index(operands_)});
    }

    // Elements in C order of the whole shape.
    template <class T> int input(std::vector<T> const& data) {
        return input(id_of<T>::value, contiguous(shape, sizeof(T)), bytes_of(data));
    }

    int constant(type_id t, plan_constant const& c) {
        constants_.push_back(c);
        return add({.kind = value_kind::constant, .dtype = t, .operand = index(constants_)});
    }

    template <class T> int constant(T const& value) {
        plan_constant c{};
        std::memcpy(c.bytes, &value, sizeof value);
        return constant(id_of<T>::value, c);
    }

    int iota(std::int64_t start, extents strides) {
        iotas_.push_back({start, std::move(strides)});
        return add({.kind = value_kind::iota, .dtype = type_id::int64, .operand = index(iotas_)});
    }

    int op(int number, type_id result, std::initializer_list<int> args, std::uint8_t check = 0) {
        return op(number, result, std::vector<int>(args), check);
    }

    int op(int number, type_id result, std::vector<int> const& args, std::uint8_t check = 0) {
        plan_value v{.kind = value_kind::op, .dtype = result, .nargs = static_cast<std::uint8_t>(args.size()), .check = check, .op = static_cast<std::uint16_t>(number)};
        for (std::size_t k = 0; k < args.size(); ++k) v.args[k] = static_cast<std::uint16_t>(args[k]);
        return add(v);
    }

    void store(int value) { store(value, contiguous(shape, itemsize(values[value].dtype))); }

    void store(int value, layout l) {
        buffers_.push_back(bytes(static_cast<std::size_t>(l.size), untouched));
        stores_.push_back({value, {static_cast<int>(buffers_.size()) - 1, values[value].dtype, std::move(l)}});
    }

    // Writes over the memory that operand number `operand` reads, element for element.
    void store_in_place(int value, int operand) {
        stores_.push_back({value, operands_[static_cast<std::size_t>(operand)]});
    }

    // The output has stride 0 in the reduced dimensions, C order in the others.
    void reduce(int aggregate, int value, type_id result, double ddof = 0) {
        extents kept = shape;
        for (std::size_t d = 0; d < kept.size(); ++d)
            if (reduced[d] != 0) kept[d] = 1;
        auto l = contiguous(kept, itemsize(result));
        for (std::size_t d = 0; d < kept.size(); ++d)
            if (reduced[d] != 0) l.strides[d] = 0;
        buffers_.push_back(bytes(static_cast<std::size_t>(l.size), untouched));
        reductions_.push_back({aggregate, value, ddof, {static_cast<int>(buffers_.size()) - 1, result, std::move(l)}});
    }

    outcome run_on(backend const& device) const;

    // What a message about a failure shows.
    struct output {
        bool reduces;
        int aggregate, value;
        layout where;
        type_id dtype;
    };
    std::vector<output> outputs() const {
        std::vector<output> all;
        for (auto const& s : stores_) all.push_back({false, 0, s.value, s.to.where, s.to.dtype});
        for (auto const& r : reductions_) all.push_back({true, r.aggregate, r.value, r.to.where, r.to.dtype});
        return all;
    }
    layout const& operand_layout(int i) const { return operands_[static_cast<std::size_t>(i)].where; }
    unsigned char const* constant_bytes(int i) const { return constants_[static_cast<std::size_t>(i)].bytes; }

    extents shape;
    std::vector<std::uint8_t> reduced;  // empty: nothing is reduced
    int run_dims = 1;
    std::vector<plan_value> values;

private:
    static constexpr unsigned char untouched = 0xa5;

    struct operand {
        int buffer;
        type_id dtype;
        layout where;
    };
    struct iota_leaf {
        std::int64_t start;
        extents strides;
    };
    struct stored {
        int value;
        operand to;
    };
    struct reduction {
        int aggregate, value;
        double ddof;
        operand to;
    };

    template <class V> static std::uint16_t index(V const& v) { return static_cast<std::uint16_t>(v.size() - 1); }
    int add(plan_value const& v) {
        values.push_back(v);
        return static_cast<int>(values.size()) - 1;
    }

    std::vector<bytes> buffers_;
    std::vector<operand> operands_;
    std::vector<plan_constant> constants_;
    std::vector<iota_leaf> iotas_;
    std::vector<stored> stores_;
    std::vector<reduction> reductions_;
};

// Device memory that holds copies of host buffers.
class device_buffers {
public:
    explicit device_buffers(backend const& device) : device_(device) {}
    device_buffers(device_buffers const&) = delete;
    ~device_buffers() {
        for (auto const& [p, size] : held_) device_.release(0, p, size);
    }
    status add(bytes const& data) {
        void* p = nullptr;
        auto const size = static_cast<std::int64_t>(data.size());
        if (auto const s = device_.allocate(0, size, &p); s != status::ok) return s;
        held_.emplace_back(p, size);
        return device_.copy(0, p, data.data(), size, copy_kind::host_to_device, nullptr);
    }
    status read(int buffer, bytes& to) const {
        auto const& [p, size] = held_[static_cast<std::size_t>(buffer)];
        to.resize(static_cast<std::size_t>(size));
        return device_.copy(0, to.data(), p, size, copy_kind::device_to_host, nullptr);
    }
    unsigned char* at(int buffer) const { return static_cast<unsigned char*>(held_[static_cast<std::size_t>(buffer)].first); }

private:
    backend const& device_;
    std::vector<std::pair<void*, std::int64_t>> held_;
};

inline outcome program::run_on(backend const& device) const {
    outcome result;
    auto const failed = [&](status s) {
        if (s != status::ok && result.code == status::ok) {
            result.code = s;
            result.error = device.last_error();
        }
        return s != status::ok;
    };
    device_buffers memory(device);
    for (auto const& b : buffers_)
        if (failed(memory.add(b))) return result;

    auto const over = [&](operand const& o) { return plan_operand{memory.at(o.buffer) + o.where.first, o.where.strides.data(), o.dtype}; };
    std::vector<plan_operand> operands;
    for (auto const& o : operands_) operands.push_back(over(o));
    std::vector<plan_iota> iotas;
    for (auto const& i : iotas_) iotas.push_back({i.start, i.strides.data()});
    std::vector<plan_store> stores;
    for (auto const& s : stores_) stores.push_back({static_cast<std::uint16_t>(s.value), over(s.to)});
    std::vector<plan_reduction> reductions;
    for (auto const& r : reductions_) reductions.push_back({static_cast<std::uint16_t>(r.aggregate), static_cast<std::uint16_t>(r.value), over(r.to), r.ddof});

    auto const count = [](auto const& v) { return static_cast<std::uint16_t>(v.size()); };
    plan p;
    p.ndim = static_cast<std::int32_t>(shape.size());
    p.shape = shape.data();
    p.reduced = reduced.empty() ? nullptr : reduced.data();
    p.run_dims = run_dims;
    p.operands = operands.data();
    p.constants = constants_.data();
    p.iotas = iotas.data();
    p.values = values.data();
    p.stores = stores.data();
    p.reductions = reductions.data();
    p.noperands = count(operands), p.nconstants = count(constants_), p.niotas = count(iotas);
    p.nvalues = count(values), p.nstores = count(stores), p.nreductions = count(reductions);
    p.fp_flags = &result.flags;
    if (failed(device.run(0, &p, nullptr)) || failed(device.synchronize(0, nullptr))) return result;
    for (auto const& s : stores_)
        if (failed(memory.read(s.to.buffer, result.outputs.emplace_back()))) return result;
    for (auto const& r : reductions_)
        if (failed(memory.read(r.to.buffer, result.outputs.emplace_back()))) return result;
    return result;
}

}  // namespace bascule::testing
