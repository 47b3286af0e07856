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
    /* [6 + freedoms] velocities before the newest step, and half of what it changed; 0: not known
     */
    btAlignedObjectArray<btScalar> before, lean;
    void update();
    /* Before a step, and in it once accelerations are known: they are those at the mean of the
     * velocities before and after the step. */
    void lean_forward();
    void lean_back();
    /* Whether a link (-1: the base) turned by more than Bullet can in a step. */
    bool is_overturned(int link, double dt) const;
    /* Its velocities change at once in this step: what they were says nothing of the next one. */
    bool is_struck = true;
    /* In the next step; of the world's axes, at the link's centre of mass. */
    void push(int link, const btVector3 &force, const btVector3 &torque);
    /* Before a step of which a reaction is to be known. */
    void begin_measuring();
    /* That a force acts in this step, which Bullet knows by itself. */
    void add_load(int link, const btVector3 &force, const btVector3 &torque,
                  const btVector3 &point);
    bool is_measured = false;
    /* [links + 1] of the newest step, in the world: where centres of mass were before it, momenta
     * before it, and what acted from outside of the tree but for gravity. */
    btAlignedObjectArray<btTransform> was;
    btAlignedObjectArray<btVector3> momentum, spin, force, torque;
    double mass_of(int link) const;
    btVector3 momentum_of(int link) const;
    btVector3 spin_of(int link) const; /* about its centre of mass, kg m^2/s */
    btVector3 moments_of(int link) const;
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
    /* In the next step; the force at a point. */
    void push(const btVector3 &force, const btVector3 &torque, const btVector3 &point) const;
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
    /* After a step: notes what the rows gave, in the trees of both ends. */
    void add_loads(double dt);
    /* Adds what the rows gave to the second end, about a point, N and N m. */
    void sum(double dt, const btVector3 &about, btVector3 *inout_force, btVector3 *inout_torque);
    /* How much faster an impulse of 1 of a row would make both ends, along the row, if nothing else
     * held them: no row of a joint moves more easily. */
    double free_inverse_mass(int row) const;
    double softness(int row) const
    {
        return shares[row].softness;
    }
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
        double softness = 0; /* speed for an impulse of 1 by which the row gives way */
    };
    /* What an impulse of 1 of a row is at both ends, in the world; a point is only of the force. */
    struct share {
        btVector3 force{0, 0, 0}, torque{0, 0, 0}, point{0, 0, 0};
        double inverse_mass_of(const end &of) const;
    };
    /* The same of the coordinate of a link. */
    static double inverse_mass_along(const end &link);
    struct share_of_both {
        share a, b;
        double along = 0; /* inverse mass of coordinates that the row is of */
        double softness = 0;
    };
    /* The number of rows of this step so far. */
    int n_rows_now = 0;
    btAlignedObjectArray<share_of_both> shares;
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
    /* Of a row that is filled. */
    void soften(btMultiBodySolverConstraint &row, double softness);
    /* A row of the step, with nothing in it yet. */
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

/* A spring between the travels of two bodies, of which one is in a tree whose base stands still.
 * Solved with the step (backward Euler): as a row that gives way, by a link of that tree which
 * nothing else moves and whose mass is what makes the row as soft as the spring. */
class belt : public rows
{
  public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    /* `soft`: that link, of the tree of either end. -1: the spring is a force of its own. */
    belt(const end &a, const end &b, const dpl_solver_belt &what, tree *holder, int soft);
    void createConstraintRows(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                              const btContactSolverInfo &info) override;
    void prepare(double dt);
    void measure(double dt);
    double tension = 0; /* N in the newest step */
    double energy() const;
    bool is_explicit() const
    {
        return soft_link < 0;
    }

  private:
    double stretch() const;
    double rate() const;
    void fill(btMultiBodyJacobianData &data, const end &of, const btVector3 &along,
              btScalar *jacobian);
    double stiffness, damping, ratio;
    tree *soft_tree;
    int soft_link;
    btVector3 start_a, start_b;
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
    /* Before the step: N or N m that act in it. */
    void push(double effort) const;
    /* Position (a turn of a loop goes on beyond half a turn), velocity, and the impulse of the row.
     */
    void measure();
    /* Before what pushes in a step. */
    void begin() const
    {
        pushed = {};
    }
    /* Adds the efforts of this step to the child's end, as rows::sum does. */
    void sum_pushed(const btVector3 &about, btVector3 *inout_force, btVector3 *inout_torque) const;
    const end &of_link() const
    {
        return second;
    }
    const loop *of_loop() const
    {
        return of;
    }
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
    int held_row = -1, damping_row = -1, stop_row = -1;
    double inertia_now = 0; /* in the row of the damper */
    mutable share pushed;   /* in this step, at the second end */
    void measure_motion();
    double position_of_loop(const btTransform &a, const btTransform &b) const;
    btVector3 axis(const btTransform &a, const btTransform &b) const;
    void add_one(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                 const btContactSolverInfo &info, target wanted);
    void add_drive(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                   const btContactSolverInfo &info);
    void add_dampers(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                     const btContactSolverInfo &info);
    void add_stop(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                  const btContactSolverInfo &info);
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
