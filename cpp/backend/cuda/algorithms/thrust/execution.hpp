// How the sources of this folder run. Bodies are queued on the stream one after the other and capture by value; in a
// host build without a GPU they run when its stream gets to them. Values that the host needs are read back by `read`,
// which waits.
#pragma once
#include <thrust/execution_policy.h>

#include <string>
#include <utility>

#include "backend/cuda/algorithms/thrust/library.hpp"
#include "bascule/core/array_algorithms_ordered.hpp"
#include "bascule/core/table_algorithms_group.hpp"
#include "bascule/core/table_algorithms_sort_join.hpp"
#include "bascule/core/table_algorithms_string_search.hpp"
#include "bascule/core/table_algorithms_strings.hpp"
#include "bascule/core/table_algorithms_window.hpp"

#if defined(BASCULE_EMULATED_ALGORITHMS)
#include <functional>
namespace bascule::fake {
// Puts work of the host on a stream of the fake driver; not 0: it would not take it.
int submit_to_stream(void* stream, std::function<void()> work);
}  // namespace bascule::fake
#else
#include <thrust/system/cuda/execution_policy.h>
#endif

namespace bascule::cuda::algorithms {

struct host_said_no {};
struct bad_index {
    std::string text;
};
struct unsupported {
    std::string text;
};
struct device_failed {
    std::string text;
};

class context {
public:
    explicit context(algorithm_host const& host) : host_(host) {}

    // Body: takes an execution policy of Thrust.
    template <class Body> void queue(Body body) const {
#if defined(BASCULE_EMULATED_ALGORITHMS)
        if (bascule::fake::submit_to_stream(host_.stream, [body] { body(thrust::cpp::par); }) != 0)
            throw device_failed{"a stream took no more work"};
#else
        temporary_memory memory{&host_};
        body(thrust::cuda::par_nosync(memory).on(static_cast<cudaStream_t>(host_.stream)));
#endif
    }
    void* stream() const { return host_.stream; }
    void* allocate(std::int64_t bytes) const {
        void* const p = host_.allocate(host_.owner, bytes);
        if (!p) throw host_said_no{};
        return p;
    }
    void release(void* p, std::int64_t bytes) const { host_.release(host_.owner, p, bytes); }
    void upload(void* to, void const* from, std::int64_t bytes) const {
        if (!host_.upload(host_.owner, to, from, bytes)) throw host_said_no{};
    }
    template <class T> T read(T const* p) const {
        T value{};
        if (!host_.read(host_.owner, &value, p, sizeof value)) throw host_said_no{};
        return value;
    }
    template <class T> void read(T const* p, T* to, std::int64_t items) const {
        if (items > 0 && !host_.read(host_.owner, to, p, items * static_cast<std::int64_t>(sizeof(T))))
            throw host_said_no{};
    }

private:
    // Temporary memory of Thrust, from the device's pool.
    struct temporary_memory {
        using value_type = char;
        algorithm_host const* host;
        char* allocate(std::ptrdiff_t bytes) {
            void* const p = host->allocate(host->owner, bytes);
            if (!p) throw host_said_no{};
            return static_cast<char*>(p);
        }
        void deallocate(char* p, std::size_t bytes) { host->release(host->owner, p, static_cast<std::int64_t>(bytes)); }
    };
    algorithm_host const& host_;
};

// Device memory for the time of a call.
template <class T> class buffer {
public:
    buffer(context const& c, std::int64_t items)
        : context_(c), bytes_(items * static_cast<std::int64_t>(sizeof(T))), p_(static_cast<T*>(c.allocate(bytes_))) {}
    ~buffer() { context_.release(p_, bytes_); }
    buffer(buffer const&) = delete;
    buffer& operator=(buffer const&) = delete;
    T* get() const { return p_; }

private:
    context const& context_;
    std::int64_t bytes_;
    T* p_;
};

void sort(context const&, sort_args const&);
void argsort(context const&, argsort_args const&);
void select_ranks(context const&, select_ranks_args const&);
void factorize(context const&, factorize_args&);
void searchsorted(context const&, searchsorted_args const&);
void bincount(context const&, bincount_args&);
void histogram(context const&, histogram_args const&);
void aggregate_by_id(context const&, aggregate_by_id_args const&);
void group_ranks(context const&, group_ranks_args const&);
void join_pairs(context const&, join_pairs_args&);
void gather_strings(context const&, gather_strings_args&);
void concat_strings(context const&, concat_strings_args&);
void compare_strings(context const&, compare_strings_args const&);
void find_strings(context const&, find_strings_args const&);
void assemble_strings(context const&, assemble_strings_args&);
void replace_strings(context const&, replace_strings_args&);
void validity_bits(context const&, validity_bits_args&);
void window_bounds(context const&, window_bounds_args const&);
void window_aggregate(context const&, window_aggregate_args const&);
void window_exponential(context const&, window_exponential_args const&);

}  // namespace bascule::cuda::algorithms
