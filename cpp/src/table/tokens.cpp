#include "bascule/table/tokens.hpp"

#include <string>

#include "buffers.hpp"

namespace bascule::table {
namespace {

column_ref strings_of(column const& c, char const* what) {
    if (!c.is_text()) throw type_error(std::string("[count_tokens] ") + what + " are not strings");
    return c.decoded();
}

class call {
public:
    call(column const& documents, term_rule const& rule) : documents_(strings_of(documents, "documents")) {
        if (rule.least < 1 || rule.least > rule.most)
            throw value_error("[count_tokens] expected 1 <= least <= most tokens in a term, got " +
                              std::to_string(rule.least) + " and " + std::to_string(rule.most));
        args_.lower_case = rule.lower_case, args_.least = rule.least, args_.most = rule.most;
        add(documents_, args_.in);
        if (rule.stop_words) add(stop_words_ = strings_of(*rule.stop_words, "stop words"), args_.stop_words);
    }

    void hashed(std::int64_t columns, bool signs) {
        if (columns < 1 || columns > INT32_MAX)
            throw value_error("[count_tokens] expected 1 to 2147483647 columns, got " + std::to_string(columns));
        args_.columns = token_columns::hashed, args_.hashed_columns = columns, args_.signs = signs;
    }
    void given(column const& vocabulary) {
        args_.columns = token_columns::given;
        add(vocabulary_ = strings_of(vocabulary, "terms"), args_.vocabulary);
    }
    void discovered() { args_.columns = token_columns::discovered; }

    token_counts run() {
        in_.begin();
        for (auto const& [memory, to] : used_) *to = as_strings(*memory);
        device const where = documents_->where();
        results made{where, {}};
        token_counts found;
        found.starts = empty(where, make_dtype(type_id::int64), {documents_->length() + 1});
        args_.starts = pointer<std::int64_t>(found.starts);
        args_.owner = &made, args_.allocate = results::allocate;
        table::run(where, algorithm_kind::count_tokens, &args_);
        found.columns = reinterpret(made.at(args_.indices), type_id::int32);
        found.counts = reinterpret(made.at(args_.counts), type_id::int32);
        if (args_.columns == token_columns::discovered)
            found.terms = std::make_shared<column>(text_from(args_.terms, made, args_.nterms));
        return found;
    }

private:
    void add(column_ref const& c, string_column& to) { used_.emplace_back(&in_.add(*c), &to); }

    column_ref documents_, stop_words_, vocabulary_;
    inputs in_;
    std::vector<std::pair<buffers const*, string_column*>> used_;
    count_tokens_args args_;
};

}  // namespace

token_counts hash_tokens(column const& documents, term_rule const& rule, std::int64_t columns, bool signs) {
    call c(documents, rule);
    c.hashed(columns, signs);
    return c.run();
}

token_counts count_tokens(column const& documents, term_rule const& rule, column_ref const& vocabulary) {
    call c(documents, rule);
    if (vocabulary) c.given(*vocabulary);
    else c.discovered();
    return c.run();
}

}  // namespace bascule::table
