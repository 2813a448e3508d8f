// PTX as it is written: what a parser makes of a module's text. Names of registers are resolved, nothing else is.
// Written from NVIDIA's "Parallel Thread Execution ISA"; so is all of this folder.
#pragma once
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bascule::ptx {

// A text that is not understood, or an instruction that the interpreter lacks.
struct syntax_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// ---- types: the last parts of an opcode
enum class type : std::uint8_t {
    none,
    pred,
    b8,
    b16,
    b32,
    b64,
    b128,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    f16,
    f16x2,
    bf16,
    bf16x2,
    f32,
    f64
};
type type_named(std::string_view name);  // none: it names no type
int bytes_of(type t);
bool is_signed(type t);
bool is_float(type t);

enum class space : std::uint8_t { generic, global, shared, local, constant, param };

enum class operand_kind : std::uint8_t {
    nothing,
    reg,
    integer,
    real32,
    real64,
    vector,
    address,
    symbol,
    special,
    list
};
struct operand {
    operand_kind kind = operand_kind::nothing;
    int reg = -1;                  // of the function's registers; of an address its base
    bool negated = false;          // !p
    std::uint64_t bits = 0;        // of a number
    std::int64_t offset = 0;       // of an address or a symbol
    std::string name{};            // of a symbol, a label, a special register, or of an address's base
    std::vector<operand> parts{};  // of {a, b}, (a, b) and a|b
};

struct statement {
    int line = 0;
    int guard = -1;  // the predicate, -1: none
    bool guard_negated = false;
    std::vector<std::string> op{};  // "ld", "global", "v2", "f64"
    std::vector<operand> operands{};
    bool has(std::string_view part) const;
};

struct initial_value {
    std::string symbol{};  // empty: a number
    std::uint64_t bits = 0;
    bool generic = false;
};
struct variable {
    std::string name{};
    ptx::space space = ptx::space::global;
    std::size_t align = 1, element_bytes = 1, count = 1;
    bool is_extern = false;
    std::vector<initial_value> values{};
    std::size_t bytes() const { return element_bytes * count; }
};

struct function {
    std::string name{};
    bool is_entry = false, has_body = false;
    std::vector<variable> params{}, results{};
    std::vector<variable> variables{};  // declared inside
    std::vector<type> registers{};
    std::vector<statement> body{};
    std::map<std::string, std::size_t> labels{};                // by the number of the statement that follows
    std::map<std::string, std::vector<std::string>> targets{};  // of .branchtargets
};

struct module_text {
    std::string target{};
    std::vector<variable> variables{};
    std::map<std::string, function> functions{};
};

module_text parse(std::string_view text);

}  // namespace bascule::ptx
