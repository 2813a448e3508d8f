// Floating-point errors (design rule 11): which ones a thread's calls check for, and those their kernels found.
#pragma once
#include <cstdint>
#include <vector>

#include "bascule/core/dtype.hpp"

namespace bascule {
struct pending_operation;
}

namespace bascule::errstate {

// How messages name an operation: "in divide", "in scalar divide", "in reduce", …. A sentence is no floating-point
// error but a warning of its own, whose text Python has under the number that takes the op's place.
enum class kind : std::uint8_t { ufunc, scalar, reduce, reduceat, accumulate, cast, sentence };

// The checks of the current call. None outside a scope, which Python opens around its calls.
struct request {
    std::uint8_t check = 0;  // ops::fp bits to look for
    bool at_once = false;    // checked operations run at the call
    bool scalars = false;    // operators on scalars have names of their own
    bool named = false;      // casts that belong to another operation go by its name:
    kind how = kind::ufunc;
    std::uint16_t op = 0;
    std::uint64_t order = 0;  // of the named call, once an operation of it is pending
    std::uint32_t line = 0;   // the line of the call, if it cannot be found later
    bool found = false;       // something waits to be taken
};
inline thread_local constinit request current;

class scope {
public:
    scope(std::uint8_t check, bool at_once) noexcept : before_(current) {
        current = {.check = check, .at_once = at_once, .found = before_.found};
    }
    ~scope() {
        bool const found = current.found;
        current = before_;
        current.found = found;
    }
    scope(scope const&) = delete;
    scope& operator=(scope const&) = delete;

private:
    request before_;
};

// Operations made meanwhile are parts of this one.
class naming {
public:
    naming(kind how, std::uint16_t op) noexcept : before_(current) {
        if (!current.named) current.named = true, current.how = how, current.op = op, current.order = 0;
    }
    ~naming() { current.named = before_.named, current.how = before_.how, current.op = before_.op; }
    naming(naming const&) = delete;
    naming& operator=(naming const&) = delete;

private:
    request before_;
};

// The line of the current call in the program, and whether warnings are being recorded right now.
inline constexpr std::uint32_t nobodys_line = ~std::uint32_t{0};  // of a part that reports nothing
struct caller_hooks {
    std::uint32_t (*line)() noexcept = nullptr;
    bool (*listens)() noexcept = nullptr;
};
void set_caller_hooks(caller_hooks h);  // once, before anything runs

inline constexpr std::uint16_t no_aggregate = 0xffff;
// Calls that are no op of the table.
inline constexpr std::uint16_t divmod_call = 0xfffe, dot_call = 0xfffd;
inline constexpr std::uint16_t product_call = 0xfff0;  // and the number of its form

struct finding {
    std::uint64_t order = 0;  // of creation
    std::uint32_t line = 0;   // as the hook reported it; 0: of the call at hand
    std::uint16_t op = 0;     // number in the op table; of kind::reduce, in the aggregate table or no_aggregate
    kind how = kind::ufunc;
    std::uint8_t fp_errors = 0;  // ops::fp bits
};
void report(finding const& f);
// The errors this thread has found and not yet reported, in order of creation, an entry an operation.
std::vector<finding> take();
// Drops the errors that the call at hand found, because it failed for another reason.
void drop_of_call() noexcept;

// The bits of `asked` that an operation of this loop can raise.
std::uint8_t of_op(std::uint16_t op, type_id loop, std::uint8_t asked) noexcept;
std::uint8_t of_cast(type_id from, type_id to, std::uint8_t asked) noexcept;
std::uint8_t of_reduction(std::uint16_t aggregate, type_id reduced, std::uint8_t asked) noexcept;

// The name of an operation that runs now, in messages.
finding here(kind how, std::uint16_t op) noexcept;
// Records on a node the errors it is checked for and where it was made; returns whether it must run at once.
bool mark(pending_operation& node, kind how, std::uint8_t check);

}  // namespace bascule::errstate
