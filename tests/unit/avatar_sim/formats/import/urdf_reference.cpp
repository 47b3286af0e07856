/* SPDX-License-Identifier: Apache-2.0 */
/* Link poses of a URDF by other means: read by urdfdom (the parser of ROS), forward kinematics by
 * 4x4 matrices and Rodrigues' formula. Prints NAME x y z and the nine elements of the rotation, a
 * line a link, for joints NAME=VALUE of the command line; and of each link with mass its centre
 * and inertia in the axes of the link. */
#include <urdf_parser/urdf_parser.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace
{

using matrix = std::array<std::array<double, 4>, 4>;

matrix identity()
{
    matrix m{};
    for (size_t i = 0; i < 4; i++) {
        m[i][i] = 1;
    }
    return m;
}

matrix times(const matrix &a, const matrix &b)
{
    matrix c{};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            for (size_t k = 0; k < 4; k++) {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    return c;
}

/* cos I + sin [u] + (1 - cos) u u^T */
matrix rotation(urdf::Vector3 u, double angle)
{
    double length = std::sqrt(u.x * u.x + u.y * u.y + u.z * u.z);
    const std::array<double, 3> a = {u.x / length, u.y / length, u.z / length};
    double c = std::cos(angle), s = std::sin(angle);
    matrix m = identity();
    const double skew[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            m[i][j] = (i == j ? c : 0) + s * skew[i][j] + (1 - c) * a[i] * a[j];
        }
    }
    return m;
}

/* Fixed axes: x, then y, then z. urdfdom keeps a quaternion; roll, pitch, yaw are got back. */
matrix transform(const urdf::Pose &pose)
{
    double roll, pitch, yaw;
    pose.rotation.getRPY(roll, pitch, yaw);
    matrix m = times(times(rotation({0, 0, 1}, yaw), rotation({0, 1, 0}, pitch)),
                     rotation({1, 0, 0}, roll));
    m[0][3] = pose.position.x;
    m[1][3] = pose.position.y;
    m[2][3] = pose.position.z;
    return m;
}

matrix motion(const urdf::Joint &joint, double q)
{
    matrix m = identity();
    if (joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS) {
        return rotation(joint.axis, q);
    }
    if (joint.type == urdf::Joint::PRISMATIC) {
        double n = std::sqrt(joint.axis.x * joint.axis.x + joint.axis.y * joint.axis.y +
                             joint.axis.z * joint.axis.z);
        m[0][3] = joint.axis.x / n * q;
        m[1][3] = joint.axis.y / n * q;
        m[2][3] = joint.axis.z / n * q;
    }
    return m;
}

std::map<std::string, double> positions;

double position_of(const urdf::ModelInterface &model, const urdf::Joint &joint)
{
    if (joint.mimic) {
        const urdf::Joint &other = *model.getJoint(joint.mimic->joint_name);
        return joint.mimic->multiplier * position_of(model, other) + joint.mimic->offset;
    }
    return positions[joint.name];
}

void print_inertia(const urdf::Link &link)
{
    if (!link.inertial) {
        return;
    }
    const urdf::Inertial &own = *link.inertial;
    matrix r = transform(own.origin);
    const double tensor[3][3] = {
        {own.ixx, own.ixy, own.ixz}, {own.ixy, own.iyy, own.iyz}, {own.ixz, own.iyz, own.izz}};
    std::printf("mass %s %.17g %.17g %.17g %.17g", link.name.c_str(), own.mass, r[0][3], r[1][3],
                r[2][3]);
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            double sum = 0;
            for (size_t k = 0; k < 3; k++) {
                for (size_t l = 0; l < 3; l++) {
                    sum += r[i][k] * tensor[k][l] * r[j][l];
                }
            }
            std::printf(" %.17g", sum);
        }
    }
    std::printf("\n");
}

void print_link(const urdf::ModelInterface &model, const urdf::Link &link, const matrix &at)
{
    std::printf("pose %s", link.name.c_str());
    for (size_t i = 0; i < 3; i++) {
        std::printf(" %.17g", at[i][3]);
    }
    for (size_t i = 0; i < 9; i++) {
        std::printf(" %.17g", at[i / 3][i % 3]);
    }
    std::printf("\n");
    print_inertia(link);
    for (const auto &joint : link.child_joints) {
        matrix to = times(transform(joint->parent_to_joint_origin_transform),
                          motion(*joint, position_of(model, *joint)));
        print_link(model, *model.getLink(joint->child_link_name), times(at, to));
    }
}

} // namespace

int main(int argc, char **argv)
{
    std::ifstream file(argc > 1 ? argv[1] : "");
    std::stringstream text;
    text << file.rdbuf();
    auto model = urdf::parseURDF(text.str());
    if (!model) {
        return 1;
    }
    for (int i = 2; i < argc; i++) {
        std::string given = argv[i];
        size_t equals = given.find('=');
        positions[given.substr(0, equals)] = std::atof(given.c_str() + equals + 1);
    }
    print_link(*model, *model->getRoot(), identity());
    return 0;
}
