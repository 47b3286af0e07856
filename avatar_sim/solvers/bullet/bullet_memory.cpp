/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and callbacks that all users of Bullet share: see bullet_memory.h. */
#include "bullet_memory.h"

#include <btBulletCollisionCommon.h>

#include <cstdio>
#include <cstdlib>
#include <new>

namespace dpl_bullet_memory
{

namespace
{

enum { END_CODE = 3 }; /* as DPL_EXIT_FAULT */

thread_local dpl_heap *heap_at_work;

/* Bullet does not look whether it got memory. */
void *allocate(size_t size, int)
{
    void *memory = dpl__heap_alloc(heap_at_work, size);
    return memory ? memory : throw std::bad_alloc();
}

void give_back(void *memory)
{
    dpl__heap_free(heap_at_work, memory);
}

/* Of one side of a contact: its shape's material, else that of the body. */
material material_of(const btCollisionObjectWrapper *side)
{
    const auto *own = static_cast<const material *>(side->getCollisionShape()->getUserPointer());
    const btCollisionObject *body = side->getCollisionObject();
    return own ? *own : material{body->getFriction(), body->getRestitution()};
}

/* Bullet knows one friction a body; shapes of one body may be of several materials: a caster slides
 * although its chassis does not. */
bool set_point(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int,
               const btCollisionObjectWrapper *b, int, int)
{
    material first = material_of(a), second = material_of(b);
    point.m_combinedFriction = first.friction * second.friction;
    point.m_combinedRestitution = first.restitution * second.restitution;
    return true;
}

} // namespace

at_work::at_work(dpl_heap *heap) : before(heap_at_work)
{
    heap_at_work = heap;
}

at_work::~at_work()
{
    heap_at_work = before;
}

void install_callbacks()
{
    static const bool installed = [] {
        btAlignedAllocSetCustomAligned(allocate, give_back);
        gContactAddedCallback = set_point;
        return true;
    }();
    (void)installed;
}

void end_full()
{
    std::fputs("doppel: a world has used up all of its memory\n", stderr);
    std::exit(END_CODE); /* a run that is under way stops its devices then */
}

} // namespace dpl_bullet_memory
