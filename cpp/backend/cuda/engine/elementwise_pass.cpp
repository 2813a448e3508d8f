// Element-wise plans: a thread has some neighbouring items of a row, moved by 128 bits where the layouts allow it.
#include <algorithm>
#include <optional>

#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/engine/run_plan.hpp"
#include "backend/cuda/launch/flag_words.hpp"

namespace bascule::cuda {
namespace {

// Every store, and every checked value even if nothing stores it.
std::vector<int> roots_of(plan const& p) {
    std::vector<int> roots;
    for (int s = 0; s < p.nstores; ++s) roots.push_back(p.stores[s].value);
    for (int v = 0; v < p.nvalues && p.fp_flags; ++v)
        if (is_checked(p, p.values[v])) roots.push_back(v);
    return roots;
}

// Sums of the ops' costs, in additions, from which on their code is written once in a loop: the ops take longer than
// the loop's overhead, and several copies of them take long to compile.
constexpr float unrolled_cost = 9;

struct group_form {
    int items = 1;  // that a thread has of a row, a power of two
    bool unrolled = true;
};

// Values of a row's items [first, first + items), which a loop variable k counts.
class group_printer final : public value_printer {
public:
    group_printer(plan const& p, iteration_space const& space, kernel_text& text)
        : value_printer(p, space, text), roots_(roots_of(p)), live_(live(roots_)), form_(choose_form()) {}

    group_form form() const { return form_; }
    std::int64_t groups_of_row() const { return (space_.shape.back() + form_.items - 1) / form_.items; }
    std::int64_t groups() const {
        return space_.size() / std::max<std::int64_t>(space_.shape.back(), 1) * groups_of_row();
    }
    void print_before();  // the parts that do not depend on the group
    void print_group();   // from a group's number `group` to its stores

private:
    template <class F> void each_memory(F&& f) const;
    group_form choose_form() const;
    std::string load(int operand) override;
    std::string iota(laid_operand const&) override;
    std::string items_of(std::string const& type) const { return type + ", " + std::to_string(form_.items) + ">"; }
    std::string place(laid_operand const&);
    void print_loads();
    void print_stores();

    std::vector<int> roots_;
    std::vector<bool> live_;
    group_form form_;
    std::vector<std::string> packs_;  // by operand
    std::string iota_rows_;
};

// f(operand) for everything that is loaded or stored.
template <class F> void group_printer::each_memory(F&& f) const {
    for (int v = 0; v < plan_.nvalues; ++v)
        if (live_[static_cast<std::size_t>(v)] && plan_.values[v].kind == value_kind::load)
            f(space_.operands[plan_.values[v].operand]);
    for (laid_operand const& o : space_.stores) f(o);
}

// So many items that the smallest elements fill 128 bits, of larger ones as many words as registers are there for.
group_form group_printer::choose_form() const {
    int least = 16, largest = 1, all = 0, contiguous = 0;
    each_memory([&](laid_operand const& o) {
        int const bytes = itemsize(o.dtype);
        all += bytes;
        if (o.shape_class != layout::contiguous) return;
        ++contiguous;
        least = std::min(least, bytes), largest = std::max(largest, bytes);
    });
    float cost = 0;
    for (int v = 0; v < plan_.nvalues; ++v)
        if (live_[static_cast<std::size_t>(v)] && plan_.values[v].kind == value_kind::op)
            if (catalog_entry const* op = find_op(plan_.values[v].op)) cost += op->meta->cost;
    group_form form{.items = 1, .unrolled = cost < unrolled_cost};
    if (contiguous == 0) return form;
    constexpr int word = 16, most_bytes_of_operand = 64, most_bytes = 256;
    int const one_word = std::max(word / largest, 1);
    form.items = std::min(std::max(word / least, 4), most_bytes_of_operand / largest);
    while (form.items > one_word && (form.items * all > most_bytes || !form.unrolled)) form.items /= 2;
    if (space_.rank() > 1 && space_.shape.back() < form.items) form.items = 1;  // a short row would leave most idle
    return form;
}

void group_printer::print_before() {
    packs_.assign(space_.operands.size(), "");
    int printed = 0;
    for (int v = 0; v < plan_.nvalues; ++v) {
        if (!live_[static_cast<std::size_t>(v)] || plan_.values[v].kind != value_kind::load) continue;
        std::size_t const k = plan_.values[v].operand;
        if (!packs_[k].empty()) continue;
        packs_[k] = "a" + std::to_string(printed++);
        if (laid_operand const& o = space_.operands[k]; o.shape_class == layout::scalar)
            text_.line("    auto const " + packs_[k] + " = load_one<" + memory_text(o.dtype) + ">(" +
                       text_.word(o.base) + ");");
    }
}

void group_printer::print_group() {
    int const last = space_.rank() - 1;
    std::string const items = std::to_string(form_.items), s = signed_;
    std::string column = "group";
    if (last > 0) {
        print_division("row", "column", "group", groups_of_row());
        std::vector<int> rows(static_cast<std::size_t>(last));
        for (int d = 0; d < last; ++d) rows[static_cast<std::size_t>(d)] = d;
        print_coordinates(rows, "row");
        column = "column";
    }
    text_.line("        " + s + " const i" + std::to_string(last) + " = " + column + " * " + items + ";");
    text_.line("        " + s + " const left = " + signed_word(space_.shape.back()) + " - i" + std::to_string(last) +
               ";");
    text_.line("        int const count = left < " + items + " ? (int)left : " + items + ";");
    print_loads();
    for (std::size_t k = 0; k < space_.stores.size(); ++k)
        text_.line("        pack<" + items_of(element_text(space_.stores[k].dtype)) + " s" + std::to_string(k) + ";");
    text_.line(form_.unrolled ? "#pragma unroll" : "#pragma unroll 1");
    text_.line("        for (int k = 0; k < " + (form_.unrolled ? items : "count") + "; ++k) {");
    print_values(roots_);
    for (int k = 0; k < plan_.nstores; ++k)
        text_.line("        s" + std::to_string(k) + ".set(k, " + name(plan_.stores[k].value) + ");");
    text_.line("        }");
    print_stores();
}

// Address of the group's first item.
std::string group_printer::place(laid_operand const& o) {
    std::string offset;
    int const last = space_.rank() - 1;
    for (int d = 0; d < last; ++d) offset += coordinate_times_stride(d, o) + " + ";
    switch (o.shape_class) {
        case layout::contiguous:
            offset += "i" + std::to_string(last) + " * (" + signed_ + ")" + std::to_string(itemsize(o.dtype));
            break;
        case layout::strided: offset += coordinate_times_stride(last, o); break;
        default: offset += "0";
    }
    return text_.word(o.base) + " + (std::uint64_t)(std::int64_t)(" + offset + ")";
}

void group_printer::print_loads() {
    std::vector<std::string> done;
    for (std::size_t k = 0; k < space_.operands.size(); ++k) {
        laid_operand const& o = space_.operands[k];
        if (packs_[k].empty() || o.shape_class == layout::scalar) continue;
        std::string const start = "        auto const " + packs_[k] + " = ";
        switch (o.shape_class) {
            case layout::contiguous:
                text_.line(start + "load_items<" + items_of(memory_text(o.dtype)) + "(" + place(o) + ", count);");
                break;
            case layout::strided:
                text_.line(start + "load_strided<" + items_of(memory_text(o.dtype)) + "(" + place(o) + ", " +
                           signed_word(o.strides.back()) + ", count);");
                break;
            default: text_.line(start + "load_one<" + memory_text(o.dtype) + ">(" + place(o) + ");");
        }
    }
}

void group_printer::print_stores() {
    for (std::size_t k = 0; k < space_.stores.size(); ++k) {
        laid_operand const& o = space_.stores[k];
        std::string const items = ", s" + std::to_string(k) + ");";
        if (o.shape_class == layout::contiguous)
            text_.line("        store_items<" + items_of(element_text(o.dtype)) + "(" + place(o) + ", count" + items);
        else
            text_.line("        store_strided<" + items_of(element_text(o.dtype)) + "(" + place(o) + ", " +
                       signed_word(o.strides.back()) + ", count" + items);
    }
}

std::string group_printer::load(int operand) {
    auto const k = static_cast<std::size_t>(operand);
    layout const c = space_.operands[k].shape_class;
    return c == layout::contiguous || c == layout::strided ? packs_[k] + ".get(k)" : packs_[k];
}

std::string group_printer::iota(laid_operand const& o) {
    std::string sum = "(std::int64_t)" + text_.word(o.base);
    int const last = space_.rank() - 1;
    for (int d = 0; d <= last; ++d)
        sum += " + (std::int64_t)" + std::string(d == last ? "(i" : "i") + std::to_string(d) +
               (d == last ? " + (k < count ? k : count - 1))" : "") + " * (std::int64_t)" +
               text_.word(static_cast<std::uint64_t>(o.strides[static_cast<std::size_t>(d)]));
    return sum;
}

class stores_pass final : public plan_pass {
public:
    stores_pass(device& d, plan const& source, stream_handle stream) : device_(d), stream_(stream) {
        plan p = source;
        p.reduced = nullptr;
        p.nreductions = 0;
        if (!checked(p)) p.fp_flags = nullptr;
        iteration_space const space(p);
        if (p.fp_flags && space.size() > 0) flags_.emplace(d, source, stream);
        print(p, space);
    }
    bool has_items() const { return groups_ > 0; }
    void launch(std::string const& unit) override {
        device_.launch(device_.kernel(unit, "elementwise"), device_.grid_for(groups_), text.parameters(), stream_);
        if (flags_) flags_->collect();
    }

private:
    void print(plan const& p, iteration_space const& space) {
        text.needs("backend/cuda/kernels/elementwise.cuh");
        group_printer values(p, space, text);
        groups_ = values.groups();
        std::string const position = space.small() ? "std::uint32_t" : "std::uint64_t";
        std::string const n = text.word(static_cast<std::uint64_t>(groups_));
        if (flags_) text.line(flag_words::declaration(p));
        values.print_before();
        text.line("    for (" + position + " group = first_item<" + position + ">(); group < (" + position + ")" + n +
                  "; group += item_step<" + position + ">()) {");
        values.print_group();
        text.line("    }");
        if (flags_) flags_->print_report(text, values.checked());
        text.kernel("elementwise", text.take_lines());
    }

    device& device_;
    stream_handle stream_;
    std::int64_t groups_ = 0;
    std::optional<flag_words> flags_;
};

}  // namespace

std::unique_ptr<plan_pass> elementwise_pass(device& d, plan const& p, stream_handle stream) {
    if (p.nstores == 0 && !checked(p)) return nullptr;
    auto pass = std::make_unique<stores_pass>(d, p, stream);
    if (!pass->has_items()) return nullptr;
    return pass;
}

}  // namespace bascule::cuda
