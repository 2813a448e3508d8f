// Spilling: when a device's memory is short, storages that are not in use, least recently used first, are moved to the
// host's memory, and from there to disk. They come back when they are used. Off unless it is configured.
//
// A storage may be moved once user code holds it (`hand_out`) or a flush has filled it, while no flush or call reads or
// fills it (`running_readers`, `running`), and as long as its address has not left the library (`exports`).
#pragma once
#include <string>
#include <vector>

#include "bascule/array/storage.hpp"

namespace bascule::spill {

struct options {
    bool to_host = false, to_disk = false;
    std::int64_t host_limit = 0, disk_limit = 0;  // bytes
    std::string directory;                        // of the file on disk
};
// Throws value_error where there is no such directory. Storages that have been moved stay where they are.
void configure(options const& o);

struct statistics {
    std::int64_t host_bytes = 0, disk_bytes = 0;      // bytes spilled at present
    std::int64_t moved_out = 0, moved_out_bytes = 0;  // storages, since the start
    std::int64_t moved_in = 0, moved_in_bytes = 0;    // that came back
    std::int64_t written_bytes = 0, read_bytes = 0;   // to and from the disk
};
statistics now();

// While addresses of the library's memory are in use outside it, nothing is moved. Counted.
void begin_hold();
void end_hold();

void link(storage* s);
// `s` is known outside of the call that made it: its elements are written.
inline void hand_out(storage* s) {
    if (s && !s->where().api->host_memory && !s->may_be_moved) [[unlikely]]
        link(s);
}

// ---- the graph's lock is held
void make_newest(storage* s) noexcept;
inline void touch(storage* s) noexcept {  // it is being used
    if (s->may_be_moved) [[unlikely]]
        make_newest(s);
}
void move_in(storage* s);  // throws memory_error where there is no room; then it stays where it was
void hand_over(storage* from, storage* to) noexcept;  // where the elements of `from` were moved to, those of `to` are
void forget(storage* s) noexcept;                     // it dies, or its elements do: takes the lock itself
std::string why_nothing_moves();                      // for errors: empty where it is off

// Storages that stay where they are, once they are there, as long as this lives. The graph's lock is held when it is
// made, added to and gone.
class kept_in_memory {
public:
    kept_in_memory() noexcept = default;
    ~kept_in_memory();
    kept_in_memory(kept_in_memory const&) = delete;
    kept_in_memory& operator=(kept_in_memory const&) = delete;
    void add(storage* s) {
        if (s && !s->where().api->host_memory) [[unlikely]]
            keep(s);
    }

private:
    void keep(storage* s);
    std::vector<storage_ref> kept_;
};

}  // namespace bascule::spill
