/* SPDX-License-Identifier: Apache-2.0 */
/* C++: rows that the solver adds to what Bullet has. Rows of both ends in one tree have one
 * Jacobian, the difference of both: Bullet's direct solver takes two Jacobians of one tree as if
 * they were of different trees. */
#ifndef DOPPEL_SIM_SOLVER_ROWS_H
#define DOPPEL_SIM_SOLVER_ROWS_H

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraint.h>

#include "solver.h"

namespace dpl_solver_rows
{

/* A multibody, and where its links are since the newest step (Bullet's own cache is a step late).
 */
struct tree {
    BT_DECLARE_ALIGNED_ALLOCATOR();
    btMultiBody *body = nullptr;
    /* [links + 1], the base first: of the centre of mass */
    btAlignedObjectArray<btTransform> world;
    btAlignedObjectArray<btVector3> linear, angular;
    void update();
};

/* A body of a tree, and a frame in it. Without a tree: the world. */
struct end {
    struct tree *tree = nullptr;
    int link = -1;
    btTransform frame = btTransform::getIdentity(); /* in the frame of the centre of mass */
    btMultiBody *body() const
    {
        return tree ? tree->body : nullptr;
    }
    btTransform now() const;                       /* the frame in the world */
    btVector3 velocity(const btVector3 &at) const; /* of the body's point that is there, m/s */
    btVector3 angular() const;                     /* rad/s */
};

/* Of the collision objects of a tree; -1: it has none. */
int island_of(const btMultiBody *tree);

/* Rows between two ends. */
class rows : public btMultiBodyConstraint
{
  public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    rows(const end &a, const end &b, int most);
    void finalizeMultiDof() override;
    int getIslandIdA() const override;
    int getIslandIdB() const override;
    void debugDraw(btIDebugDraw *) override
    {
    }

  protected:
    /* What a row is of: along `linear` and about `angular` of b against a; each is a unit vector or
     * 0. `error` is what is to become 0. */
    struct target {
        btVector3 linear{0, 0, 0}, angular{0, 0, 0};
        btVector3 at_a{0, 0, 0}, at_b{0, 0, 0};
        double error = 0, speed = 0, least = -SIMD_INFINITY, most = SIMD_INFINITY;
    };
    /* As many rows as this step has so far. */
    int n_rows_now = 0;
    void add(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
             const btContactSolverInfo &info, const target &wanted);
    /* The same for a coordinate of the tree of `a`. */
    void add_coordinate(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                        const btContactSolverInfo &info, int coordinate, const target &wanted);
    /* The same with a turn of each end: the sum of both speeds. */
    void add_turns_of_both(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                           const btContactSolverInfo &info, const btVector3 &of_first,
                           const btVector3 &of_second, double error);
    /* The same with the coordinates of the links of both ends, which are of trees: (that of
     * `second`) - ratio * (that of `first`). */
    void add_coordinates_of_both(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                                 const btContactSolverInfo &info, double ratio, double error);
    end first, second;

  private:
    btMultiBodySolverConstraint &begin(btMultiBodyConstraintArray &all,
                                       const btMultiBodyJacobianData &data);
    btAlignedObjectArray<btScalar> own, part; /* Jacobians */
};

/* A joint that closes a loop. */
class loop : public rows
{
  public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    loop(const end &a, const end &b, const dpl_solver_loop &what);
    void createConstraintRows(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                              const btContactSolverInfo &info) override;
    const end &at_a() const
    {
        return first;
    }
    const end &at_b() const
    {
        return second;
    }
    /* After a step: it breaks when it had to give more than it can. */
    void measure(double dt);
    bool is_broken = false;

  private:
    void add_travels(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                     const btContactSolverInfo &info, const btTransform &a, const btTransform &b);
    void add_turns(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                   const btContactSolverInfo &info, const btTransform &a, const btTransform &b);
    bool travel[3];
    dpl_solver_turns turns;
    int n_travels = 0;
    double break_force, break_torque;
};

/* Two turns that go together. */
class gear : public rows
{
  public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    gear(const end &a, const end &b, double of_b);
    void createConstraintRows(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                              const btContactSolverInfo &info) override;
    /* After a step: sums up what the solver has left. */
    void measure(double dt);

  private:
    double ratio, drift = 0; /* rad of a */
};

/* One value of a joint: of a link of a tree, or of a loop. */
class freedom : public rows
{
  public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    explicit freedom(const end &link_of_a_tree);
    freedom(const loop &closed, bool is_turn, bool second);
    void createConstraintRows(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                              const btContactSolverInfo &info) override;
    /* Before the step: the effort acts from here on. */
    void push() const;
    /* Position (a turn of a loop goes on beyond half a turn), velocity, and the impulse of the row.
     */
    void measure();
    dpl_solver_command command{};
    dpl_solver_value value{};
    bool has_limits = false;
    double lower = 0, upper = 0;
    /* The link whose value it is; without a tree: the value of a loop. */
    end link() const
    {
        return of ? end() : second;
    }

  private:
    const loop *of = nullptr; /* nullptr: a link of a tree */
    bool turns, is_second;
    int held_row = -1;
    double position_of_loop(const btTransform &a, const btTransform &b) const;
    btVector3 axis(const btTransform &a, const btTransform &b) const;
    void add_one(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                 const btContactSolverInfo &info, target wanted);
};

/* The value of one link follows that of another: value = ratio * (that of the other) + offset. */
class mimic : public rows
{
  public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    mimic(const end &leader, const end &follower, double ratio_of, double offset_of);
    void createConstraintRows(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                              const btContactSolverInfo &info) override;

  private:
    double ratio, offset;
};

} // namespace dpl_solver_rows

#endif
