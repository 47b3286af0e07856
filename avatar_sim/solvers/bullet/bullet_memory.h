/* SPDX-License-Identifier: Apache-2.0 */
/* C++, for the files of this folder: Bullet's memory comes from the heap of the world that the
 * thread is at work on. */
#ifndef DOPPEL_SIM_BULLET_MEMORY_H
#define DOPPEL_SIM_BULLET_MEMORY_H

#include <LinearMath/btAlignedAllocator.h>

#include <cerrno>
#include <cstddef>

#include "heap.h"

namespace dpl_bullet_memory
{

/* Bullet's allocations of this thread come from `heap` while this object lives. */
struct at_work {
    dpl_heap *before;
    explicit at_work(dpl_heap *heap);
    ~at_work();
    at_work(const at_work &) = delete;
    at_work &operator=(const at_work &) = delete;
};

/* Bullet has one of each callback a process: sets them, once. To be called before anything else. */
void install_callbacks();

/* Says that a world has used up all of its memory, and ends the process. */
[[noreturn]] void end_full();

/* What a shape that has a material points to (setUserPointer). */
struct material {
    double friction, restitution;
};

template <typename T> struct heap_allocator {
    using value_type = T;
    heap_allocator() = default;
    template <typename U> heap_allocator(const heap_allocator<U> &)
    {
    }
    T *allocate(size_t n)
    {
        return static_cast<T *>(btAlignedAlloc(n * sizeof(T), alignof(T)));
    }
    void deallocate(T *memory, size_t)
    {
        btAlignedFree(memory);
    }
    bool operator==(const heap_allocator &) const
    {
        return true;
    }
};

/* Nothing thrown may reach C; what is thrown here is want of memory. */
template <typename F> int build(dpl_heap *heap, F store)
{
    at_work here(heap);
    try {
        return store();
    } catch (...) {
        return -ENOMEM;
    }
}

/* The same for what cannot be half done. */
template <typename F> int advance(dpl_heap *heap, F change)
{
    int rc = build(heap, change);
    if (rc == -ENOMEM) {
        end_full();
    }
    return rc;
}

} // namespace dpl_bullet_memory

#endif
