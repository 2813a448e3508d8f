// Floating-point errors of checked values, gathered by kernels in words of the device's memory.
#pragma once
#include <optional>

#include "backend/cuda/codegen/plan_text.hpp"

namespace bascule::cuda {

int count_of_checked(plan const&);
inline bool checked(plan const& p) { return count_of_checked(p) > 0; }

// Where kernels or the flags of checked values and of reductions together: memory of the device from the caller, which
// is read when it waits, or words of this plan's own that come back before `run` returns.
class flag_words {
public:
    flag_words(device& d, plan const& p, stream_handle stream);
    // The array in which a thread gathers; one for all checked values of the plan.
    static std::string declaration(plan const&);
    // Lines in which a thread adds the errors that it collected for these values.
    void print_report(kernel_text&, std::vector<int> const& values) const;
    // The line that adds `own`, the errors that a thread collected for a reduction itself.
    std::string report_of_reduction(kernel_text&, int which) const;
    void collect();

private:
    int count() const { return plan_.nvalues + plan_.nreductions; }
    std::string address(kernel_text&) const;

    device& device_;
    plan const& plan_;
    stream_handle stream_;
    std::optional<scratch> own_;
};

}  // namespace bascule::cuda
