// write_ufuncs <file> [space]: the type stub of bascule._array.ufuncs, or of bascule.special_ufuncs for the space "special": a
// line for each name of the op table, so that editors and type checkers know what Python itself learns at import.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

#include "bascule/ops/table.hpp"

using namespace bascule;

namespace {

constexpr char const* head = R"(# Written from the op table when the library is built.
from typing import Any

from bascule._array.types import _Binary, _Ternary, _Unary

)";

constexpr char const* tail = R"(
def __getattr__(name: str) -> Any: ...
)";

void write_name(std::ostream& to, std::string const& name, ops::spec const& meta) {
    constexpr char const* types[] = {"_Unary", "_Binary", "_Ternary"};
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
    bool const understood = argc == 2 || argc == 3;
    std::ofstream to(understood ? argv[1] : "");
    std::string const space = argc == 3 ? argv[2] : "";
    to << head;
    for (ops::spec const& meta : ops::table)
        if (meta.has_ufunc && space == meta.space) write_names(to, meta);
    to << tail;
    if (to.flush()) return 0;
    std::fprintf(stderr, "write_ufuncs: expected a file that can be written and perhaps a space, got %s\n",
                 understood ? argv[1] : "another number of arguments");
    return 1;
}
