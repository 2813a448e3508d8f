// write_ufuncs <file>: the type stub of bascule.ufuncs, a line for each name of the op table, so that editors and type
// checkers know what Python itself learns at import.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

#include "bascule/ops/table.hpp"

using namespace bascule;

namespace {

constexpr char const* head = R"(# Written from the op table when the library is built.
from typing import Any

class ufunc:
    __name__: str
    nin: int
    nout: int
    nargs: int
    ntypes: int
    types: list[str]
    identity: int | float | None
    signature: None
    def reduce(self, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = ..., where: Any = True) -> Any: ...
    def accumulate(self, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any: ...
    def reduceat(self, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any: ...
    def outer(self, /, *args: Any, **kwargs: Any) -> Any: ...
    def at(self, a: Any, indices: Any, b: Any = ..., /) -> None: ...
)";

constexpr char const* tail = R"(
def __getattr__(name: str) -> Any: ...
)";

void write_call(std::ostream& to, char const* type, char const* inputs) {
    to << "\nclass " << type << "(ufunc):\n    def __call__(self, " << inputs
       << ", /, out: Any = None, *, where: Any = True, casting: str = \"same_kind\", order: str = \"K\", dtype: Any = None) -> Any: ...\n";
}

void write_name(std::ostream& to, std::string const& name, ops::spec const& meta) {
    constexpr char const* types[] = {"_unary", "_binary", "_ternary"};
    to << name << ": " << types[meta.nin - 1] << "\n\"\"\"" << meta.doc << "\"\"\"\n";
}

void write_names(std::ostream& to, ops::spec const& meta) {
    write_name(to, meta.name, meta);
    std::string const aliases = meta.aliases;
    for (std::size_t begin = 0; begin < aliases.size();) {
        std::size_t const end = std::min(aliases.find(' ', begin), aliases.size());
        write_name(to, aliases.substr(begin, end - begin), meta);
        begin = end + 1;
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::ofstream to(argc == 2 ? argv[1] : "");
    to << head;
    write_call(to, "_unary", "x: Any");
    write_call(to, "_binary", "x1: Any, x2: Any");
    write_call(to, "_ternary", "x1: Any, x2: Any, x3: Any");
    to << "\n";
    for (ops::spec const& meta : ops::table)
        if (meta.has_ufunc && *meta.space == 0) write_names(to, meta);
    to << tail;
    if (to.flush()) return 0;
    std::fprintf(stderr, "write_ufuncs: expected one file that can be written, got %s\n", argc == 2 ? argv[1] : "another number of arguments");
    return 1;
}
