#include "backend/cuda/codegen/op_catalog.hpp"

#include <vector>

#include "backend/cuda/codegen/type_name.hpp"
#include "backend/cuda/compiler/embedded_headers.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::cuda {
namespace {

std::vector<catalog_entry> make_catalog() {
    std::vector<catalog_entry> all;
    ops::for_each_op([&]<class Op>(Op) {
        std::string const type = type_name<Op>();
        bool const by_rule = Op::meta.call == ops::form::sample;
        all.push_back({type, by_rule ? "bascule/ops/distribution_rules.hpp" : header_of(type), &Op::meta});
    });
    return all;
}

constexpr char const* type_names[] = {"bool_",     "int8",       "uint8",      "int16",      "uint16",  "int32",
                                      "uint32",    "int64",      "uint64",     "float16",    "float32", "float64",
                                      "complex64", "complex128", "datetime64", "timedelta64"};

}  // namespace

catalog_entry const* find_op(int number) {
    static std::vector<catalog_entry> const catalog = make_catalog();
    bool const known = number >= 0 && static_cast<std::size_t>(number) < catalog.size();
    return known ? &catalog[static_cast<std::size_t>(number)] : nullptr;
}

type_id op_result(int number, type_id loop) { return ops::result_type(number, loop); }

std::string op_text(int number) {
    catalog_entry const* op = find_op(number);
    return op ? op->meta->name : "op " + std::to_string(number);
}
std::string dtype_text(type_id t) {
    auto const k = static_cast<std::size_t>(t);
    return k < std::size(type_names) ? type_names[k] : "dtype " + std::to_string(k);
}

std::string element_text(type_id t) { return std::string("element<type_id::") + type_names[static_cast<int>(t)] + ">"; }
std::string memory_text(type_id t) { return t == type_id::bool_ ? "std::uint8_t" : element_text(t); }

std::string call_text(catalog_entry const& op, type_id result, std::string const* args, int nargs) {
    bool const reported_result = op.meta->call == ops::form::cast || op.meta->call == ops::form::counter;
    std::string text = op.meta->call == ops::form::sample
                           ? "ops::sampled<" + op.type + ">("
                           : op.type + "{}" +
                                 (reported_result ? ".template operator()<" + element_text(result) + ">(" : "(");
    for (int k = 0; k < nargs; ++k) text += (k ? ", " : "") + args[k];
    return text + ")";
}

}  // namespace bascule::cuda
