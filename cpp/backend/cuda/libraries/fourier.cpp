#include "backend/cuda/libraries/fourier.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <vector>

#include "backend/cuda/driver/failure.hpp"
#include "backend/cuda/libraries/handles.hpp"
#include "backend/cuda/libraries/toolkit.hpp"

namespace bascule::cuda::libraries {
namespace {

// The parameters that a plan is made for.
struct plan_key {
    device const* on;
    fourier_kind kind;
    bool wide;
    std::int64_t batch;
    std::vector<wide_int> lengths;
    // Forward and backward are one plan.
    plan_key(device const& d, fourier_args const& a)
        : on(&d), kind(a.kind == fourier_kind::complex_backward ? fourier_kind::complex_forward : a.kind), wide(a.wide),
          batch(a.batch), lengths(a.lengths, a.lengths + a.rank) {}
    bool operator==(plan_key const&) const = default;
};
struct made_plan {
    plan_key key;
    fourier_plan plan = 0;
    std::size_t work_bytes = 0;
};

// Plans that no call is using; a plan belongs to one call as long as it runs. Those that were not used for longest go.
class plan_store {
public:
    made_plan take(device& d, plan_key key, cufft_api const& api) {
        {
            std::lock_guard const lock(mutex_);
            auto const found = std::find_if(free_.begin(), free_.end(), [&](auto const& p) { return p.key == key; });
            if (found != free_.end()) {
                made_plan p = std::move(*found);
                free_.erase(found);
                return p;
            }
        }
        return make(d, std::move(key), api);
    }
    void give_back(made_plan p, cufft_api const& api) {
        constexpr std::size_t most = 32;
        std::lock_guard const lock(mutex_);
        free_.push_front(std::move(p));
        if (free_.size() <= most) return;
        api.destroy(free_.back().plan);
        free_.pop_back();
    }

private:
    // Only the work area is allocated by us: the other device memory of a plan is small.
    static made_plan make(device& d, plan_key key, cufft_api const& api) {
        expects(
            !d.recorder().by_this_thread(), status::value_error,
            "fft: a transform of this kind and these lengths has to run once before begin_capture, so that its plan "
            "is there");
        made_plan p{std::move(key)};
        must(created(d, [&] { return api.create(&p.plan); }), fourier_no_memory, "cufftCreate");
        int const real = p.key.wide ? real_64 : real_32, complex = p.key.wide ? complex_64 : complex_32;
        int const in = p.key.kind == fourier_kind::from_real ? real : complex,
                  out = p.key.kind == fourier_kind::to_real ? real : complex;
        char const* failed = "cufftSetAutoAllocation";
        int code = api.set_auto_allocation(p.plan, 0);
        if (code == 0) {
            failed = "cufftXtMakePlanMany";
            code = created(d, [&] {
                return api.make_plan(p.plan, static_cast<int>(p.key.lengths.size()), p.key.lengths.data(), nullptr, 1,
                                     0, in, nullptr, 1, 0, out, p.key.batch, &p.work_bytes, complex);
            });
        }
        if (code != 0) api.destroy(p.plan);
        must(code, fourier_no_memory, failed);
        return p;
    }

    std::mutex mutex_;
    std::list<made_plan> free_;
};
plan_store& plans() {
    static auto* const all = new plan_store;
    return *all;
}

// A plan for the time of one call.
class leased_plan {
public:
    leased_plan(device& d, fourier_args const& a, cufft_api const& api)
        : api_(api), plan_(plans().take(d, plan_key(d, a), api)) {}
    ~leased_plan() { plans().give_back(std::move(plan_), api_); }
    leased_plan(leased_plan const&) = delete;
    leased_plan& operator=(leased_plan const&) = delete;
    made_plan const& get() const { return plan_; }

private:
    cufft_api const& api_;
    made_plan plan_;
};

}  // namespace

void transform(device& d, fourier_args const& a, stream_handle stream) {
    cufft_api const& api = needed(cufft(), "fft");
    expects(a.rank >= 1 && a.rank <= 3, status::not_supported, "fft: one to three axes at a time");
    if (a.batch == 0) return;
    leased_plan const plan(d, a, api);
    scratch const work(d, static_cast<std::int64_t>(plan.get().work_bytes), stream);
    must(api.set_stream(plan.get().plan, stream), fourier_no_memory, "cufftSetStream");
    must(api.set_work_area(plan.get().plan, work.get()), fourier_no_memory, "cufftSetWorkArea");
    bool const back = a.kind == fourier_kind::complex_backward || a.kind == fourier_kind::to_real;
    must(api.execute(plan.get().plan, a.in, a.out, back ? backward : forward), fourier_no_memory, "cufftXtExec");
}

}  // namespace bascule::cuda::libraries
