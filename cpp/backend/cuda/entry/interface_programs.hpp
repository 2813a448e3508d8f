// Functions of the device interface that entry.cpp collects.
#pragma once
#include "backend/cuda/device/device.hpp"

namespace bascule::cuda {

device& device_at(std::int32_t i);  // throws failure for a number that is none, and in a forked process
backend_programs const* program_interface() noexcept;
backend_streams const* stream_interface() noexcept;
device_services graph_services() noexcept;  // no more than graphs

}  // namespace bascule::cuda
