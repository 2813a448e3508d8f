#include "backend/cuda/run_plan.hpp"

#include <optional>

#include "backend/cuda/failure.hpp"

namespace bascule::cuda {
namespace {

int count_of_checked(plan const& p) {
    int n = 0;
    for (int v = 0; v < p.nvalues; ++v) n += p.values[v].check != 0;
    return n;
}
bool checked(plan const& p) { return p.fp_flags && count_of_checked(p) > 0; }

// Where kernels or the flags of checked values together: memory of the device that the caller gave, which it reads when
// it waits, or words of this plan's own that come back before `run` returns.
class flag_words {
public:
    flag_words(device& d, plan const& p, stream_handle stream) : device_(d), plan_(p), stream_(stream) {
        if (d.memory_type(p.fp_flags) == memory_type_device) return;
        std::int64_t const bytes = 4 * p.nvalues;
        own_.emplace(d, bytes, stream);
        d.fill(own_->get(), 0, bytes, stream);
    }
    std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(own_ ? own_->get() : plan_.fp_flags); }
    void collect() {
        if (!own_) return;
        std::vector<std::uint32_t> flags(plan_.nvalues);
        device_.copy(flags.data(), own_->get(), static_cast<std::int64_t>(4 * flags.size()), copy_kind::device_to_host,
                     stream_);
        device_.synchronize(stream_);
        for (std::size_t v = 0; v < flags.size(); ++v) plan_.fp_flags[v] |= flags[v];
    }

private:
    device& device_;
    plan const& plan_;
    stream_handle stream_;
    std::optional<scratch> own_;
};

// Every store, and every checked value even if nothing stores it.
std::vector<int> roots_of(plan const& p) {
    std::vector<int> roots;
    for (int s = 0; s < p.nstores; ++s) roots.push_back(p.stores[s].value);
    for (int v = 0; v < p.nvalues && p.fp_flags; ++v)
        if (p.values[v].check) roots.push_back(v);
    return roots;
}

class elementwise_pass final : public plan_pass {
public:
    elementwise_pass(device& d, plan const& source, stream_handle stream) : device_(d), stream_(stream) {
        plan p = source;
        p.reduced = nullptr;
        p.nreductions = 0;
        iteration_space const space(p);
        items_ = space.size();
        if (checked(p)) flags_.emplace(d, source, stream);
        print(p, space);
    }
    void launch(std::string const& unit) override {
        if (items_ == 0) return;
        device_.launch(device_.kernel(unit, "elementwise"), device_.grid_for(items_), text.parameters(), stream_);
        if (flags_) flags_->collect();
    }

private:
    void print(plan const& p, iteration_space const& space) {
        std::string const position = space.small() ? "std::uint32_t" : "std::uint64_t";
        std::string const n = text.word(static_cast<std::uint64_t>(items_));
        std::string const words = std::to_string(count_of_checked(p));
        if (flags_) text.line("    std::uint32_t flags[" + words + "] = {};");
        text.line("    for (" + position + " i = first_item<" + position + ">(); i < (" + position + ")" + n +
                  "; i += item_step<" + position + ">()) {");
        value_printer values(p, space, text);
        values.print(roots_of(p), {.kept = "i"});
        for (int s = 0; s < p.nstores; ++s)
            text.line("        *" + values.address(space.stores[static_cast<std::size_t>(s)]) + " = " +
                      values.name(p.stores[s].value) + ";");
        text.line("    }");
        if (flags_) print_flags(values.checked());
        text.kernel("elementwise", text.take_lines());
    }

    // The words of values are reported as parameters: a kernel does not know the plan's numbers.
    void print_flags(std::vector<int> const& checked) {
        std::string const address = text.word(flags_->address());
        for (std::size_t k = 0; k < checked.size(); ++k) {
            std::string const flags = "flags[" + std::to_string(k) + "]";
            text.line("    if (" + flags + ") atomicOr(at<unsigned>(" + address + ", 4 * " +
                      text.word(static_cast<std::uint64_t>(checked[k])) + "), " + flags + ");");
        }
    }

    device& device_;
    stream_handle stream_;
    std::int64_t items_ = 0;
    std::optional<flag_words> flags_;
};

void validate(plan const& p) {
    expects(p.abi == plan_abi, status::value_error, "run: the plan has another ABI");
    for (int v = 0; v < p.nvalues; ++v) {
        plan_value const& value = p.values[v];
        bool fits = true;
        switch (value.kind) {
            case value_kind::load:
                fits = value.operand < p.noperands && p.operands[value.operand].dtype == value.dtype;
                break;
            case value_kind::constant: fits = value.operand < p.nconstants; break;
            case value_kind::iota: fits = value.operand < p.niotas && value.dtype == type_id::int64; break;
            case value_kind::op:
                for (int k = 0; k < value.nargs; ++k) fits = fits && value.args[k] < v;
        }
        expects(fits, status::value_error, "run: a value refers to what is not there");
    }
    for (int s = 0; s < p.nstores; ++s)
        expects(p.stores[s].value < p.nvalues && p.values[p.stores[s].value].dtype == p.stores[s].out.dtype,
                status::value_error, "run: a store's value has another dtype");
    for (int r = 0; r < p.nreductions; ++r)
        expects(p.reductions[r].value < p.nvalues, status::value_error, "run: a reduction refers to what is not there");
}

}  // namespace

// Reductions first: a store may overwrite, in place, what a reduction of the same plan reads.
void run_plan(device& d, plan const& p, stream_handle stream) {
    validate(p);
    std::vector<std::unique_ptr<plan_pass>> passes;
    for (int r = 0; r < p.nreductions; ++r)
        if (auto pass = reduction_pass(d, p, r, stream)) passes.push_back(std::move(pass));
    if (p.nstores > 0 || checked(p)) passes.push_back(std::make_unique<elementwise_pass>(d, p, stream));
    std::vector<kernel_text const*> parts;
    for (auto const& pass : passes) parts.push_back(&pass->text);
    std::string const unit = kernel_text::unit_of(parts);
    for (auto const& pass : passes) pass->launch(unit);
}

}  // namespace bascule::cuda
