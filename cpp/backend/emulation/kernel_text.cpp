#include "backend/emulation/kernel_text.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <regex>
#include <string_view>

namespace bascule::emulation {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The source with comments, preprocessor lines and string literals other than "C" replaced by blanks.
std::string without_noise(std::string const& text) {
    std::string out = text;
    std::size_t const n = text.size();
    auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < std::min(to, n); ++k)
            if (out[k] != '\n') out[k] = ' ';
    };
    auto end_of_quote = [&](std::size_t at) {
        char const quote = text[at];
        for (++at; at < n && text[at] != quote && text[at] != '\n'; ++at)
            if (text[at] == '\\') ++at;
        return std::min(at + 1, n);
    };
    bool fresh_line = true;
    for (std::size_t i = 0; i < n;) {
        char const c = text[i];
        std::size_t end = i + 1;
        if (text.compare(i, 2, "//") == 0) end = std::min(text.find('\n', i), n);
        else if (text.compare(i, 2, "/*") == 0) end = std::min(text.find("*/", i + 2), n - 2) + 2;
        else if (c == '#' && fresh_line) {
            for (end = i; end < n && (text[end] != '\n' || text[end - 1] == '\\');) ++end;
        } else if (c == '"') end = end_of_quote(i);
        else if (c == '\'' && (i == 0 || !is_word(text[i - 1]))) end = end_of_quote(i);  // not between digits
        if (end > i + 1 && text.compare(i, 3, "\"C\"") != 0) blank(i, end);
        if (c == '\n') fresh_line = true;
        else if (std::isspace(static_cast<unsigned char>(c)) == 0) fresh_line = false;
        i = end;
    }
    return out;
}

bool has_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        bool const begins = at == 0 || !is_word(text[at - 1]);
        bool const ends = at + word.size() == text.size() || !is_word(text[at + word.size()]);
        if (begins && ends) return true;
    }
    return false;
}

struct edit {
    std::size_t at, size;
    std::string text;
};

class scanner {
public:
    explicit scanner(std::string const& text) : text_(text), code_(without_noise(text)) {}

    void run() {
        for (std::size_t i = 0; i < code_.size(); ++i) {
            char const c = code_[i];
            if (c == '{') open(i);
            else if (c == ';') statement(i);
            else if (c == '}' && !scopes_.empty()) scopes_.pop_back();
            if (c == '{' || c == '}' || c == ';') start_ = i + 1;
        }
    }
    std::string edited() const {
        std::string out = text_;
        for (auto e = edits_.rbegin(); e != edits_.rend(); ++e) out.replace(e->at, e->size, e->text);
        return out;
    }
    std::vector<std::string> const& kernels() const { return kernels_; }

private:
    enum class scope : unsigned char { space, c_linkage, other };

    std::string segment(std::size_t end) const { return code_.substr(start_, end - start_); }
    bool outside_of_functions() const {
        return std::find(scopes_.begin(), scopes_.end(), scope::other) == scopes_.end();
    }

    void open(std::size_t at) {
        std::string const s = segment(at);
        bool const outside = outside_of_functions();
        static std::regex const c_block("extern\\s*\"C\"\\s*$"), space("(^|\\s)namespace(\\s+[\\w:]+)?\\s*$");
        if (std::regex_search(s, c_block)) return scopes_.push_back(scope::c_linkage);
        if (std::regex_search(s, space)) return scopes_.push_back(scope::space);
        if (outside && has_word(s, "__global__")) kernel(s);
        else if (outside) variable(s);
        scopes_.push_back(scope::other);
    }

    void kernel(std::string const& s) {
        bool const c_linkage = s.find("\"C\"") != s.npos ||
                               std::find(scopes_.begin(), scopes_.end(), scope::c_linkage) != scopes_.end();
        if (!c_linkage || has_word(s, "template")) return;
        static std::regex const bounds("__launch_bounds__\\s*\\([^()]*(\\([^()]*\\)[^()]*)*\\)"), name("(\\w+)\\s*\\(");
        std::string const plain = std::regex_replace(s, bounds, " ");
        std::smatch found;
        if (std::regex_search(plain, found, name)) kernels_.push_back(found[1].str());
    }

    // A variable of the device is in another section than shared memory.
    void variable(std::string const& s) {
        std::size_t const at = s.find("__device__");
        std::string const declarator = s.substr(0, s.find('='));
        if (at == s.npos || declarator.find('(') != s.npos || has_word(s, "template")) return;
        static std::regex const type("\\b(struct|class|union|enum)\\s+\\w*\\s*$");
        if (std::regex_search(declarator, type)) return;
        edits_.push_back({start_ + at, std::string_view("__device__").size(), "BASCULE_DEVICE_VARIABLE"});
    }

    void statement(std::size_t end) {
        std::string const s = segment(end);
        if (has_word(s, "extern") && has_word(s, "__shared__")) dynamic_shared(s, end);
        else if (outside_of_functions()) variable(s);
    }

    // extern __shared__ T name[]; becomes a pointer to the launch's dynamic shared memory.
    void dynamic_shared(std::string const& s, std::size_t end) {
        static std::regex const form("(\\w+)\\s*\\[\\s*\\]\\s*$"),
            words("\\b(extern|__shared__|static)\\b|__align__\\s*\\([^()]*\\)|alignas\\s*\\([^()]*\\)");
        std::smatch found;
        if (!std::regex_search(s, found, form)) return;
        std::string const name = found[1].str();
        std::string type = std::regex_replace(found.prefix().str(), words, " ");
        std::size_t const begin = s.find_first_not_of(" \t\n\r");
        std::replace(type.begin(), type.end(), '\n', ' ');
        std::string const there = "reinterpret_cast<" + type + "*>(bascule::emulation::current->dynamic_shared)";
        auto const from = s.begin() + static_cast<std::ptrdiff_t>(begin);
        std::string const lines(static_cast<std::size_t>(std::count(from, s.end(), '\n')), '\n');
        std::string put = type + "* const " + name + " = " + there + ";" + lines;
        if (outside_of_functions()) {
            auto const line = std::count(code_.begin(), code_.begin() + static_cast<std::ptrdiff_t>(end), '\n') + 1;
            put = "\n#undef " + name + "\n#define " + name + " (" + there + ")\n#line " + std::to_string(line) + "\n";
        }
        edits_.push_back({start_ + begin, end + 1 - start_ - begin, put});
    }

    std::string const& text_;
    std::string code_;
    std::size_t start_ = 0;
    std::vector<scope> scopes_;
    std::vector<edit> edits_;
    std::vector<std::string> kernels_;
};

}  // namespace

std::string host_text(std::string const& file, std::string const& text, std::vector<std::string> const& expressions) {
    scanner s(text);
    s.run();
    std::string out = "#line 1 \"" + file + "\"\n" + s.edited() +
                      "\n#line 1 \"names of kernels\"\nBASCULE_EMULATED_UNIT\n";
    for (std::string const& k : s.kernels()) out += "BASCULE_EMULATED_KERNEL(" + k + ")\n";
    for (std::size_t k = 0; k < expressions.size(); ++k)
        out += "BASCULE_EMULATED_AS(bascule_expression_" + std::to_string(k) + ", " + expressions[k] + ")\n";
    return out;
}

namespace {

// With a value behind the option, in the same word or, unless it has its own '=', in the next.
constexpr std::string_view of_gpus[] = {
    "--gpu-architecture", "-arch",       "--fmad",      "-fmad",      "--ftz",          "-ftz",
    "--prec-div",         "-prec-div",   "--prec-sqrt", "-prec-sqrt", "--maxrregcount", "-maxrregcount",
    "--split-compile",    "--opt-level", "-Xptxas"};
constexpr std::string_view switches_of_gpus[] = {"--use_fast_math",
                                                 "-use_fast_math",
                                                 "-lineinfo",
                                                 "--generate-line-info",
                                                 "--device-debug",
                                                 "-G",
                                                 "--restrict",
                                                 "-restrict",
                                                 "--device-as-default-execution-space",
                                                 "-default-device",
                                                 "--extra-device-vectorization",
                                                 "--dopt=on",
                                                 "-dopt=on",
                                                 "--disable-warnings",
                                                 "-w"};
constexpr std::string_view with_value[] = {"-D", "-U", "-I"};
constexpr std::string_view long_forms[] = {"--define-macro", "--undefine-macro", "--include-path"};

bool is_standard(std::string_view o) { return o.starts_with("-std=") || o.starts_with("--std="); }

}  // namespace

std::vector<std::string> host_options(std::vector<std::string> const& options, std::string& unknown) {
    std::vector<std::string> out;
    for (std::size_t k = 0; k < options.size(); ++k) {
        std::string_view const o = options[k], head = o.substr(0, o.find('='));
        bool const more = k + 1 < options.size();
        auto const is = [&](std::string_view x) { return x == o; };
        if (is_standard(o) || std::any_of(std::begin(switches_of_gpus), std::end(switches_of_gpus), is)) continue;
        if (std::find(std::begin(of_gpus), std::end(of_gpus), head) != std::end(of_gpus)) {
            if (head == o && more) ++k;
            continue;
        }
        bool known = false;
        for (std::size_t form = 0; form < std::size(with_value) && !known; ++form) {
            std::string const letter(with_value[form]), name(long_forms[form]);
            if (o == letter && more) known = true, out.push_back(letter + options[++k]);
            else if (o.starts_with(letter) && o.size() > 2) known = true, out.emplace_back(o);
            else if (o.starts_with(name + "="))
                known = true, out.push_back(letter + std::string(o.substr(name.size() + 1)));
        }
        if (!known && unknown.empty()) unknown = o;
    }
    return out;
}

}  // namespace bascule::emulation
