// Declarations shared by the fake cuBLAS, cuSOLVER and cuFFT. Each checks every argument as the library's documentation
// requires, then queues work that runs on the host. A wrong argument is a status, and bascule_fake_message names it.
// BASCULE_FAKE_CUDA_FAIL fails the k-th call of any function here, too.
#pragma once
#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace bascule::fake {

// ---- of the driver: see fake_cuda.cpp
int enter_call(char const* name);  // counts it; not 0: it has to fail
int submit_as(char const* name, void* stream, std::function<void()> work);
void complain(std::string text);
void* current_context();
bool is_capturing();  // a stream of the context that is current: libraries make no handles then
void* context_of_stream(void* stream);
bool lies_in_context(void const* p, std::size_t bytes);

// Of BASCULE_FAKE_CUDA_LIBRARIES_AHEAD: so much newer, or older, than CUDA 13's the libraries say that they are.
int versions_ahead();

// ---- elements, by the numbers of cudaDataType
using number = std::complex<double>;
constexpr int real_32 = 0, real_64 = 1, real_16 = 2, complex_32 = 4, complex_64 = 5;
std::size_t size_of_type(int type);  // 0: none that is known
inline bool is_complex_type(int type) { return type == complex_32 || type == complex_64; }
inline int real_type_of(int type) { return type == complex_32 ? real_32 : type == complex_64 ? real_64 : type; }
number load(int type, void const* p, std::int64_t k);
void store(int type, void* p, std::int64_t k, number v);

// A matrix by columns on the device, gathered and put back.
std::vector<number> gather(int type, void const* p, std::int64_t rows, std::int64_t columns, std::int64_t leading);
void scatter(int type, void* p, std::int64_t rows, std::int64_t columns, std::int64_t leading,
             std::vector<number> const& v);

// ---- checks: each records the first error
class checked {
public:
    explicit checked(char const* function) : function_(function) {}
    checked& that(bool good, std::string const& what) {
        if (!good && good_) complain(std::string(function_) + ": " + what), good_ = false;
        return *this;
    }
    // `count` matrices of this many rows and columns, `stride` elements apart, on the device of the calling thread.
    checked& matrix(char const* name, int type, void const* p, std::int64_t rows, std::int64_t columns,
                    std::int64_t leading, std::int64_t stride = 0, std::int64_t count = 1);
    checked& vector(char const* name, int type, void const* p, std::int64_t n) {
        return matrix(name, type, p, n, 1, n > 0 ? n : 1);
    }
    checked& bytes(char const* name, void const* p, std::size_t n, std::size_t alignment);
    bool good() const { return good_; }

private:
    char const* function_;
    bool good_ = true;
};

// A handle belongs to the device that it was made on and the thread that chose its stream.
struct library_handle {
    std::uint64_t mark = alive;
    void* context = current_context();
    void* stream = nullptr;
    std::thread::id thread{};
    void* workspace = nullptr;
    std::size_t workspace_bytes = 0;

    static constexpr std::uint64_t alive = 0x6261736375c0ffee;
    int set_stream(void* s) {
        if (mark != alive || context != current_context() || context_of_stream(s) != context) return -1;
        stream = s, thread = std::this_thread::get_id(), workspace = nullptr, workspace_bytes = 0;
        return 0;
    }
    bool usable() const {
        return mark == alive && context == current_context() && thread == std::this_thread::get_id();
    }
};

// The two ends of a work space are used.
void use(void* p, std::size_t bytes);

// ---- LAPACK, of the file that BASCULE_FAKE_CUDA_LAPACK names, on memory of the host
void* lapack_symbol(char const* name);
template <class F> F* lapack(char const* name) { return reinterpret_cast<F*>(lapack_symbol(name)); }

// Of matrices as the libraries have them; info comes back.
int potrf(int type, char triangle, int n, void* p, std::int64_t leading);
int getrf(int type, int m, int n, void* p, std::int64_t leading, std::int64_t* pivots);
int getrs(int type, char op, int n, int columns, void const* p, std::int64_t leading, std::int64_t const* pivots,
          void* q, std::int64_t leading_b);
int syevd(int type, char job, char triangle, int n, void* p, std::int64_t leading, void* w);
struct singular_call {
    int type;
    char job;
    int m, n;
    void* a;
    std::int64_t lda;
    void *s, *u;
    std::int64_t ldu;
    void* vt;
    std::int64_t ldvt;
};
int gesvd(singular_call const&);

}  // namespace bascule::fake
