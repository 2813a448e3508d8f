// Floating-point errors: np.errstate's own state is read, and the errors of kernels are reported as NumPy reports them,
// at the line of the call that made the operation, under the warning filters in effect there. And Ctrl-C while kernels
// run.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "array_object.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/numpy_rules.hpp"
#include "bascule/core/system.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "bascule/sched/interrupt.hpp"

namespace bascule::python {

// ---- filters of warnings: a lazy operation warns under those of its call, whenever it is computed

namespace warning_filters {
struct filters {
    PyObject* list = nullptr;  // a copy, which never changes
    std::size_t number = 0;
    bool raises = false, ignores = false;  // RuntimeWarning, at least one; every one
};

// Those that hold now. The GIL is held.
filters const& now() noexcept;

// Filters that held earlier, in force again until the end of the scope.
class of_a_while {
public:
    explicit of_a_while(std::size_t number) noexcept;
    ~of_a_while();
    of_a_while(of_a_while const&) = delete;
    of_a_while& operator=(of_a_while const&) = delete;

private:
    PyObject* before_ = nullptr;
};

namespace {

// One for each list of filters that was met. A program has a few; beyond `most`, calls warn under the last of them.
constexpr std::size_t most = 1 << 12;
std::deque<filters> known;

PyObject* attributes() noexcept {
    static PyObject* const module = PyImport_ImportModule("warnings");
    return module ? PyModule_GetDict(module) : nullptr;
}

PyObject* name_of_list() noexcept {
    static PyObject* const name = PyUnicode_InternFromString("filters");
    return name;
}

// The action of the list for RuntimeWarning: the first filter without further conditions decides.
void read(filters& f) noexcept {
    bool first = true;
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(f.list); ++k) {
        PyObject* const one = PyList_GET_ITEM(f.list, k);
        if (!PyTuple_Check(one) || PyTuple_GET_SIZE(one) != 5) continue;
        if (PyObject_IsSubclass(PyExc_RuntimeWarning, PyTuple_GET_ITEM(one, 2)) != 1) continue;
        PyObject *const action = PyTuple_GET_ITEM(one, 0), *const line = PyTuple_GET_ITEM(one, 4);
        bool const always = PyTuple_GET_ITEM(one, 1) == Py_None && PyTuple_GET_ITEM(one, 3) == Py_None &&
                            PyObject_IsTrue(line) == 0;
        f.raises = f.raises || PyUnicode_CompareWithASCIIString(action, "error") == 0;
        f.ignores = first && always && PyUnicode_CompareWithASCIIString(action, "ignore") == 0;
        if (always) break;
        first = false;
    }
    PyErr_Clear();
}

// Recognises the list by the properties that the functions of `warnings` change: they make a new list or put a filter
// at one of its ends.
struct seen {
    PyObject* list = nullptr;
    Py_ssize_t size = -1;
    PyObject *first = nullptr, *last = nullptr;  // compared, never dereferenced
    filters const* found = nullptr;

    bool is(PyObject* now) const noexcept {
        Py_ssize_t const n = PyList_GET_SIZE(now);
        return found && now == list && n == size &&
               (n == 0 || (PyList_GET_ITEM(now, 0) == first && PyList_GET_ITEM(now, n - 1) == last));
    }
};
seen latest;

filters const* known_as(PyObject* list) noexcept {
    for (auto const& f : known)
        if (f.list && PyObject_RichCompareBool(f.list, list, Py_EQ) == 1) return &f;
    PyErr_Clear();
    if (known.size() >= most) return &known.back();
    filters f;
    f.list = PyList_GetSlice(list, 0, PyList_GET_SIZE(list));
    f.number = known.size();
    if (f.list) read(f);
    PyErr_Clear();
    known.push_back(f);
    return &known.back();
}

void put(PyObject* list) noexcept {
    PyObject* const all = attributes();
    if (!all || PyDict_SetItem(all, name_of_list(), list) < 0) return PyErr_Clear();
    PyObject* const changed = PyDict_GetItemString(all, "_filters_mutated");
    reference const noted{changed ? PyObject_CallNoArgs(changed) : nullptr};
    if (!noted.p) PyErr_Clear();
}

}  // namespace

filters const& now() noexcept {
    static filters const none;
    PyObject* const all = attributes();
    PyObject* const list = all ? PyDict_GetItemWithError(all, name_of_list()) : nullptr;
    if (!list || !PyList_Check(list)) {
        PyErr_Clear();
        return none;
    }
    if (latest.is(list)) return *latest.found;
    filters const* const found = known_as(list);
    Py_ssize_t const n = PyList_GET_SIZE(list);
    Py_XDECREF(latest.list);  // held, so that no other list takes its place in memory
    latest = {Py_NewRef(list), n, n ? PyList_GET_ITEM(list, 0) : nullptr, n ? PyList_GET_ITEM(list, n - 1) : nullptr,
              found};
    return *found;
}

of_a_while::of_a_while(std::size_t number) noexcept {
    if (number == now().number || number >= known.size() || !known[number].list) return;
    before_ = Py_XNewRef(PyDict_GetItemWithError(attributes(), name_of_list()));
    if (before_) put(known[number].list);
}

of_a_while::~of_a_while() {
    if (!before_) return;
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    put(before_);
    Py_DECREF(before_);
    PyErr_Restore(type, value, trace);
}
}  // namespace warning_filters

warning_time warnings_come = warning_time::automatic;

namespace {

// ---- the settings of np.errstate

enum mode { ignore, warn, raise, call, print, log };  // as NumPy numbers them

// The content of NumPy's context variable.
struct numpy_settings {
    int modes;  // three bits each: divide, over, under, invalid
    Py_ssize_t buffer_size;
    PyObject* function;
};

constexpr int fp_error_count = 4;
constexpr char const* fp_error_names[fp_error_count] = {"divide by zero", "overflow", "underflow", "invalid value"};
constexpr char const* setting_names[fp_error_count] = {"divide", "over", "under", "invalid"};
constexpr char const* mode_names[] = {"ignore", "warn", "raise", "call", "print", "log"};

mode mode_of(int modes, int condition) { return static_cast<mode>(modes >> 3 * condition & 7); }

PyObject* variable = nullptr;
bool is_legible = false;  // whether the variable has the expected layout

struct asked {
    PyObject* capsule = nullptr;  // these are immutable, so one that is known need not be read again
    numpy_settings const* settings = nullptr;
    std::uint8_t check = 0;
    bool at_once = false;
};
asked last;

PyObject* settings_capsule() noexcept {
    PyObject* value = nullptr;
    if (PyContextVar_Get(variable, nullptr, &value) < 0) PyErr_Clear();
    return value;
}

std::uint8_t wanted(int modes) {
    int check = 0;
    for (int c = 0; c < fp_error_count; ++c) check |= (mode_of(modes, c) != ignore) << c;
    return static_cast<std::uint8_t>(check);
}

bool waits_for_nothing(int modes) {
    for (int c = 0; c < fp_error_count; ++c)
        if (mode_of(modes, c) > warn) return true;
    return false;
}

// Through np.geterr, where the variable does not have the expected layout.
int modes_by_name() noexcept {
    reference const all{PyObject_CallMethod(numpy_module(), "geterr", nullptr)};
    int modes = 0;
    for (int c = 0; all.p && c < fp_error_count; ++c) {
        PyObject* const name = PyDict_GetItemString(all.p, setting_names[c]);
        for (int m = ignore; name && m <= log; ++m)
            if (PyUnicode_CompareWithASCIIString(name, mode_names[m]) == 0) modes |= m << 3 * c;
    }
    PyErr_Clear();
    return modes;
}

asked const& now() noexcept {
    if (!is_legible) {
        int const modes = modes_by_name();
        last.check = wanted(modes), last.at_once = waits_for_nothing(modes);
        return last;
    }
    PyObject* const capsule = settings_capsule();
    if (capsule == last.capsule) {
        Py_XDECREF(capsule);
        return last;
    }
    Py_XSETREF(last.capsule, capsule);
    last.settings = static_cast<numpy_settings const*>(PyCapsule_GetPointer(capsule, "numpy.ufunc.extobj"));
    last.check = wanted(last.settings->modes), last.at_once = waits_for_nothing(last.settings->modes);
    return last;
}

int modes_now() noexcept { return is_legible ? now().settings->modes : modes_by_name(); }

PyObject* function_now() noexcept {
    return is_legible ? Py_NewRef(now().settings->function)
                      : PyObject_CallMethod(numpy_module(), "geterrcall", nullptr);
}

// ---- where in the program

bool starts_with(PyObject* name, std::string_view prefix) {
    Py_ssize_t n = 0;
    char const* const text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &n) : nullptr;
    if (!text) return false;
    std::string_view const whole(text, static_cast<std::size_t>(n));
    return whole.starts_with(prefix) && (whole.size() == prefix.size() || whole[prefix.size()] == '.');
}

// Packages that report no errors, as the ones they mirror. The scheduler calls users' functions, so it is not among
// them.
bool is_quiet(PyObject* module) {
    for (char const* const name : {"bascule.dask._plans", "bascule.dask._scheduler", "bascule.dask._register"})
        if (starts_with(module, name)) return false;
    return starts_with(module, "bascule.pandas") || starts_with(module, "bascule.dask") ||
           starts_with(module, "bascule.random");
}

// The innermost frame that is not the library's own.
struct user_frame {
    PyFrameObject* frame = nullptr;
    PyObject* module = nullptr;  // its name, borrowed
    int depth = 1;               // as warnings count it
    bool quiet = false;

    user_frame() noexcept : frame(PyThreadState_GetFrame(PyThreadState_Get())) {
        static PyObject* const name = PyUnicode_InternFromString("__name__");
        for (; frame; ++depth) {
            reference const globals{PyFrame_GetGlobals(frame)};
            module = PyDict_GetItem(globals.p, name);
            if (!starts_with(module, "bascule")) return;
            quiet = quiet || is_quiet(module);
            PyFrameObject* const outer = PyFrame_GetBack(frame);
            Py_DECREF(frame);
            frame = outer;
        }
    }
    ~user_frame() { Py_XDECREF(frame); }
    user_frame(user_frame const&) = delete;
    user_frame& operator=(user_frame const&) = delete;
};

// The latest call sites that made nodes. A node of an older one, still pending after so many others, is reported
// without.
struct call_site {
    PyCodeObject* code = nullptr;
    int instruction = 0;
    PyObject* module = nullptr;
    std::size_t filters = 0;  // the warning filters that held there, by number
    friend bool operator==(call_site const& a, call_site const& b) {
        return a.code == b.code && a.instruction == b.instruction && a.filters == b.filters;
    }
};
struct call_site_hash {
    std::size_t operator()(call_site const& s) const noexcept {
        return (std::hash<void*>{}(s.code) * 31 + static_cast<std::size_t>(s.instruction)) * 31 + s.filters;
    }
};
constexpr std::uint32_t most_sites = 1 << 16;
std::vector<call_site> sites;
std::unordered_map<call_site, std::uint32_t, call_site_hash> numbers;
std::uint32_t next_site = 0;

// The location of the innermost frame, if that is not the library's own: recognised again without its module's name.
struct latest_site {
    PyObject* globals = nullptr;  // compared, never dereferenced
    std::uint32_t number = 0;
};
latest_site latest[64];

latest_site& place_of(call_site const& site) { return latest[call_site_hash{}(site) / 2 % std::size(latest)]; }

// Empty: none of the latest.
std::optional<std::uint32_t> number_of_innermost() noexcept {
    reference const frame{reinterpret_cast<PyObject*>(PyThreadState_GetFrame(PyThreadState_Get()))};
    auto* const innermost = reinterpret_cast<PyFrameObject*>(frame.p);
    if (!innermost) return {};
    reference const code{reinterpret_cast<PyObject*>(PyFrame_GetCode(innermost))},
        globals{PyFrame_GetGlobals(innermost)};
    call_site const site{reinterpret_cast<PyCodeObject*>(code.p), PyFrame_GetLasti(innermost), nullptr,
                         warning_filters::now().number};
    auto const& place = place_of(site);
    bool const known = place.globals == globals.p && place.number < sites.size() && sites[place.number] == site;
    return known ? std::optional(place.number) : std::nullopt;
}

std::uint32_t line_of_caller() noexcept {
    if (!PyGILState_Check()) return 0;
    if (warning_filters::now().ignores && !now().at_once) return errstate::nobodys_line;
    if (auto const number = number_of_innermost()) return *number + 1;
    user_frame const at;
    if (at.quiet) return errstate::nobodys_line;
    if (!at.frame) return 0;
    call_site site{PyFrame_GetCode(at.frame), PyFrame_GetLasti(at.frame), at.module, warning_filters::now().number};
    auto const known = numbers.find(site);
    if (known != numbers.end()) {
        if (at.depth == 1) {
            reference const globals{PyFrame_GetGlobals(at.frame)};
            place_of(site) = {globals.p, known->second};
        }
        Py_DECREF(site.code);
        return known->second + 1;
    }
    Py_XINCREF(site.module);
    std::uint32_t const number = next_site++ % most_sites;
    if (number < sites.size()) {
        numbers.erase(sites[number]);
        Py_DECREF(sites[number].code);
        Py_XDECREF(sites[number].module);
        sites[number] = site;
    } else {
        sites.push_back(site);
    }
    numbers.emplace(site, number);
    return number + 1;
}

// Code that records warnings expects them where NumPy's are raised; warnings.catch_warnings puts something else than a
// function here. So do filters that make errors of them.
bool someone_listens() noexcept {
    static PyObject* const warnings = PyImport_ImportModule("warnings");
    static PyObject* const name = PyUnicode_InternFromString("_showwarnmsg_impl");
    if (warnings_come != warning_time::automatic) return warnings_come == warning_time::at_once;
    if (!warnings || !PyGILState_Check()) return false;
    PyObject* const shows = PyDict_GetItemWithError(PyModule_GetDict(warnings), name);
    return (shows && !PyFunction_Check(shows)) || warning_filters::now().raises;
}

// ---- telling

char const* op_name(std::uint16_t op) {
    static constexpr char const* products[] = {"matmul", "matvec", "vecmat", "vecdot"};
    if (op == errstate::divmod_call) return "divmod";
    if (op == errstate::dot_call) return "dot";
    return op >= errstate::product_call ? products[op - errstate::product_call] : ops::table[op].name;
}

std::vector<std::string> sentences;  // by their numbers; a program has a few

std::string name_of(errstate::finding const& f, int condition) {
    switch (f.how) {
        case errstate::kind::ufunc: return f.op == errstate::no_aggregate ? "at" : op_name(f.op);
        case errstate::kind::scalar: return std::string("scalar ") + op_name(f.op);
        case errstate::kind::reduceat: return "reduceat";
        case errstate::kind::accumulate: return "accumulate";
        case errstate::kind::cast: return "cast";
        case errstate::kind::reduce:
        case errstate::kind::sentence: break;
    }
    bool const spreads = f.op == ops::aggregate_number<ops::aggregate::var> ||
                         f.op == ops::aggregate_number<ops::aggregate::std_dev>;
    // NumPy's functions subtract the mean and square the differences.
    if (spreads) return condition == 3 ? "subtract" : squares_are_products ? "multiply" : "square";
    return "reduce";
}

bool fail(PyObject* type, std::string const& text) {
    PyErr_SetString(type, text.c_str());
    return false;
}

bool give_to_function(mode how, char const* condition, std::string const& name, int bits) {
    reference const function{function_now()};
    if (!function.p) return false;
    bool const calls = how == call;
    if (function.p == Py_None)
        return fail(PyExc_NameError, calls ? std::string("python callback specified for ") + condition + " (in  " +
                                                 name + ") but no function found."
                                           : std::string("log specified for ") + condition + " (in " + name +
                                                 ") but no object with write method found.");
    std::string const line = std::string("Warning: ") + condition + " encountered in " + name + "\n";
    reference const done{calls ? PyObject_CallFunction(function.p, "si", condition, bits)
                               : PyObject_CallMethod(function.p, "write", "s", line.c_str())};
    return done.p != nullptr;
}

bool warn_at_line(errstate::finding const& f, std::string const& text, int depth) {
    if (f.line == 0) return PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), depth) == 0;
    call_site const& site = sites[f.line - 1];
    reference const message{PyUnicode_FromString(text.c_str())};
    PyObject* const module = site.module ? PyImport_GetModule(site.module) : nullptr;
    reference const holds{module};
    PyObject* registry = nullptr;
    if (module && PyModule_Check(module)) {
        PyObject* const globals = PyModule_GetDict(module);
        registry = PyDict_GetItemString(globals, "__warningregistry__");
        if (!registry) {
            reference const fresh{PyDict_New()};
            if (!fresh.p || PyDict_SetItemString(globals, "__warningregistry__", fresh.p) < 0) return false;
            registry = fresh.p;
        }
    }
    PyErr_Clear();
    warning_filters::of_a_while const as_there(site.filters);
    return message.p &&
           PyErr_WarnExplicitObject(PyExc_RuntimeWarning, message.p, site.code->co_filename,
                                    PyCode_Addr2Line(site.code, site.instruction), site.module, registry) == 0;
}

bool report_finding(errstate::finding const& f, int condition, int modes, int depth) {
    if (f.how == errstate::kind::sentence) return warn_at_line(f, sentences[f.op], depth);
    // A lazy operation was set to warn when it was made.
    mode const how = f.line ? warn : mode_of(modes, condition);
    std::string const name = name_of(f, condition),
                      text = std::string(fp_error_names[condition]) + " encountered in " + name;
    switch (how) {
        case ignore: return true;
        case warn: return warn_at_line(f, text, depth);
        case raise: return fail(PyExc_FloatingPointError, text);
        case print: std::fprintf(stderr, "Warning: %s\n", text.c_str()); return true;
        default: return give_to_function(how, fp_error_names[condition], name, f.fp_errors);
    }
}

}  // namespace

std::uint8_t enabled_fp_errors() noexcept { return now().check; }

checked_call::checked_call(bool scalars) noexcept : errstate::scope(now().check, now().at_once) {
    errstate::current.scalars = scalars;
}

checked_call::checked_call(gil g) noexcept : checked_call() {
    auto& asked = errstate::current;
    if (!g.released || !asked.check || asked.at_once) return;
    asked.at_once = someone_listens();
    asked.line = asked.at_once ? 0 : line_of_caller();
}

bool report_fp_errors() noexcept {
    std::vector<errstate::finding> const all = errstate::take();
    user_frame const at;
    int const modes = modes_now();
    for (auto const& f : all) {
        if ((f.line == 0 && at.quiet)) continue;
        for (int c = 0; c < fp_error_count; ++c)
            if ((f.fp_errors >> c & 1) && !report_finding(f, c, modes, at.depth)) return false;
    }
    return true;
}

std::uint16_t number_of_sentence(std::string_view text) {
    auto const known = std::find(sentences.begin(), sentences.end(), text);
    auto const number = static_cast<std::uint16_t>(known - sentences.begin());
    if (known == sentences.end()) sentences.emplace_back(text);
    return number;
}

void watch_errors() {
    reference const module{PyImport_ImportModule("numpy._core._multiarray_umath")};
    variable = module.p ? PyObject_GetAttrString(module.p, "_extobj_contextvar") : nullptr;
    PyErr_Clear();
    if (variable && PyContextVar_CheckExact(variable)) {
        reference const capsule{settings_capsule()};
        is_legible = capsule.p && PyCapsule_IsValid(capsule.p, "numpy.ufunc.extobj");
        is_legible = is_legible &&
                     static_cast<numpy_settings const*>(PyCapsule_GetPointer(capsule.p, "numpy.ufunc.extobj"))->modes ==
                         modes_by_name();
    }
    PyErr_Clear();
    errstate::set_caller_hooks({&line_of_caller, &someone_listens});
}

// ---- Ctrl-C while kernels run: Python's signal handlers run in the main thread between kernels, and their exceptions
// end the evaluation. A thread that waits for another's kernels releases the GIL, so that the main thread can always
// take it.

namespace {

// Taking the GIL may cost a whole switch interval where other threads compute in Python.
constexpr auto look_every = std::chrono::milliseconds(20);

thread_local without_gil* the_released = nullptr;

void* give_gil_up() noexcept { return PyGILState_Check() ? PyEval_SaveThread() : nullptr; }
void take_gil_again(void* state) noexcept { PyEval_RestoreThread(static_cast<PyThreadState*>(state)); }

}  // namespace

without_gil::without_gil(bool yes) : state_(yes ? PyEval_SaveThread() : nullptr) {
    if (!state_) return;
    outer_ = std::exchange(the_released, this);
    looked_ = std::chrono::steady_clock::now();
}
without_gil::~without_gil() {
    if (!state_) return;
    the_released = outer_;
    PyEval_RestoreThread(state_);
}

// The error it leaves behind is the one that the caller of the evaluation gets to see.
bool handler_raised() noexcept {
    without_gil* const released = the_released;
    if (!released) return PyGILState_Check() && !PyErr_Occurred() && PyErr_CheckSignals() < 0;
    auto const now = std::chrono::steady_clock::now();
    if (now - released->looked_ < look_every || !system::is_main_thread()) return false;
    released->looked_ = now;
    the_released = nullptr;
    PyEval_RestoreThread(released->state_);
    bool const raised = !PyErr_Occurred() && PyErr_CheckSignals() < 0;
    released->state_ = PyEval_SaveThread();
    the_released = released;
    return raised;
}

void watch_signals() {
    sched::set_interrupt_check(&handler_raised);
    set_wait_hooks({&give_gil_up, &take_gil_again});
}

}  // namespace bascule::python
