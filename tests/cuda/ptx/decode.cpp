#include "decode.hpp"

#include "contraction.hpp"
#include "lanes.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace bascule::ptx {
namespace {

std::size_t aligned(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

std::string joined(statement const& s) {
    std::string all = s.op[0];
    for (std::size_t k = 1; k < s.op.size(); ++k) all += "." + s.op[k];
    return all;
}

class decoder {
public:
    decoder(module_text const& text, std::map<std::string, std::uint64_t> const& addresses)
        : text_(text), addresses_(addresses) {}
    std::unique_ptr<code> run(function const& entry);

private:
    // A function's body where it is expanded, with registers and parameters of its own.
    struct expansion {
        function const* of;
        std::uint32_t registers;
        std::map<std::string, std::uint64_t> symbols{};
        std::map<std::string, std::uint32_t> labels{};
        std::vector<std::pair<std::size_t, std::string>> branches{};
        std::vector<std::pair<std::size_t, std::string>> tables{};  // indices of the lists
        std::vector<std::size_t> returns{};
        int depth = 0;
    };

    void place_shared(function const& f, std::set<std::string>& seen);
    std::uint64_t place_in_frame(variable const& v);
    void expand(expansion& e);
    void statement_of(expansion& e, statement const& s);
    bool control(expansion& e, statement const& s, instruction& i);
    void call(expansion& e, statement const& s);
    void barrier(expansion& e, statement const& s, instruction& i);
    void operands(expansion& e, statement const& s, instruction& i);
    void table(expansion& e, statement const& s, instruction& i);
    std::uint32_t slot(expansion& e, operand const& o);
    std::uint32_t constant(std::uint64_t bits);
    std::uint32_t special(std::string const& name);
    std::uint64_t symbol(expansion const& e, std::string const& name) const;
    void address(expansion& e, operand const& o, instruction& i);
    [[noreturn]] static void refuse(statement const& s, std::string const& why) {
        throw syntax_error("PTX line " + std::to_string(s.line) + ": " + why + ": " + joined(s));
    }

    module_text const& text_;
    std::map<std::string, std::uint64_t> const& addresses_;
    std::unique_ptr<code> out_ = std::make_unique<code>();
    contraction contraction_{};
    std::map<std::string, std::uint64_t> shared_{};
    std::map<std::uint64_t, std::uint32_t> constants_{};
    std::map<std::string, std::uint32_t> specials_{};
    // Slots are registers until all of them are known; constants and special registers come after them.
    static constexpr std::uint32_t first_constant = 1u << 30, first_special = 1u << 31;
};

// ---- memory of the kernel
void decoder::place_shared(function const& f, std::set<std::string>& seen) {
    if (!seen.insert(f.name).second) return;
    auto const place = [&](variable const& v) {
        if (v.space != space::shared || v.is_extern || v.count == 0 || shared_.contains(v.name)) return;
        out_->shared_size = aligned(out_->shared_size, v.align);
        shared_[v.name] = out_->shared_size;
        out_->shared_size += v.bytes();
    };
    for (variable const& v : f.variables) place(v);
    for (statement const& s : f.body)
        for (operand const& o : s.operands) {
            for (variable const& v : text_.variables)
                if (v.space == space::shared && v.name == o.name) place(v);
            if (auto const called = text_.functions.find(o.name); called != text_.functions.end())
                place_shared(called->second, seen);
        }
}

std::uint64_t decoder::place_in_frame(variable const& v) {
    std::size_t const at = aligned(out_->frame_size, std::max<std::size_t>(v.align, 1));
    out_->frame_size = at + v.bytes();
    return v.space == space::param ? frame_params + at : at;
}

std::unique_ptr<code> decoder::run(function const& entry) {
    std::set<std::string> seen;
    place_shared(entry, seen);
    std::size_t const dynamic = aligned(out_->shared_size, 16);
    for (variable const& v : text_.variables)
        if (v.space == space::shared && (v.is_extern || v.count == 0)) {
            shared_[v.name] = dynamic;
            out_->shared_size = dynamic;
        }
    out_->name = entry.name;
    expansion e{.of = &entry, .registers = 0};
    out_->slots = static_cast<std::uint32_t>(entry.registers.size());
    for (variable const& p : entry.params) {
        out_->params_size = aligned(out_->params_size, std::max<std::size_t>(p.align, 1));
        e.symbols[p.name] = out_->params_size;
        out_->param_offsets.push_back(out_->params_size);
        out_->param_bytes.push_back(p.bytes());
        out_->params_size += p.bytes();
    }
    expand(e);
    // Constants and special registers get their slots behind the registers.
    out_->first_constant = out_->slots;
    std::uint32_t const first_of_specials = out_->slots + static_cast<std::uint32_t>(out_->constants.size());
    auto const settle = [&](std::uint32_t& s) {
        if (s >= first_special) s = s - first_special + first_of_specials;
        else if (s >= first_constant) s = s - first_constant + out_->first_constant;
    };
    for (instruction& i : out_->instructions) {
        for (std::uint32_t* s : {&i.out, &i.a, &i.b, &i.c}) settle(*s);
        if (i.how != flow::branch_by_index) settle(i.d);
        if (i.count > 1 && (i.how == flow::plain || i.how == flow::collective))
            for (std::size_t k = 0; k < i.count; ++k) settle(out_->lists[i.list + k]);
    }
    for (auto& s : out_->specials) settle(s.slot);
    out_->slots = first_of_specials + static_cast<std::uint32_t>(out_->specials.size());
    out_->frame_size = aligned(out_->frame_size, 32);
    return std::move(out_);
}

// ---- operands
std::uint32_t decoder::constant(std::uint64_t bits) {
    auto const [found, is_new] = constants_.try_emplace(bits, static_cast<std::uint32_t>(out_->constants.size()));
    if (is_new) out_->constants.push_back(bits);
    return first_constant + found->second;
}

std::uint32_t decoder::special(std::string const& name) {
    auto const [found, is_new] =
        specials_.try_emplace(name, first_special + static_cast<std::uint32_t>(specials_.size()));
    if (is_new) out_->specials.push_back({name, found->second});
    return found->second;
}

std::uint64_t decoder::symbol(expansion const& e, std::string const& name) const {
    if (auto const found = e.symbols.find(name); found != e.symbols.end()) return found->second;
    if (auto const found = shared_.find(name); found != shared_.end()) return found->second;
    if (auto const found = addresses_.find(name); found != addresses_.end()) return found->second;
    throw syntax_error("PTX: unknown symbol " + name);
}

std::uint32_t decoder::slot(expansion& e, operand const& o) {
    switch (o.kind) {
        case operand_kind::reg: return e.registers + static_cast<std::uint32_t>(o.reg);
        case operand_kind::integer:
        case operand_kind::real32:
        case operand_kind::real64: return constant(o.bits);
        case operand_kind::special: return o.name == "WARP_SZ" ? constant(warp_lanes) : special(o.name);
        case operand_kind::symbol: return constant(symbol(e, o.name) + static_cast<std::uint64_t>(o.offset));
        default: return special("%_");  // a result that is not read
    }
}

void decoder::address(expansion& e, operand const& o, instruction& i) {
    i.offset = o.offset;
    if (o.reg >= 0) i.a = e.registers + static_cast<std::uint32_t>(o.reg);
    else if (o.name.empty()) i.a = constant(0);
    else {
        std::uint64_t const at = symbol(e, o.name);
        i.a = constant(at);
        bool const of_kernel = i.space == space::param && at < frame_params;
        i.more = of_kernel || i.space == space::constant;
    }
}

// A vector is the result of a load, and comes after the address of a store.
void decoder::operands(expansion& e, statement const& s, instruction& i) {
    std::uint32_t* const positions[] = {&i.out, &i.a, &i.b, &i.c, &i.d};
    bool const has_result = s.op[0] != "st" && s.op[0] != "red";
    std::size_t next = has_result ? 0 : 1;
    for (operand const& o : s.operands) {
        if (o.kind == operand_kind::address) {
            address(e, o, i);
            next = 2;
            continue;
        }
        bool const several = o.kind == operand_kind::vector || o.kind == operand_kind::list;
        if (several && o.parts.size() > 1) {
            i.list = static_cast<std::uint32_t>(out_->lists.size());
            i.count = static_cast<std::uint8_t>(o.parts.size());
            std::vector<std::uint32_t> slots;
            for (operand const& p : o.parts) slots.push_back(slot(e, p));
            out_->lists.insert(out_->lists.end(), slots.begin(), slots.end());
        }
        if (next >= std::size(positions)) refuse(s, "too many operands");
        i.more = i.more || o.negated;
        *positions[next++] = several && !o.parts.empty() ? slot(e, o.parts[0]) : slot(e, o);
    }
}

// ---- control flow
void decoder::barrier(expansion& e, statement const& s, instruction& i) {
    i.how = flow::barrier;
    i.work = kind_of_work::control;
    std::vector<operand> rest = s.operands;
    if (s.has("arrive")) refuse(s, "unknown instruction");
    if (s.has("red")) {
        i.count = s.has("popc") ? 1 : s.has("and") ? 2 : 3;
        i.out = slot(e, rest.front());
        i.a = slot(e, rest.back());
        i.more = rest.back().negated;
        rest.erase(rest.begin());
        rest.pop_back();
    } else i.count = 0;
    i.b = rest.empty() ? constant(0) : slot(e, rest[0]);
    if (rest.size() > 1) i.c = slot(e, rest[1]);
}

void decoder::table(expansion& e, statement const& s, instruction& i) {
    auto const found = e.of->targets.find(s.operands.at(1).name);
    if (found == e.of->targets.end()) refuse(s, "unknown table");
    i.how = flow::branch_by_index;
    i.a = slot(e, s.operands[0]);
    i.list = static_cast<std::uint32_t>(out_->lists.size());
    i.d = static_cast<std::uint32_t>(found->second.size());
    for (std::string const& label : found->second) {
        e.tables.emplace_back(out_->lists.size(), label);
        out_->lists.push_back(0);
    }
}

bool decoder::control(expansion& e, statement const& s, instruction& i) {
    std::string const& op = s.op[0];
    i.work = kind_of_work::control;
    std::size_t const here = out_->instructions.size();
    if (op == "bra") {
        i.how = flow::branch;
        e.branches.emplace_back(here, s.operands.at(0).name);
    } else if (op == "brx") table(e, s, i);
    else if (op == "exit" || (op == "ret" && e.depth == 0)) i.how = flow::exit;
    else if (op == "ret") {
        i.how = flow::branch;
        e.returns.push_back(here);
    } else if ((op == "bar" || op == "barrier") && s.has("warp")) {
        i.how = flow::warp_barrier;
        i.d = slot(e, s.operands.at(0));
    } else if (op == "bar" || op == "barrier") barrier(e, s, i);
    else return false;
    return true;
}

void decoder::call(expansion& e, statement const& s) {
    std::vector<operand> results, arguments;
    std::string name;
    for (operand const& o : s.operands) {
        if (o.kind == operand_kind::list) (name.empty() ? results : arguments) = o.parts;
        else if (name.empty()) name = o.name;
    }
    auto const found = text_.functions.find(name);
    if (found == text_.functions.end() || !found->second.has_body)
        refuse(s, "a call of " + name + ", which has no body");
    if (e.depth > 20) refuse(s, "calls too deep to be expanded");
    function const& f = found->second;
    std::size_t const skip = out_->instructions.size();
    if (s.guard >= 0) {
        instruction around;
        around.how = flow::branch;
        around.guard = static_cast<std::int32_t>(e.registers) + s.guard;
        around.guard_negated = !s.guard_negated;
        around.line = s.line;
        out_->instructions.push_back(around);
    }
    expansion inner{.of = &f, .registers = out_->slots, .depth = e.depth + 1};
    out_->slots += static_cast<std::uint32_t>(f.registers.size());
    auto const bind = [&](std::vector<variable> const& formal, std::vector<operand> const& actual) {
        if (formal.size() != actual.size()) refuse(s, "another number of parameters");
        for (std::size_t k = 0; k < formal.size(); ++k) inner.symbols[formal[k].name] = symbol(e, actual[k].name);
    };
    bind(f.params, arguments);
    bind(f.results, results);
    expand(inner);
    if (s.guard >= 0) out_->instructions[skip].target = static_cast<std::uint32_t>(out_->instructions.size());
}

void decoder::statement_of(expansion& e, statement const& s) {
    if (s.op[0] == "call") return call(e, s);
    instruction i;
    i.line = s.line;
    if (s.guard >= 0) {
        i.guard = static_cast<std::int32_t>(e.registers) + s.guard;
        i.guard_negated = s.guard_negated;
    }
    if (!control(e, s, i)) {
        for (std::size_t k = s.op.size(); k-- > 1 && i.type == type::none;) i.type = type_named(s.op[k]);
        i.work = kind_of_work::integer;
        if (s.op[0] == "ld") set_space_and_order(s, i);  // before its address is looked at
        operands(e, s, i);
        for (auto const find :
             {find_integer, find_floating, find_conversion, find_logic, find_memory, find_atomic, find_warp})
            if (!i.run) i.run = find(s, i);
        if (!i.run) refuse(s, "unknown instruction");
        if (i.how == flow::plain) contraction_.look_at(s, i, out_->lists);
    } else contraction_.forget();
    out_->instructions.push_back(i);
}

void decoder::expand(expansion& e) {
    for (variable const& v : e.of->variables)
        if (v.space == space::local || v.space == space::param) e.symbols[v.name] = place_in_frame(v);
    std::multimap<std::size_t, std::string> labels;
    for (auto const& [name, at] : e.of->labels) labels.emplace(at, name);
    for (std::size_t k = 0; k <= e.of->body.size(); ++k) {
        auto const [from, to] = labels.equal_range(k);
        if (from != to) contraction_.forget();
        for (auto l = from; l != to; ++l) e.labels[l->second] = static_cast<std::uint32_t>(out_->instructions.size());
        if (k < e.of->body.size()) statement_of(e, e.of->body[k]);
    }
    auto const end = static_cast<std::uint32_t>(out_->instructions.size());
    for (std::size_t at : e.returns) out_->instructions[at].target = end;
    if (e.depth == 0) {  // labels at the end of a kernel
        instruction last;
        last.how = flow::exit;
        out_->instructions.push_back(last);
    }
    auto const target = [&](std::string const& label) {
        auto const found = e.labels.find(label);
        if (found == e.labels.end()) throw syntax_error("PTX: unknown label " + label);
        return found->second;
    };
    for (auto const& [at, label] : e.branches) out_->instructions[at].target = target(label);
    for (auto const& [at, label] : e.tables) out_->lists[at] = target(label);
}

}  // namespace

std::unique_ptr<code> decode(module_text const& text, function const& entry,
                             std::map<std::string, std::uint64_t> const& addresses) {
    return decoder(text, addresses).run(entry);
}

}  // namespace bascule::ptx
