#include "backend/cuda/codegen/plan_text.hpp"

#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/driver/failure.hpp"

namespace bascule::cuda {
namespace {

std::string number(std::uint64_t n) { return std::to_string(n); }

}  // namespace

std::string kernel_text::word(std::uint64_t value) {
    words_.push_back(value);
    return "p[" + number(words_.size() - 1) + "]";
}

std::string kernel_text::take_lines() { return std::exchange(lines_, {}); }

// Kernels do not declare launch bounds: with them, the compiler spills registers for the sake of occupancy.
std::string kernel_text::definitions() const {
    bool const by_value = words_.size() <= most_parameter_words;
    char const* const signature = by_value ? "(parameters const p) {\n"
                                           : "(parameters const* q) {\n    parameters const& p = *q;\n";
    std::string text = "using parameters = words<" + number(words_.size()) + ">;\n" + lines_;
    for (auto const& [name, body] : kernels_) text += "extern \"C\" __global__ void " + name + signature + body + "}\n";
    return text;
}

std::string kernel_text::unit_of(std::vector<kernel_text const*> const& parts) {
    std::set<std::string> headers;
    for (kernel_text const* part : parts) headers.insert(part->headers_.begin(), part->headers_.end());
    std::string text;
    for (std::string const& header : headers) text += "#include \"" + header + "\"\n";
    text += "namespace bascule::cuda {\n";
    for (std::size_t k = 0; k < parts.size(); ++k)
        text += parts.size() == 1 ? parts[k]->definitions()
                                  : "inline namespace part_" + number(k) + " {\n" + parts[k]->definitions() + "}\n";
    return text + "}  // namespace bascule::cuda\n";
}

bool is_checked(plan const& p, plan_value const& v) {
    return p.fp_flags && v.check && v.kind == value_kind::op && v.dtype != type_id::bool_;
}

std::vector<bool> live_values(plan const& p, std::vector<int> const& roots) {
    std::vector<bool> needed(p.nvalues, false);
    for (int r : roots) needed[static_cast<std::size_t>(r)] = true;
    for (int v = p.nvalues - 1; v >= 0; --v) {
        plan_value const& value = p.values[v];
        if (!needed[static_cast<std::size_t>(v)] || value.kind != value_kind::op) continue;
        for (int k = 0; k < value.nargs; ++k) needed[value.args[k]] = true;
    }
    return needed;
}

value_printer::value_printer(plan const& p, iteration_space const& space, kernel_text& text)
    : plan_(p), space_(space), text_(text), signed_(space.small() ? "std::int32_t" : "std::int64_t"),
      unsigned_(space.small() ? "std::uint32_t" : "std::uint64_t"), names_(p.nvalues) {}

void value_printer::print_values(std::vector<int> const& roots) {
    std::vector<bool> const needed = live(roots);
    int printed = 0;
    for (int v = 0; v < plan_.nvalues; ++v) {
        if (!needed[static_cast<std::size_t>(v)]) continue;
        names_[static_cast<std::size_t>(v)] = "v" + std::to_string(printed++);
        print_value(v);
    }
}

// The number is divided by the extents from the innermost on; the last quotient is the outermost coordinate.
void value_printer::print_coordinates(std::vector<int> const& dims, std::string const& position) {
    std::string left = position;
    for (std::size_t k = dims.size(); k-- > 1;) {
        std::string const next = "rest_" + std::to_string(dims[k]);
        print_division(next, "i" + std::to_string(dims[k]), left, space_.shape[static_cast<std::size_t>(dims[k])]);
        left = next;
    }
    if (!dims.empty())
        text_.line("        " + std::string(signed_) + " const i" + std::to_string(dims[0]) + " = " + left + ";");
}

void value_printer::print_division(std::string const& quotient, std::string const& rest, std::string const& number,
                                   std::int64_t extent) {
    std::string const d = "(" + std::string(unsigned_) + ")" + text_.word(static_cast<std::uint64_t>(extent));
    std::string const divided = space_.small() ? "quotient(" + number + ", " + text_.word(divisor_word(extent)) + ")"
                                               : number + " / " + d;
    text_.line("        " + std::string(unsigned_) + " const " + quotient + " = " + divided + ";");
    text_.line("        " + std::string(signed_) + " const " + rest + " = " + number + " - " + quotient + " * " + d +
               ";");
}

void value_printer::print_value(int v) {
    plan_value const& value = plan_.values[v];
    text_.line("        " + element_text(value.dtype) + " const " + name(v) + " = " + expression(value) + ";");
    if (!is_checked(plan_, value)) return;
    std::string args;
    for (int k = 0; k < value.nargs; ++k) args += ", " + name(value.args[k]);
    text_.needs("backend/cuda/kernels/fp_errors.cuh");
    std::string const call = "_of<" + find_op(value.op)->type + ">(" + name(v) + args + ")",
                      underflow = value.check & ops::fp::under ? " | underflow" + call : "";
    text_.line("        flags[" + std::to_string(checked_.size()) + "] |= fp_errors" + call + underflow + ";");
    checked_.push_back(v);
}

std::string value_printer::expression(plan_value const& v) {
    switch (v.kind) {
        case value_kind::load: return load(v.operand) + (v.dtype == type_id::bool_ ? " != 0" : "");
        case value_kind::constant: return constant(v);
        case value_kind::iota: return iota(space_.iotas[v.operand]);
        default: return operation(v);
    }
}

std::string value_printer::constant(plan_value const& v) {
    std::uint64_t halves[2];
    __builtin_memcpy(halves, plan_.constants[v.operand].bytes, sizeof halves);
    std::string const low = text_.word(halves[0]);
    return "from_words<" + element_text(v.dtype) + ">(" + low + ", " +
           (itemsize(v.dtype) > 8 ? text_.word(halves[1]) : "0") + ")";
}

std::string value_printer::operation(plan_value const& v) {
    catalog_entry const* op = find_op(v.op);
    if (!op) throw failure{status::not_supported, "[cuda] run: the table has no " + op_text(v.op)};
    text_.needs(op->header);
    std::string args[4];
    for (int k = 0; k < v.nargs; ++k) args[k] = name(v.args[k]);
    return call_text(*op, v.dtype, args, v.nargs);
}

void item_printer::print(std::vector<int> const& roots, item_position const& position) {
    print_group(axis_role::kept, position.kept);
    print_group(axis_role::outer, position.outer);
    print_group(axis_role::run, position.run);
    print_values(roots);
}

void item_printer::print_group(axis_role group, std::string const& position) {
    std::vector<int> dims;
    for (int d = 0; d < space_.rank(); ++d)
        if (space_.roles[static_cast<std::size_t>(d)] == group) dims.push_back(d);
    if (dims.empty()) return;
    std::string const start = "number_" + std::to_string(dims[0]);
    text_.line("        " + std::string(unsigned_) + " const " + start + " = " + position + ";");
    print_coordinates(dims, start);
}

std::string item_printer::result_address(laid_operand const& o) {
    print_group(axis_role::kept, "kept");
    std::string sum = text_.word(o.base);
    for (int d = 0; d < space_.rank(); ++d)
        if (space_.roles[static_cast<std::size_t>(d)] == axis_role::kept)
            sum += " + (std::int64_t)i" + std::to_string(d) + " * (std::int64_t)" +
                   text_.word(static_cast<std::uint64_t>(o.strides[static_cast<std::size_t>(d)]));
    return sum;
}

std::string item_printer::load(int operand) {
    laid_operand const& o = space_.operands[static_cast<std::size_t>(operand)];
    std::string offset;
    for (int d = 0; d < space_.rank() && o.shape_class != layout::scalar; ++d)
        offset += (d ? " + " : "") + coordinate_times_stride(d, o);
    return "*at<" + memory_text(o.dtype) + ">(" + text_.word(o.base) + ", " + (offset.empty() ? "0" : offset) + ")";
}

std::string item_printer::iota(laid_operand const& o) {
    std::string sum = "(std::int64_t)" + text_.word(o.base);
    for (int d = 0; d < space_.rank(); ++d)
        sum += " + (std::int64_t)i" + std::to_string(d) + " * (std::int64_t)" +
               text_.word(static_cast<std::uint64_t>(o.strides[static_cast<std::size_t>(d)]));
    return sum;
}

}  // namespace bascule::cuda
