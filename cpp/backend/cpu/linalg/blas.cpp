#include "backend/cpu/linalg/blas.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <string>

#include "backend/cpu/common/last_error.hpp"
#include "bascule/core/blas_library.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu::blas {
namespace {

// Symbols carry a prefix in the wheel, so that they never collide with those of another BLAS in the process; other
// builds use none.
struct symbols {
    void* handle;
    bool complete = true;

    void* find(std::string const& name) {
        void* found = dlsym(handle, ("scipy_" + name).c_str());
        if (found == nullptr) found = dlsym(handle, name.c_str());
        if (found == nullptr) complete = false;
        return found;
    }
    template <class F> void bind(F*& to, std::string const& name) { to = reinterpret_cast<F*>(find(name)); }
};

template <class T> void bind(symbols& s, routines<T>& r, std::string const& letter) {
    bool const is_complex = is_complex_type<T>;
    s.bind(r.gemm, letter + "gemm_");
    s.bind(r.gemv, letter + "gemv_");
    s.bind(r.syrk, letter + "syrk_");
    if (is_complex) {
        s.bind(r.dotu, "cblas_" + letter + "dotu_sub");
        s.bind(r.dotc, "cblas_" + letter + "dotc_sub");
    } else {
        s.bind(r.dot, "cblas_" + letter + "dot");
    }
    s.bind(r.getrf, letter + "getrf_");
    s.bind(r.gesv, letter + "gesv_");
    s.bind(r.potrf, letter + "potrf_");
    s.bind(r.geqrf, letter + "geqrf_");
    s.bind(r.orgqr, letter + (is_complex ? "ungqr_" : "orgqr_"));
    r.syevd = s.find(letter + (is_complex ? "heevd_" : "syevd_"));
    r.geev = s.find(letter + "geev_");
    r.gesdd = s.find(letter + "gesdd_");
    r.gelsd = s.find(letter + "gelsd_");
}

struct opened {
    std::mutex mutex;
    void* handle = nullptr;
    library functions{};
    bool usable = false;
};

// OpenBLAS's threads look for work for this long before they sleep: 2^20 ticks instead of its 2^26, during which (some
// 30 ms) they would take the processors from the kernels that follow.
constexpr char const* patience_name = "OPENBLAS_THREAD_TIMEOUT";
constexpr char const* patience = "20";

void* open_file(std::string const& file) {
    bool const asked = std::getenv(patience_name) != nullptr;
    if (!asked) setenv(patience_name, patience, 1);
    void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!asked) unsetenv(patience_name);
    return handle;
}

bool open_into(opened& o) {
    for (std::string const& file : blas_library_files())
        if ((o.handle = open_file(file)) != nullptr) break;
    if (o.handle == nullptr) return false;
    symbols s{o.handle};
    bind(s, o.functions.s, "s");
    bind(s, o.functions.d, "d");
    bind(s, o.functions.c, "c");
    bind(s, o.functions.z, "z");
    s.bind(o.functions.set_threads, "openblas_set_num_threads");
    return s.complete;
}

// The number of threads that a program has asked of linear algebra, by the names that OpenBLAS and others read.
int asked_threads() {
    for (char const* const name : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "MKL_NUM_THREADS"}) {
        char const* const text = std::getenv(name);
        int n = 0;
        if (text != nullptr && std::from_chars(text, text + std::strlen(text), n).ec == std::errc{} && n > 0) return n;
    }
    return std::numeric_limits<int>::max();
}

// Which kind of session is on, and how many.
struct sessions {
    std::mutex mutex;
    std::condition_variable idle;
    int running[2] = {0, 0};
    int threads = 0;  // the number last passed to the library; 0: none yet
};

opened& the_library() {
    static opened* const one = [] {
        static opened* made;
        made = new opened;
        pthread_atfork([] { made->mutex.lock(); }, [] { made->mutex.unlock(); }, [] { new (&made->mutex) std::mutex; });
        return made;
    }();
    return *one;
}

// Threads of the parent do not exist in a forked child; OpenBLAS starts new ones when the number of threads is set.
sessions& the_sessions() {
    static sessions* const one = [] {
        static sessions* made;
        made = new sessions;
        pthread_atfork([] { made->mutex.lock(); }, [] { made->mutex.unlock(); }, [] { new (made) sessions; });
        return made;
    }();
    return *one;
}

}  // namespace

library const* open() noexcept {
    try {
        opened& o = the_library();
        std::lock_guard const lock(o.mutex);
        if (!o.usable) o.usable = open_into(o);
        if (o.usable) return &o.functions;
    } catch (std::exception const&) {  // no memory for a path
    }
    set_last_error("[linalg] needs OpenBLAS, which was not found: pip install scipy-openblas32 (or name its file in "
                   "BASCULE_OPENBLAS)");
    return nullptr;
}

session::session(library const& l, threading kind) noexcept : kind_(kind) {
    sessions& s = the_sessions();
    auto const mine = static_cast<int>(kind), other = 1 - mine;
    std::unique_lock lock(s.mutex);
    s.idle.wait(lock, [&] { return s.running[other] == 0; });
    static int const most = asked_threads();
    int const threads = kind == threading::single ? 1 : std::min(sched::thread_count(), most);
    if (s.running[mine]++ == 0 && s.threads != threads) l.set_threads(s.threads = threads);
}

session::~session() {
    sessions& s = the_sessions();
    std::lock_guard const lock(s.mutex);
    if (--s.running[static_cast<int>(kind_)] == 0) s.idle.notify_all();
}

}  // namespace bascule::cpu::blas
