// SPDX-License-Identifier: Apache-2.0
// A robot that lives in ROS 2, as the nodes of a TurtleBot 2 make it of a Kobuki base and a Hokuyo scanner: both are on
// ports (emulated ones), odometry and scans become topics, and velocities go to the base while they come. Part of
// fast_peer.cpp.
#include <fcntl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

static double seconds_now()
{
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

static builtin_interfaces::msg::dds_::Time_ time_of(double at)
{
    builtin_interfaces::msg::dds_::Time_ time;
    time.sec(int32_t(at));
    time.nanosec(uint32_t((at - std::floor(at)) * 1e9));
    return time;
}

static int open_port(const char *path)
{
    int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    termios raw;
    if (fd < 0 || tcgetattr(fd, &raw) < 0) {
        perror(path);
        exit(1);
    }
    cfmakeraw(&raw);
    tcsetattr(fd, TCSANOW, &raw);
    return fd;
}

static void read_into(int fd, std::string &bytes)
{
    char some[4096];
    ssize_t n;
    while ((n = read(fd, some, sizeof some)) > 0) {
        bytes.append(some, size_t(n));
    }
}

// The velocity that was published last, while it is fresh: then a base of ROS stops by itself.
class Commands
{
  public:
    explicit Commands(bool stamped)
        : twists(stamped ? nullptr
                         : reader_of("rt/cmd_vel",
                                     TypeSupport(new geometry_msgs::msg::dds_::Twist_PubSubType()),
                                     true)),
          stamped_twists(
              stamped ? reader_of("rt/cmd_vel",
                                  TypeSupport(new geometry_msgs::msg::dds_::TwistStamped_PubSubType()),
                                  true)
                      : nullptr)
    {
    }
    void take(double &v, double &w)
    {
        SampleInfo info;
        geometry_msgs::msg::dds_::TwistStamped_ message;
        while ((twists ? twists->take_next_sample(&message.twist(), &info)
                       : stamped_twists->take_next_sample(&message, &info)) ==
               ReturnCode_t::RETCODE_OK) {
            if (info.valid_data) {
                newest = message.twist();
                came = seconds_now();
                tell();
            }
        }
        if (seconds_now() - came > 0.5 && came > 0.0) {
            newest = {};
            came = 0.0;
            printf("no velocity comes: stopped\n");
            moves = false;
        }
        v = newest.linear().x();
        w = newest.angular().z();
    }

  private:
    void tell()
    {
        bool moving = newest.linear().x() != 0.0 || newest.angular().z() != 0.0;
        if (moving != moves) {
            printf("velocity %s\n", moving ? "other than 0" : "0");
            moves = moving;
        }
    }
    DataReader *twists, *stamped_twists;
    geometry_msgs::msg::dds_::Twist_ newest;
    double came = 0.0;
    bool moves = false;
};

class Base
{
  public:
    Base(const char *path, bool stamped)
        : fd(open_port(path)), commands(stamped),
          writer(writer_of("rt/odom", TypeSupport(new nav_msgs::msg::dds_::Odometry_PubSubType())))
    {
    }
    void turn()
    {
        read_into(fd, bytes);
        for (size_t at; (at = bytes.find("\xAA\x55")) != std::string::npos && bytes.size() > at + 3;) {
            size_t n = (unsigned char)bytes[at + 2];
            if (bytes.size() < at + n + 4) {
                break;
            }
            take_frame(reinterpret_cast<const unsigned char *>(bytes.data()) + at + 3, n);
            bytes.erase(0, at + n + 4);
        }
        if (seconds_now() - sent > 0.04) {
            command();
        }
    }

  private:
    void take_frame(const unsigned char *payload, size_t n)
    {
        for (size_t at = 0; at + 2 <= n && at + 2 + payload[at + 1] <= n; at += 2u + payload[at + 1]) {
            const unsigned char *data = payload + at + 2;
            if (payload[at] == 1 && payload[at + 1] >= 15) {
                move(uint16_t(data[5] | data[6] << 8), uint16_t(data[7] | data[8] << 8));
            }
        }
    }
    void move(uint16_t left, uint16_t right)
    {
        const double tick = 0.002436916871 * 0.035;
        double l = known ? int16_t(left - last_left) * tick : 0.0;
        double r = known ? int16_t(right - last_right) * tick : 0.0;
        double turned = (r - l) / 0.23, now = seconds_now();
        x += (l + r) / 2.0 * std::cos(theta + turned / 2.0);
        y += (l + r) / 2.0 * std::sin(theta + turned / 2.0);
        theta += turned;
        known = true;
        last_left = left;
        last_right = right;
        message.header().stamp(time_of(now));
        message.header().frame_id("odom");
        message.child_frame_id("base_footprint");
        message.pose().pose().position().x(x);
        message.pose().pose().position().y(y);
        message.pose().pose().orientation().z(std::sin(theta / 2.0));
        message.pose().pose().orientation().w(std::cos(theta / 2.0));
        writer->write(&message);
    }
    void command()
    {
        double v, w;
        commands.take(v, w);
        double radius = 0.0, speed = v * 1000.0;
        if (std::fabs(v) < 1e-4 && std::fabs(w) > 1e-6) {
            radius = 1.0;
            speed = w * 115.0;
        } else if (std::fabs(w) > 1e-6) {
            radius = v / w * 1000.0;
            speed = (radius + (radius > 0.0 ? 115.0 : -115.0)) * w;
        }
        auto s = int16_t(std::lround(speed));
        auto r = int16_t(std::lround(std::max(-32000.0, std::min(32000.0, radius))));
        unsigned char frame[] = {0xAA, 0x55, 6, 1, 4, (unsigned char)s, (unsigned char)(s >> 8),
                                 (unsigned char)r, (unsigned char)(r >> 8), 0};
        for (size_t i = 2; i < 9; i++) {
            frame[9] ^= frame[i];
        }
        sent = seconds_now();
        if (write(fd, frame, sizeof frame) < 0) {
            exit(1);
        }
    }
    int fd;
    Commands commands;
    DataWriter *writer;
    nav_msgs::msg::dds_::Odometry_ message;
    std::string bytes;
    bool known = false;
    uint16_t last_left = 0, last_right = 0;
    double x = 0.0, y = 0.0, theta = 0.0, sent = 0.0;
};

class Laser
{
  public:
    explicit Laser(const char *path)
        : fd(open_port(path)),
          writer(writer_of("rt/scan", TypeSupport(new sensor_msgs::msg::dds_::LaserScan_PubSubType())))
    {
        static const char requests[] = "QT\nBM\nMD0044072501000\n";
        message.header().frame_id("base_scan");
        message.angle_min(float((44 - 384) * step));
        message.angle_max(float((725 - 384) * step));
        message.angle_increment(float(step));
        message.time_increment(float(0.1 / 1024.0));
        message.scan_time(0.1F);
        message.range_min(0.02F);
        message.range_max(5.6F);
        if (write(fd, requests, sizeof requests - 1) < 0) {
            exit(1);
        }
    }
    void turn()
    {
        read_into(fd, bytes);
        for (size_t end; (end = bytes.find("\n\n")) != std::string::npos;) {
            take_reply(bytes.substr(0, end));
            bytes.erase(0, end + 2);
        }
    }

  private:
    void take_reply(const std::string &reply)
    {
        std::vector<std::string> lines;
        for (size_t at = 0; at <= reply.size();) {
            size_t end = std::min(reply.find('\n', at), reply.size());
            lines.push_back(reply.substr(at, end - at));
            at = end + 1;
        }
        if (lines.size() < 4 || lines[0].compare(0, 2, "MD") != 0 || lines[1].compare(0, 2, "99") != 0) {
            return;
        }
        std::string data;
        for (size_t i = 3; i < lines.size(); i++) {
            data += lines[i].substr(0, lines[i].size() - 1);
        }
        std::vector<float> ranges;
        for (size_t i = 0; i + 3 <= data.size(); i += 3) {
            int mm = (data[i] - 48) << 12 | (data[i + 1] - 48) << 6 | (data[i + 2] - 48);
            ranges.push_back(mm < 20 ? INFINITY : float(mm) * 1e-3F);
        }
        message.header().stamp(time_of(seconds_now() - double(ranges.size()) * 0.1 / 1024.0));
        message.ranges(ranges);
        writer->write(&message);
    }
    static constexpr double step = 2.0 * 3.14159265358979323846 / 1024.0;
    int fd;
    DataWriter *writer;
    sensor_msgs::msg::dds_::LaserScan_ message;
    std::string bytes;
};

static std::vector<Work> robot(const char *base_port, const char *laser_port, bool stamped)
{
    auto base = std::make_shared<Base>(base_port, stamped);
    auto laser = std::make_shared<Laser>(laser_port);
    return {[=] { base->turn(); }, [=] { laser->turn(); }};
}

// An arm behind a controller of trajectories, or one that forwards positions: its joints follow with a lag of 50 ms.
class Arm
{
  public:
    explicit Arm(bool forwards)
        : writer(writer_of("rt/joint_states",
                           TypeSupport(new sensor_msgs::msg::dds_::JointState_PubSubType()))),
          reader(forwards ? reader_of("rt/forward_position_controller/commands",
                                      TypeSupport(new std_msgs::msg::dds_::Float64MultiArray_PubSubType()),
                                      true)
                          : reader_of("rt/joint_trajectory_controller/joint_trajectory",
                                      TypeSupport(new trajectory_msgs::msg::dds_::JointTrajectory_PubSubType()),
                                      true)),
          is_forwarded(forwards)
    {
        message.name({"gripper", "elbow", "shoulder", "waist"});
        message.position(std::vector<double>(4));
        message.velocity(std::vector<double>(4, NAN)); // as ros2_control has it where there is none
        target = message.position();
    }
    void turn()
    {
        SampleInfo info;
        trajectory_msgs::msg::dds_::JointTrajectory_ trajectory;
        std_msgs::msg::dds_::Float64MultiArray_ values;
        while ((is_forwarded ? reader->take_next_sample(&values, &info)
                             : reader->take_next_sample(&trajectory, &info)) ==
               ReturnCode_t::RETCODE_OK) {
            if (info.valid_data && is_forwarded && values.data().size() == 3) {
                target = {0.0, values.data()[2], values.data()[1], values.data()[0]};
                tell();
            } else if (info.valid_data && !is_forwarded && trajectory.points().size() == 1) {
                follow(trajectory);
                tell();
            }
        }
        if (++turns % 4 == 0) {
            for (size_t i = 0; i < 4; i++) {
                message.position()[i] += (target[i] - message.position()[i]) * 0.02 / 0.05;
            }
            message.header().stamp(time_of(seconds_now()));
            writer->write(&message);
        }
    }

  private:
    void follow(trajectory_msgs::msg::dds_::JointTrajectory_ &trajectory)
    {
        const auto &names = trajectory.joint_names();
        for (size_t i = 0; i < names.size(); i++) {
            for (size_t k = 0; k < 4; k++) {
                if (names[i] == message.name()[k]) {
                    target[k] = trajectory.points()[0].positions()[i];
                }
            }
        }
    }
    void tell()
    {
        double away = 0.0;
        for (size_t i = 0; i < 4; i++) {
            away = std::max(away, std::fabs(target[i] - message.position()[i]));
        }
        const char *now = away > 0.03 ? "moves" : away < 0.025 ? "holds" : said;
        if (strcmp(now, said) != 0) {
            printf("arm %s\n", said = now);
        }
    }
    DataWriter *writer;
    DataReader *reader;
    bool is_forwarded;
    unsigned turns = 0;
    const char *said = "";
    std::vector<double> target;
    sensor_msgs::msg::dds_::JointState_ message;
};

// Turns at 0.5 rad/s. Each hundredth message is no measurement.
static Work inertia()
{
    DataWriter *writer = writer_of("rt/imu", TypeSupport(new sensor_msgs::msg::dds_::Imu_PubSubType()));
    auto n = std::make_shared<unsigned>(0);
    return [=] {
        sensor_msgs::msg::dds_::Imu_ message;
        double yaw = 0.5 * 0.005 * double(++*n);
        message.header().stamp(time_of(seconds_now()));
        message.angular_velocity().z(*n % 100 == 0 ? NAN : 0.5);
        message.linear_acceleration().z(9.81);
        message.orientation().z(std::sin(yaw / 2.0));
        message.orientation().w(std::cos(yaw / 2.0));
        writer->write(&message);
    };
}

static Work nonsense()
{
    DataWriter *odom = writer_of("rt/odom", TypeSupport(new nav_msgs::msg::dds_::Odometry_PubSubType()));
    DataWriter *scan = writer_of("rt/scan", TypeSupport(new sensor_msgs::msg::dds_::LaserScan_PubSubType()));
    return [=] {
        nav_msgs::msg::dds_::Odometry_ odometry;
        sensor_msgs::msg::dds_::LaserScan_ ranges;
        odometry.pose().pose().position().x(NAN);
        odometry.pose().pose().orientation().w(1.0);
        ranges.ranges(std::vector<float>(100000, 1.0F));
        odom->write(&odometry);
        scan->write(&ranges);
    };
}
