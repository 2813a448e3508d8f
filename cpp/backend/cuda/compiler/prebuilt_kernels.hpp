// Kernels that were compiled when the library was built, so that the most frequent calls need no compiler. They are in
// a file whose first line identifies the sources and headers it was made of; the file of another build is ignored.
//   first line; number of kernels; for each an architecture of 16 bytes, padded with zeros ("sm_90", "compute_120"),
//   and offset and size of its text and of its image; sources and images. Numbers are 64 bits, offsets from the file's
//   start.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace bascule::cuda {

class prebuilt_kernels {
public:
    void lie_in(std::string file) { file_ = std::move(file); }
    // The image of this unit that a device of this compute capability runs, empty if there is none: machine code of its
    // own generation, else PTX, which the driver translates.
    std::string find(std::string const& text, int capability);
    // A line for users: how many, or why none.
    std::string describe();

private:
    struct kernel {
        char architecture[16];
        std::uint64_t text, text_size, image, image_size;
    };
    void open();
    static int rank(kernel const& k, int capability);  // the greater the better; 0: it does not run there

    std::mutex mutex_;
    std::string file_, why_none_;
    bool opened_ = false;
    std::vector<kernel> kernels_;
};

}  // namespace bascule::cuda
