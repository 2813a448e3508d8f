// A plan that owns its data: shape, strides, input bytes, output bytes. It runs on any device that core/backend.hpp
// describes, with buffers of that device, and hands back the bytes of its outputs.
#pragma once
#include <string>

#include "support/plan_builder.hpp"

namespace bascule::testing {

using bytes = std::vector<unsigned char>;

// The layout of an operand inside its buffer; strides and positions in bytes.
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
    std::vector<bytes> outputs;             // whole buffers, those of stores before those of reductions
    std::uint32_t flags = 0;                // of all values
    std::vector<std::uint32_t> conditions;  // of each
    std::vector<std::uint32_t> of_reductions;

    // The elements of an output buffer, one after the other.
    template <class T> std::vector<T> as(std::size_t output = 0) const {
        std::vector<T> data(outputs[output].size() / sizeof(T));
        if (!data.empty()) std::memcpy(data.data(), outputs[output].data(), data.size() * sizeof(T));
        return data;
    }
};

class program : public plan_builder {
public:
    explicit program(extents shape, std::vector<std::uint8_t> reduced = {})
        : plan_builder(std::move(shape), std::move(reduced)) {}

    int input(type_id t, layout l, bytes data) {
        int const value = load(nullptr, t, l.strides);
        inputs_.push_back({hold(std::move(data)), t, std::move(l)});
        return value;
    }

    // Elements in C order of the whole shape.
    template <class T> int input(std::vector<T> const& data) {
        return input(id_of<T>::value, contiguous(shape, sizeof(T)), bytes_of(data));
    }

    void store(int value) { store(value, contiguous(shape, itemsize(type_of(value)))); }

    void store(int value, layout l) {
        plan_builder::store(value, nullptr, l.strides);
        stored_.push_back(
            {value, {hold(bytes(static_cast<std::size_t>(l.size), untouched)), type_of(value), std::move(l)}});
    }

    // Writes over the memory that operand number `operand` reads, element for element.
    void store_in_place(int value, int operand) {
        auto const& where = inputs_[static_cast<std::size_t>(operand)];
        plan_builder::store(value, nullptr, where.where.strides);
        stored_.push_back({value, where});
    }

    // The output has stride 0 in the reduced dimensions, C order in the others.
    void reduce(int aggregate, int value, type_id result, double ddof = 0) {
        extents kept = shape;
        for (std::size_t d = 0; d < kept.size(); ++d)
            if (reduced[d] != 0) kept[d] = 1;
        auto l = contiguous(kept, itemsize(result));
        for (std::size_t d = 0; d < kept.size(); ++d)
            if (reduced[d] != 0) l.strides[d] = 0;
        plan_builder::reduce(aggregate, value, nullptr, result, l.strides, ddof);
        reductions_.push_back(
            {aggregate, value, {hold(bytes(static_cast<std::size_t>(l.size), untouched)), result, std::move(l)}});
    }

    outcome run_on(backend const& device, void* stream = nullptr) const;

    // The part of an output that messages of failures show.
    struct output {
        bool reduces;
        int aggregate, value;
        layout where;
        type_id dtype;
    };
    std::vector<output> outputs() const {
        std::vector<output> all;
        for (auto const& s : stored_) all.push_back({false, 0, s.value, s.to.where, s.to.dtype});
        for (auto const& r : reductions_) all.push_back({true, r.aggregate, r.value, r.to.where, r.to.dtype});
        return all;
    }
    layout const& operand_layout(int i) const { return inputs_[static_cast<std::size_t>(i)].where; }

private:
    static constexpr unsigned char untouched = 0xa5;

    struct place {
        int buffer;
        type_id dtype;
        layout where;
    };
    struct stored {
        int value;
        place to;
    };
    struct reduction {
        int aggregate, value;
        place to;
    };

    int hold(bytes data) {
        buffers_.push_back(std::move(data));
        return static_cast<int>(buffers_.size()) - 1;
    }

    std::vector<bytes> buffers_;
    std::vector<place> inputs_;
    std::vector<stored> stored_;
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
    unsigned char* at(int buffer) const {
        return static_cast<unsigned char*>(held_[static_cast<std::size_t>(buffer)].first);
    }

private:
    backend const& device_;
    std::vector<std::pair<void*, std::int64_t>> held_;
};

inline outcome program::run_on(backend const& device, void* stream) const {
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

    std::vector<std::uint32_t> flags(values.size() + reductions_.size());
    plan p = get(flags.data());
    auto const move = [&](plan_operand& o, place const& to) { o.base = memory.at(to.buffer) + to.where.first; };
    std::vector<plan_operand> operands(p.operands, p.operands + p.noperands);
    std::vector<plan_store> stores(p.stores, p.stores + p.nstores);
    std::vector<plan_reduction> reductions(p.reductions, p.reductions + p.nreductions);
    for (std::size_t k = 0; k < operands.size(); ++k) move(operands[k], inputs_[k]);
    for (std::size_t k = 0; k < stores.size(); ++k) move(stores[k].out, stored_[k].to);
    for (std::size_t k = 0; k < reductions.size(); ++k) move(reductions[k].out, reductions_[k].to);
    p.operands = operands.data(), p.stores = stores.data(), p.reductions = reductions.data();
    if (failed(device.run(0, &p, stream)) || failed(device.synchronize(0, nullptr))) return result;
    result.conditions.assign(flags.begin(), flags.begin() + p.nvalues);
    result.of_reductions.assign(flags.begin() + p.nvalues, flags.end());
    for (std::uint32_t const f : result.conditions) result.flags |= f;
    for (auto const& s : stored_)
        if (failed(memory.read(s.to.buffer, result.outputs.emplace_back()))) return result;
    for (auto const& r : reductions_)
        if (failed(memory.read(r.to.buffer, result.outputs.emplace_back()))) return result;
    return result;
}

}  // namespace bascule::testing
