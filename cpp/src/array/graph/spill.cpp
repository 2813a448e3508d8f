#include "bascule/array/spill.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <list>
#include <thread>

#include "bascule/array/spill_file.hpp"
#include "bascule/core/device_services.hpp"
#include "graph_state.hpp"

namespace bascule::spill {

// Elements of a storage that are not in its memory: in the host's, or in the file from `at` on.
struct moved_elements {
    device where;
    std::int64_t bytes;
    std::byte* host = nullptr;
    std::int64_t at = -1;
    std::list<moved_elements*>::iterator place;  // among those in the host's memory
};

namespace {

constexpr std::int64_t least_bytes = 4096;                   // of a storage, for less it is not worth while
constexpr std::int64_t piece_bytes = std::int64_t{4} << 20;  // of copies to and from the disk
constexpr auto longest_wait = std::chrono::seconds(10);      // for a thread that holds the graph's lock

struct spill_state {
    std::atomic<bool> on = false;
    int holds = 0;
    // Bytes being brought back, which leave the host or the disk as soon as they are here: other storages may use that
    // room before.
    std::int64_t coming_from_host = 0, coming_from_disk = 0;
    options chosen;
    spill_file file;
    storage *oldest = nullptr, *newest = nullptr;  // storages that may be moved, by their last use
    std::list<moved_elements*> on_host;            // moved longest ago first
    statistics counts;
    std::vector<backend const*> known;  // that ask `relieve`
};
spill_state& the() {
    static auto* const s = new spill_state;
    return *s;
}

std::string& reason() {
    thread_local std::string text;
    return text;
}

void unlink(storage* s) noexcept {
    auto& t = the();
    (s->used_before ? s->used_before->used_later : t.oldest) = s->used_later;
    (s->used_later ? s->used_later->used_before : t.newest) = s->used_before;
    s->used_before = s->used_later = nullptr;
}

void append(storage* s) noexcept {
    auto& t = the();
    s->used_before = t.newest, s->used_later = nullptr;
    (t.newest ? t.newest->used_later : t.oldest) = s;
    t.newest = s;
}

bool is_idle(storage const& s) {
    return s.ready() && !s.pending && !s.running && s.running_readers == 0 && s.kept_in_memory == 0 && !s.foreign() &&
           s.exports.load(std::memory_order_relaxed) == 0 && s.bytes() >= least_bytes;
}

// ---- memory of the host

std::byte* host_memory(device where, std::int64_t bytes) {
    void* p = nullptr;
    auto const& services = services_of(where.api);
    if (!services.allocate_host) return static_cast<std::byte*>(std::malloc(static_cast<std::size_t>(bytes)));
    return services.allocate_host(where.index, bytes, &p) == status::ok ? static_cast<std::byte*>(p) : nullptr;
}

void give_host_memory(device where, std::byte* p, std::int64_t bytes) noexcept {
    auto const& services = services_of(where.api);
    if (services.allocate_host) services.release_host(where.index, p, bytes);
    else std::free(p);
}

struct piece {
    device where;
    std::byte* memory;
    explicit piece(device d) : where(d), memory(host_memory(d, piece_bytes)) {}
    ~piece() {
        if (memory) give_host_memory(where, memory, piece_bytes);
    }
    piece(piece const&) = delete;
    piece& operator=(piece const&) = delete;
};

bool waited(device where) {
    if (where.api->synchronize(where.index, nullptr) == status::ok) return true;
    reason() = where.api->last_error();
    return false;
}

void leave_host(moved_elements& m) noexcept {
    give_host_memory(m.where, std::exchange(m.host, nullptr), m.bytes);
    the().on_host.erase(m.place);
    the().counts.host_bytes -= m.bytes;
}

void drop(moved_elements* m) noexcept {
    if (m->host) leave_host(*m);
    if (m->at >= 0) the().file.give(m->at, m->bytes), the().counts.disk_bytes -= m->bytes;
    delete m;
}

// move(memory, first, bytes) for one piece after the other; each has waited before the memory is used again.
template <class Move> bool each_piece(moved_elements const& m, Move&& move) {
    piece const p(m.where);
    bool good = p.memory != nullptr;
    for (std::int64_t done = 0; good && done < m.bytes; done += piece_bytes)
        good = move(p.memory, done, std::min(piece_bytes, m.bytes - done));
    return good;
}

// ---- out of the device

// -1: `reason` says why not.
std::int64_t room_on_disk(std::int64_t bytes) {
    auto& t = the();
    return t.file.take(bytes, t.chosen.disk_limit + t.coming_from_disk, reason());
}

bool settled_on_disk(moved_elements& m, std::int64_t at, bool written) {
    auto& t = the();
    if (!written) {
        t.file.give(at, m.bytes);
        return false;
    }
    m.at = at;
    t.counts.disk_bytes += m.bytes, t.counts.written_bytes += m.bytes;
    return true;
}

// From the host's memory to the disk.
bool move_on(moved_elements& m) {
    if (!waited(m.where)) return false;  // the copy to the host may be under way
    std::int64_t const at = room_on_disk(m.bytes);
    if (at < 0 || !settled_on_disk(m, at, the().file.write(at, m.host, m.bytes, reason()))) return false;
    leave_host(m);
    return true;
}

bool has_room_on_host(std::int64_t bytes) {
    auto& t = the();
    while (t.counts.host_bytes + bytes > t.chosen.host_limit + t.coming_from_host) {
        bool const may_move_on = t.chosen.to_disk && bytes <= t.chosen.host_limit && !t.on_host.empty();
        if (may_move_on && move_on(*t.on_host.front())) continue;
        std::string const full = "the host's share is full, " + std::to_string(t.counts.host_bytes) + " of " +
                                 std::to_string(t.chosen.host_limit) + " bytes";
        reason() = t.chosen.to_disk && !reason().empty() ? full + "; " + reason() : full;
        return false;
    }
    return true;
}

bool copy_to_host(storage const& s, moved_elements& m) {
    if (!has_room_on_host(m.bytes)) return false;
    m.host = host_memory(m.where, m.bytes);
    if (!m.host) {
        reason() = "the host has no memory for " + std::to_string(m.bytes) + " bytes";
        return false;
    }
    m.place = the().on_host.insert(the().on_host.end(), &m);
    the().counts.host_bytes += m.bytes;
    if (m.where.api->copy(m.where.index, m.host, s.data(), m.bytes, copy_kind::device_to_host, nullptr) == status::ok)
        return true;
    reason() = m.where.api->last_error();
    leave_host(m);
    return false;
}

bool copy_to_disk(storage const& s, moved_elements& m) {
    std::string const before = reason();
    std::int64_t const at = room_on_disk(m.bytes);
    if (at < 0) {
        if (!before.empty() && before.find(reason()) == before.npos) reason() = before + "; " + reason();
        else if (!before.empty()) reason() = before;
        return false;
    }
    return settled_on_disk(m, at, each_piece(m, [&](std::byte* memory, std::int64_t done, std::int64_t n) {
                               auto const [api, index] = m.where;
                               return api->copy(index, memory, s.data() + done, n, copy_kind::device_to_host,
                                                nullptr) == status::ok &&
                                      waited(m.where) && the().file.write(at + done, memory, n, reason());
                           }));
}

// The copy may be under way. Null: `reason` says why not.
moved_elements* copy_out(storage const& s) {
    auto m = std::make_unique<moved_elements>();
    m->where = s.where(), m->bytes = s.bytes();
    reason().clear();
    bool const there = (the().chosen.to_host && copy_to_host(s, *m)) || (the().chosen.to_disk && copy_to_disk(s, *m));
    return there ? m.release() : nullptr;
}

std::int64_t free_memory(std::vector<storage_ref> const& going) {
    auto& counts = the().counts;
    std::int64_t bytes = 0;
    for (auto const& s : going) {
        s->discard(s->take_memory());
        bytes += s->bytes();
        ++counts.moved_out, counts.moved_out_bytes += s->bytes();
    }
    return bytes;
}

std::int64_t move_out(device where, std::int64_t wanted) {
    if (the().holds > 0) {
        reason() = "a graph (bc.cuda.Graph) lives, whose arrays stay where they are";
        return 0;
    }
    std::vector<storage_ref> going;
    std::int64_t bytes = 0;
    bool found = false;
    for (storage *s = the().oldest, *next = nullptr; s && bytes < wanted; s = next) {
        next = s->used_later;
        if (!(s->where() == where) || !is_idle(*s)) continue;
        auto alive = storage_ref::if_alive(s);
        if (!alive) continue;
        found = true;
        moved_elements* const m = copy_out(*s);
        if (!m) break;
        s->moved = m;
        bytes += s->bytes();
        going.push_back(std::move(alive));
    }
    if (!found) reason() = "all of it is in use now, or known outside of the library";
    if (going.empty() || waited(where)) return free_memory(going);
    for (auto const& s : going) drop(std::exchange(s->moved, nullptr));
    return 0;
}

// Another thread that holds the lock may itself wait for this one.
bool locked_before_long() {
    auto const end = std::chrono::steady_clock::now() + longest_wait;
    while (!state().mutex.try_lock()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    return true;
}

std::int64_t relieve(backend const* api, std::int32_t index, std::int64_t bytes, char const** why) {
    if (!the().on.load(std::memory_order_relaxed)) return 0;
    reason().clear();
    if (!locked_before_long()) {
        reason() = "another thread holds the arrays";
        *why = reason().c_str();
        return 0;
    }
    std::int64_t freed = 0;
    try {
        freed = move_out({api, index}, bytes);
    } catch (std::exception const& e) { reason() = e.what(); }
    state().mutex.unlock();
    *why = reason().c_str();
    return freed;
}

// ---- and back

struct coming {
    std::int64_t& bytes;
    std::int64_t const of;
    explicit coming(moved_elements const& m)
        : bytes(m.host ? the().coming_from_host : the().coming_from_disk), of(m.bytes) {
        bytes += of;
    }
    ~coming() { bytes -= of; }
    coming(coming const&) = delete;
    coming& operator=(coming const&) = delete;
};

bool read_back(moved_elements const& m, std::byte* to) {
    bool const good = each_piece(m, [&](std::byte* memory, std::int64_t done, std::int64_t n) {
        auto const [api, index] = m.where;
        return the().file.read(m.at + done, memory, n, reason()) &&
               api->copy(index, to + done, memory, n, copy_kind::host_to_device, nullptr) == status::ok &&
               waited(m.where);
    });
    the().counts.read_bytes += good ? m.bytes : 0;
    return good;
}

}  // namespace

void configure(options const& o) {
    graph_lock lock;
    if (o.to_disk) the().file.lie_in(o.directory);
    the().chosen = o;
    the().on = o.to_host || o.to_disk;
}

statistics now() {
    graph_lock lock;
    return the().counts;
}

void begin_hold() {
    graph_lock lock;
    ++the().holds;
}

void end_hold() {
    graph_lock lock;
    --the().holds;
}

void link(storage* s) {
    graph_lock lock;
    auto& known = the().known;
    if (std::find(known.begin(), known.end(), s->where().api) == known.end()) {
        known.push_back(s->where().api);
        if (auto const set = services_of(s->where().api).set_relief) set(relieve);
    }
    append(s);
    s->may_be_moved = true;
}

void make_newest(storage* s) noexcept {
    if (!s->used_later) return;
    unlink(s);
    append(s);
}

void forget(storage* s) noexcept {
    graph_lock lock;
    unlink(s);
    s->may_be_moved = false;
    if (s->moved) drop(std::exchange(s->moved, nullptr));
}

void hand_over(storage* from, storage* to) noexcept { to->moved = std::exchange(from->moved, nullptr); }

void move_in(storage* s) {
    moved_elements& m = *s->moved;
    std::byte* to = nullptr;
    {
        coming const room(m);
        to = s->allocate();
    }
    device const where = s->where();
    reason().clear();
    bool const good = m.host ? where.api->copy(where.index, to, m.host, m.bytes, copy_kind::host_to_device, nullptr) ==
                                       status::ok &&
                                   waited(where)
                             : read_back(m, to);
    if (!good) {
        s->discard(to);
        throw device_error("[spill] what had been moved out of " + where.name() +
                           " could not be brought back: " + (reason().empty() ? where.api->last_error() : reason()));
    }
    auto& counts = the().counts;
    ++counts.moved_in, counts.moved_in_bytes += m.bytes;
    drop(std::exchange(s->moved, nullptr));
    s->set_ready(to);
    touch(s);
}

std::string why_nothing_moves() {
    return the().on.load(std::memory_order_relaxed) && !reason().empty()
               ? "; nothing more of the device's memory can be moved: " + reason()
               : "";
}

void kept_in_memory::keep(storage* s) {
    kept_.emplace_back(s);
    ++s->kept_in_memory;
}

kept_in_memory::~kept_in_memory() {
    for (auto const& s : kept_) --s->kept_in_memory;
}

}  // namespace bascule::spill
