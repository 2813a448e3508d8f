// A device's functions for whole algorithms: one table, which both runs them and shows which of them the device has.
#pragma once
#include <array>
#include <initializer_list>

#include "bascule/core/algorithm_list.hpp"

namespace bascule {

template <class Function> struct algorithm_row {
    algorithm_kind kind;
    Function function;
};

// Function: a pointer to a function. Null where the device has no such algorithm, unknown kinds included.
template <class Function> class algorithm_table {
public:
    constexpr algorithm_table(std::initializer_list<algorithm_row<Function>> rows) {
        for (auto const& r : rows) functions_[static_cast<unsigned>(r.kind)] = r.function;
    }
    [[nodiscard]] constexpr Function find(algorithm_kind kind) const {
        auto const k = static_cast<unsigned>(kind);
        return k < algorithm_count ? functions_[k] : nullptr;
    }

private:
    std::array<Function, algorithm_count> functions_{};
};

// `args` as the argument struct of an algorithm of this kind.
template <algorithm_kind kind> auto& arguments(void* args) {
    return *static_cast<typename arguments_of<kind>::type*>(args);
}

}  // namespace bascule
