// Memory of one device in the order of its own stream, from the driver or from functions of another library, in place
// of the pool's. The choice is of the process, for what is allocated from then on.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "backend/cuda/driver/driver_api.hpp"
#include "bascule/core/device_services.hpp"

namespace bascule::cuda {

class ordered_memory {
public:
    ordered_memory(driver_api const& api, int ordinal) : api_(api), ordinal_(ordinal) {}
    void works_on(stream_handle own) { stream_ = own; }

    static void come_from(memory_origin, memory_functions);
    // Whether the pool is not asked.
    static bool is_chosen();

    // 0: there is none. Throws failure. The device's context is current.
    device_ptr allocate(std::int64_t bytes);
    // -1: it is not from here; else its bytes.
    std::int64_t release(device_ptr p) noexcept;
    void trim() noexcept;

private:
    struct piece {
        std::int64_t bytes;
        void (*release)(void*, std::size_t, int, void*);  // null: the driver's
    };
    memory_pool_handle drivers();
    void let_others_reach() const;

    driver_api const& api_;
    int ordinal_;
    stream_handle stream_ = nullptr;
    memory_pool_handle drivers_ = nullptr;
    std::unordered_map<device_ptr, piece> pieces_;
};

}  // namespace bascule::cuda
