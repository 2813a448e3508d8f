#include "tokens.hpp"

#include <array>
#include <utility>

namespace bascule::ptx {
namespace {

constexpr std::array<std::pair<std::string_view, type>, 20> type_names = {{
    {"pred", type::pred},   {"b8", type::b8},     {"b16", type::b16},       {"b32", type::b32}, {"b64", type::b64},
    {"b128", type::b128},   {"u8", type::u8},     {"u16", type::u16},       {"u32", type::u32}, {"u64", type::u64},
    {"s8", type::s8},       {"s16", type::s16},   {"s32", type::s32},       {"s64", type::s64}, {"f16", type::f16},
    {"f16x2", type::f16x2}, {"bf16", type::bf16}, {"bf16x2", type::bf16x2}, {"f32", type::f32}, {"f64", type::f64},
}};

space space_named(std::string_view directive) {
    if (directive == ".shared") return space::shared;
    if (directive == ".local") return space::local;
    if (directive == ".const") return space::constant;
    if (directive == ".param") return space::param;
    return space::global;
}
bool declares_variable(std::string_view word) {
    return word == ".global" || word == ".shared" || word == ".local" || word == ".const" || word == ".param";
}

std::vector<std::string> parts_of(std::string_view opcode) {
    std::vector<std::string> parts;
    for (std::size_t start = 0; start <= opcode.size();) {
        std::size_t const end = std::min(opcode.find('.', start), opcode.size());
        parts.emplace_back(opcode.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

class parser {
public:
    explicit parser(std::string_view text) : in_(text) {}
    module_text run();

private:
    using names = std::map<std::string, int, std::less<>>;

    void module_directive(std::string_view word);
    variable one_variable(ptx::space where);
    void initial_values(variable& v);
    void attributes(variable& v);  // .align 8 .ptr ... and the type
    std::vector<variable> parameters();
    void read_function(bool is_entry);
    void body(function& f);
    void directive(function& f, std::string_view word);
    void registers(function& f);
    void one_statement(function& f);
    void label(function& f, std::string name);
    operand one_operand();
    operand primary();
    operand listed(char open, std::string_view close);
    operand address();
    operand named(std::string_view name);
    int find_register(std::string_view name) const;

    tokens in_;
    module_text out_{};
    std::vector<names> scopes_{};
    bool is_extern_ = false;  // what the next directive declares
};

module_text parser::run() {
    while (in_.next().kind != token_kind::end) module_directive(in_.take().text);
    return std::move(out_);
}

void parser::module_directive(std::string_view word) {
    if (word == ".version" || word == ".address_size" || word == ".file" || word == ".loc") return in_.skip_line();
    if (word == ".target") {
        out_.target = in_.take().text;
        return in_.skip_line();
    }
    if (word == ".section") {  // of debuggers
        in_.skip_past('{');
        return in_.skip_past('}');
    }
    if (word == ".pragma" || word == ".alias") return in_.skip_past(';');
    if (word == ".visible" || word == ".weak" || word == ".common" || word == ";") return;
    if (word == ".extern") {
        is_extern_ = true;
        return;
    }
    bool const is_extern = std::exchange(is_extern_, false);
    if (word == ".entry" || word == ".func") return read_function(word == ".entry");
    if (!declares_variable(word)) in_.refuse("unknown directive " + std::string(word));
    do {
        variable v = one_variable(space_named(word));
        v.is_extern = is_extern;
        out_.variables.push_back(std::move(v));
    } while (in_.accept(","));
    in_.expect(";");
}

void parser::attributes(variable& v) {
    while (in_.next().text.starts_with(".")) {
        std::string_view const word = in_.take().text;
        if (word == ".align") v.align = static_cast<std::size_t>(number_of(in_, in_.take().text).bits);
        else if (word == ".attribute") in_.skip_past(')');
        else if (type const t = type_named(word.substr(1)); t != type::none)
            v.element_bytes = static_cast<std::size_t>(bytes_of(t));
        else if (word == ".v2" || word == ".v4") v.count *= word == ".v2" ? 2 : 4;
        // the rest describes what a pointer leads to
    }
    v.align = std::max(v.align, v.element_bytes);
}

variable parser::one_variable(ptx::space where) {
    variable v;
    v.space = where;
    attributes(v);
    v.name = in_.take().text;
    while (in_.accept("[")) {
        v.count = in_.is("]") ? 0 : v.count * static_cast<std::size_t>(number_of(in_, in_.take().text).bits);
        in_.expect("]");
    }
    if (in_.accept("=")) initial_values(v);
    return v;
}

void parser::initial_values(variable& v) {
    if (in_.accept("{")) {
        while (!in_.accept("}")) initial_values(v), in_.accept(",");
        return;
    }
    initial_value value;
    if (in_.next().kind == token_kind::word) {
        value.symbol = in_.take().text;
        if (value.symbol == "generic") {
            value.generic = true;
            in_.expect("(");
            value.symbol = in_.take().text;
            in_.expect(")");
        }
        if (in_.accept("+")) value.bits = number_of(in_, in_.take().text).bits;
    } else {
        bool const negative = in_.accept("-");
        value.bits = number_of(in_, in_.take().text).bits;
        if (negative) value.bits = 0 - value.bits;
    }
    v.values.push_back(std::move(value));
}

std::vector<variable> parser::parameters() {
    std::vector<variable> all;
    in_.expect("(");
    while (!in_.accept(")")) {
        std::string_view const where = in_.take().text;
        if (where != ".param" && where != ".reg") in_.refuse("expected a parameter");
        all.push_back(one_variable(space::param));
        in_.accept(",");
    }
    return all;
}

void parser::read_function(bool is_entry) {
    function f;
    f.is_entry = is_entry;
    if (!is_entry && in_.is("(")) f.results = parameters();
    f.name = in_.take().text;
    if (in_.is("(")) f.params = parameters();
    while (!in_.is("{") && !in_.is(";")) in_.take();  // .maxntid and so on
    if (in_.accept(";")) {
        out_.functions.try_emplace(f.name, std::move(f));
        return;
    }
    f.has_body = true;
    scopes_.clear();
    body(f);
    out_.functions[f.name] = std::move(f);
}

void parser::body(function& f) {
    in_.expect("{");
    scopes_.emplace_back();
    while (!in_.accept("}")) {
        std::string_view const word = in_.next().text;
        if (word == "{") body(f);
        else if (word == ";") in_.take();
        else if (word.starts_with(".")) directive(f, in_.take().text);
        else one_statement(f);
    }
    scopes_.pop_back();
}

void parser::directive(function& f, std::string_view word) {
    if (word == ".reg") return registers(f);
    if (word == ".loc") return in_.skip_line();
    if (word == ".pragma") return in_.skip_past(';');
    if (!declares_variable(word)) in_.refuse("unknown directive " + std::string(word));
    do {
        variable v = one_variable(space_named(word));
        // Names of parameters of calls come again in every scope.
        std::string const unique = v.name + "@" + std::to_string(f.variables.size());
        scopes_.back().insert_or_assign(v.name, -2 - static_cast<int>(f.variables.size()));
        v.name = unique;
        f.variables.push_back(std::move(v));
    } while (in_.accept(","));
    in_.expect(";");
}

void parser::registers(function& f) {
    type const t = type_named(in_.take().text.substr(1));
    do {
        std::string const name(in_.take().text);
        if (!in_.accept("<")) {
            scopes_.back().insert_or_assign(name, static_cast<int>(f.registers.size()));
            f.registers.push_back(t);
            continue;
        }
        auto const count = number_of(in_, in_.take().text).bits;
        in_.expect(">");
        for (std::uint64_t k = 0; k < count; ++k) {
            scopes_.back().insert_or_assign(name + std::to_string(k), static_cast<int>(f.registers.size()));
            f.registers.push_back(t);
        }
    } while (in_.accept(","));
    in_.expect(";");
}

void parser::label(function& f, std::string name) {
    if (in_.accept(".branchtargets") || in_.accept(".calltargets")) {
        auto& targets = f.targets[name];
        do targets.emplace_back(in_.take().text);
        while (in_.accept(","));
        return in_.expect(";");
    }
    if (in_.accept(".callprototype")) return in_.skip_past(';');
    if (!f.labels.emplace(std::move(name), f.body.size()).second) in_.refuse("a label comes twice");
}

void parser::one_statement(function& f) {
    statement s;
    s.line = in_.next().line;
    if (in_.accept("@")) {
        s.guard_negated = in_.accept("!");
        s.guard = find_register(in_.take().text);
        if (s.guard < 0) in_.refuse("unknown predicate");
    }
    std::string_view const word = in_.take().text;
    if (in_.accept(":")) return label(f, std::string(word));
    s.op = parts_of(word);
    while (!in_.accept(";")) {
        s.operands.push_back(one_operand());
        if (!in_.accept(",") && !in_.is(";")) in_.refuse("expected , or ;");
    }
    f.body.push_back(std::move(s));
}

// a, or a|b
operand parser::one_operand() {
    operand first = primary();
    if (!in_.accept("|")) return first;
    operand both;
    both.kind = operand_kind::list;
    both.parts = {std::move(first), primary()};
    return both;
}

operand parser::primary() {
    if (in_.accept("{")) return listed('{', "}");
    if (in_.accept("(")) return listed('(', ")");
    if (in_.accept("[")) return address();
    if (in_.accept("!")) {
        operand o = primary();
        o.negated = true;
        return o;
    }
    bool const negative = in_.accept("-");
    token const t = in_.take();
    if (t.kind != token_kind::number) return named(t.text);
    operand o = number_of(in_, t.text);
    if (negative && o.kind == operand_kind::real64) o.bits ^= std::uint64_t{1} << 63;
    else if (negative) o.bits = 0 - o.bits;
    return o;
}

operand parser::listed(char open, std::string_view close) {
    operand all;
    all.kind = open == '{' ? operand_kind::vector : operand_kind::list;
    while (!in_.accept(close)) {
        all.parts.push_back(one_operand());
        in_.accept(",");
    }
    return all;
}

operand parser::address() {
    operand o = primary();
    if (o.kind == operand_kind::integer) o.offset = static_cast<std::int64_t>(o.bits);
    o.kind = operand_kind::address;
    while (!in_.accept("]")) {
        if (in_.accept(",")) {  // an operand of textures and asynchronous copies
            o.parts.push_back(one_operand());
            continue;
        }
        bool const negative = in_.accept("-");
        if (!negative) in_.expect("+");
        bool const again = in_.accept("-");
        auto const by = static_cast<std::int64_t>(number_of(in_, in_.take().text).bits);
        o.offset += negative != again ? -by : by;
    }
    return o;
}

int parser::find_register(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (auto const found = scope->find(name); found != scope->end()) return found->second;
    return -1;
}

operand parser::named(std::string_view name) {
    operand o;
    int const found = find_register(name);
    if (found >= 0) {
        o.kind = operand_kind::reg;
        o.reg = found;
        return o;
    }
    o.kind = name.starts_with("%") ? operand_kind::special : name == "_" ? operand_kind::nothing : operand_kind::symbol;
    o.name = name;
    if (found < -1) o.name += "@" + std::to_string(-2 - found);
    if (o.kind == operand_kind::symbol && in_.is("+")) {
        in_.take();
        o.offset = static_cast<std::int64_t>(number_of(in_, in_.take().text).bits);
    }
    return o;
}

}  // namespace

type type_named(std::string_view name) {
    for (auto const& [known, t] : type_names)
        if (known == name) return t;
    return type::none;
}

int bytes_of(type t) {
    switch (t) {
        case type::b8:
        case type::u8:
        case type::s8: return 1;
        case type::b16:
        case type::u16:
        case type::s16:
        case type::f16:
        case type::bf16: return 2;
        case type::b32:
        case type::u32:
        case type::s32:
        case type::f32:
        case type::f16x2:
        case type::bf16x2: return 4;
        case type::b64:
        case type::u64:
        case type::s64:
        case type::f64: return 8;
        case type::b128: return 16;
        default: return 1;
    }
}
bool is_signed(type t) { return t == type::s8 || t == type::s16 || t == type::s32 || t == type::s64; }
bool is_float(type t) { return t >= type::f16; }

bool statement::has(std::string_view part) const {
    for (std::size_t k = 1; k < op.size(); ++k)
        if (op[k] == part) return true;
    return false;
}

module_text parse(std::string_view text) { return parser(text).run(); }

}  // namespace bascule::ptx
