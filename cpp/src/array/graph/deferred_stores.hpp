// Stores into parts of pending arrays: they stay pending too and run together with them (design rule 4).
#pragma once
#include <vector>

#include "bascule/array/graph.hpp"

namespace bascule::deferred_stores {

// Adds to[...] = from after the pending operations of `to`'s storage, in program order. False, and nothing was done:
// the store has to run at once. The lock is held.
bool add(graph_lock& lock, operand const& from, array const& to);

// The storages, newest first, whose waiting stores fill `s`.
std::vector<storage*> of(storage* s);

// Boxes of `s` that together are all that its waiting stores leave out; elements that a store writes may be among them.
std::vector<placement> rest(storage const* s, std::vector<storage*> const& stores);

// The contents of `s`, pending or in memory, on a storage of their own; `s` is left without any.
storage_ref contents_apart(storage* s);

}  // namespace bascule::deferred_stores
