// SPDX-License-Identifier: Apache-2.0
// Another vendor's participant (eProsima Fast DDS) that speaks the messages of gateways/ros2/idl,
// on the loopback device:
//   fast_peer echo                     sends each message of /echo/TYPE back on /echoed/TYPE, until
//   it is ended fast_peer watch S                  prints what it took of the topics of a run in S
//   seconds, and the nodes fast_peer drive S V W [stamped]    publishes a velocity on /cmd_vel for
//   S seconds, 20 times a second; V may be nan fast_peer wrong S                  is on /scan with
//   another type, and on /scan as a reader that wants it reliable
//   fast_peer robot S BASE LASER [stamped]    is a robot made of a Kobuki base and a Hokuyo scanner
//   at these ports, for S seconds
//   fast_peer nonsense S publishes odometry and scans that are no numbers; litter S: bytes that are
//   no odometry; mistype S: has /odom with another type
//   fast_peer arm S [forward]                 is an arm; fast_peer imu S    an inertial sensor
#include <array>
#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

#include "ros2_graphPubSubTypes.h"
#include "ros2_messagesPubSubTypes.h"

using namespace eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::IPLocator;
using eprosima::fastrtps::rtps::Locator_t;

static DomainParticipant *participant;
static Publisher *publisher;
static Subscriber *subscriber;

static Topic *topic_of(const std::string &name, const TypeSupport &type)
{
    TypeSupport(type).register_type(participant);
    auto *found = participant->lookup_topicdescription(name);
    return found ? static_cast<Topic *>(found)
                 : participant->create_topic(name, type.get_type_name(), TOPIC_QOS_DEFAULT);
}

static DataWriter *writer_of(const std::string &name, const TypeSupport &type)
{
    DataWriterQos qos = DATAWRITER_QOS_DEFAULT;
    qos.endpoint().history_memory_policy =
        eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    return publisher->create_datawriter(topic_of(name, type), qos);
}

static DataReader *reader_of(const std::string &name, const TypeSupport &type, bool reliable,
                             bool holds = false)
{
    DataReaderQos qos = DATAREADER_QOS_DEFAULT;
    qos.endpoint().history_memory_policy =
        eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    qos.reliability().kind = reliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
    qos.durability().kind = holds ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
    qos.history().depth = 200;
    return subscriber->create_datareader(topic_of(name, type), qos);
}

static void join()
{
    const char *text = getenv("ROS_DOMAIN_ID");
    unsigned domain = text ? unsigned(atoi(text)) : 0;
    DomainParticipantQos qos = PARTICIPANT_QOS_DEFAULT;
    auto transport = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    transport->interfaceWhiteList.push_back("127.0.0.1");
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(transport);
    qos.user_data().data_vec(
        std::vector<unsigned char>{'e', 'n', 'c', 'l', 'a', 'v', 'e', '=', '/', ';'});
    for (unsigned i = 0; i < 16; i++) {
        Locator_t locator;
        IPLocator::setIPv4(locator, "127.0.0.1");
        locator.port = 7400 + 250 * domain + 10 + 2 * i;
        qos.wire_protocol().builtin.initialPeersList.push_back(locator);
    }
    participant = DomainParticipantFactory::get_instance()->create_participant(domain, qos);
    publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
    subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
}

static void rest(int ms)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

using Work = std::function<void()>;

template <class Message, class Support> static Work echo(const char *name)
{
    TypeSupport type(new Support());
    DataReader *reader = reader_of(std::string("rt/echo/") + name, type, true);
    DataWriter *writer = writer_of(std::string("rt/echoed/") + name, type);
    return [=] {
        Message message;
        SampleInfo info;
        while (reader->take_next_sample(&message, &info) == ReturnCode_t::RETCODE_OK) {
            if (info.valid_data) {
                writer->write(&message);
            }
        }
    };
}

template <class Message, class Support>
static Work watch(const char *name, bool reliable, bool holds,
                  std::function<std::string(const Message &)> show)
{
    DataReader *reader =
        reader_of(std::string("rt/") + name, TypeSupport(new Support()), reliable, holds);
    auto n = std::make_shared<unsigned>(0);
    auto shown = std::make_shared<std::set<std::string>>();
    std::string text = name;
    return [=] {
        Message message;
        SampleInfo info;
        while (reader->take_next_sample(&message, &info) == ReturnCode_t::RETCODE_OK) {
            if (!info.valid_data) {
                continue;
            }
            std::string line = show(message);
            if (++*n == 1 || !line.empty()) {
                if (shown->insert(line).second && shown->size() < 200) {
                    printf("/%s %s\n", text.c_str(), line.c_str());
                }
            }
        }
    };
}

static std::string format(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return text;
}

#define TYPE(package, name) package::msg::dds_::name##_, package::msg::dds_::name##_PubSubType

/* What the node says of itself to others. */
static Work watch_graph()
{
    return [reader = reader_of(
                "ros_discovery_info",
                TypeSupport(new rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_PubSubType()),
                true, true)] {
        rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_ all;
        SampleInfo info;
        while (reader->take_next_sample(&all, &info) == ReturnCode_t::RETCODE_OK) {
            for (const auto &node : all.node_entities_info_seq()) {
                printf("node %s%s readers %zu writers %zu\n", node.node_namespace().c_str(),
                       node.node_name().c_str(), node.reader_gid_seq().size(),
                       node.writer_gid_seq().size());
            }
        }
    };
}

static std::vector<Work> all_watched()
{
    using Tf = tf2_msgs::msg::dds_::TFMessage_;
    auto frames = [](const Tf &tf) {
        std::string text;
        for (const auto &t : tf.transforms()) {
            text += t.header().frame_id() + "->" + t.child_frame_id() + " ";
        }
        return text;
    };
    return {
        watch<TYPE(sensor_msgs, LaserScan)>(
            "scan", false, false,
            [](const auto &s) {
                return format("%s n %zu min %.4f max %.4f step %.6f range %.2f..%.2f",
                              s.header().frame_id().c_str(), s.ranges().size(), s.angle_min(),
                              s.angle_max(), s.angle_increment(), s.range_min(), s.range_max());
            }),
        watch<TYPE(sensor_msgs, PointCloud2)>(
            "points", false, false,
            [](const auto &c) {
                return format("%s step %u fields %zu %s", c.header().frame_id().c_str(),
                              c.point_step(), c.fields().size(),
                              c.data().size() == c.row_step() ? "whole" : "torn");
            }),
        watch<TYPE(nav_msgs, Odometry)>(
            "odom", true, false,
            [](const auto &o) {
                return o.header().frame_id() + "->" + o.child_frame_id() +
                       (o.header().stamp().sec() > 1000000000 ? " today" : "") +
                       (o.twist().twist().linear().x() > 0.02               ? " moves"
                        : std::fabs(o.twist().twist().linear().x()) < 0.005 ? " stands"
                                                                            : "");
            }),
        watch<TYPE(sensor_msgs, JointState)>(
            "joint_states", true, false,
            [](const auto &j) {
                return format("%zu %s %zu", j.name().size(),
                              j.name().empty() ? "" : j.name()[0].c_str(), j.position().size());
            }),
        watch<TYPE(geometry_msgs, PoseStamped)>(
            "avatar/pose", true, false, [](const auto &p) { return p.header().frame_id(); }),
        watch<TYPE(tf2_msgs, TFMessage)>("tf", true, false, frames),
        watch<TYPE(tf2_msgs, TFMessage)>("tf_static", true, true, frames),
        watch<TYPE(rosgraph_msgs, Clock)>(
            "clock", false, false, [](const auto &c) { return format("%d", c.clock().sec()); }),
        watch<TYPE(rcl_interfaces, Log)>("rosout", true, true,
                                         [](const auto &l) {
                                             return format("%u %s: %s", l.level(), l.name().c_str(),
                                                           l.msg().c_str());
                                         }),
        watch<TYPE(std_msgs, String)>("robot_description", true, true,
                                      [](const auto &s) {
                                          return format("%zu bytes\n%s", s.data().size(),
                                                        s.data().c_str());
                                      }),
        watch<TYPE(diagnostic_msgs, DiagnosticArray)>(
            "diagnostics", true, false,
            [](const auto &d) {
                std::string text;
                for (const auto &s : d.status()) {
                    text += s.name() + "=" + s.message() + " ";
                    for (const auto &v : s.values()) {
                        text += s.name() == "doppel: ros2" ? v.key() + " " + v.value() + ", " : "";
                    }
                }
                return text;
            }),
        watch_graph(),
    };
}

static void run(const std::vector<Work> &works, double seconds)
{
    for (int i = 0; i < int(seconds * 200); i++) {
        for (const auto &work : works) {
            work();
        }
        fflush(stdout);
        rest(5);
    }
}

static void drive(double seconds, double v, double w, bool stamped)
{
    geometry_msgs::msg::dds_::Twist_ twist;
    geometry_msgs::msg::dds_::TwistStamped_ message;
    twist.linear().x(v);
    twist.angular().z(w);
    message.twist(twist);
    DataWriter *writer =
        stamped ? writer_of("rt/cmd_vel",
                            TypeSupport(new geometry_msgs::msg::dds_::TwistStamped_PubSubType()))
                : writer_of("rt/cmd_vel",
                            TypeSupport(new geometry_msgs::msg::dds_::Twist_PubSubType()));
    for (int i = 0; i < int(seconds * 20); i++) {
        if (stamped) {
            writer->write(&message);
        } else {
            writer->write(&twist);
        }
        rest(50);
    }
}

// A message by its name; its bytes are any.
class Garbage : public TopicDataType
{
  public:
    explicit Garbage(const char *name)
    {
        setName(name);
        m_typeSize = 128;
    }
    bool serialize(void *data, eprosima::fastrtps::rtps::SerializedPayload_t *payload) override
    {
        unsigned seed = *static_cast<unsigned *>(data);
        payload->length =
            seed % 3 == 0 ? 4 + seed % 44 : seed % 128; // some are a Twist that is cut off
        for (unsigned i = 0; i < payload->length; i++) {
            payload->data[i] =
                (unsigned char)(seed % 3 == 0 && i < 4 ? i == 1
                                                       : (seed * 2654435761u + i * 40503u) >> 11);
        }
        return true;
    }
    bool deserialize(eprosima::fastrtps::rtps::SerializedPayload_t *, void *) override
    {
        return false;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void *) override
    {
        return [] { return 128u; };
    }
    void *createData() override
    {
        return new unsigned;
    }
    void deleteData(void *data) override
    {
        delete static_cast<unsigned *>(data);
    }
    bool getKey(void *, eprosima::fastrtps::rtps::InstanceHandle_t *, bool) override
    {
        return false;
    }
};

static void litter(double seconds, const char *topic, const char *type)
{
    DataWriter *writer = writer_of(topic, TypeSupport(new Garbage(type)));
    for (unsigned i = 0; i < unsigned(seconds * 200); i++) {
        writer->write(&i);
        rest(5);
    }
}

#include "fast_robot.hpp"

int main(int argc, char **argv)
{
    std::string what = argc > 1 ? argv[1] : "";
    double seconds = argc > 2 ? atof(argv[2]) : 1e6;
    join();
    if (what == "echo") {
        run({echo<TYPE(std_msgs, String)>("String"), echo<TYPE(geometry_msgs, Twist)>("Twist"),
             echo<TYPE(geometry_msgs, TwistStamped)>("TwistStamped"),
             echo<TYPE(geometry_msgs, PoseStamped)>("PoseStamped"),
             echo<TYPE(nav_msgs, Odometry)>("Odometry"),
             echo<TYPE(sensor_msgs, LaserScan)>("LaserScan"),
             echo<TYPE(sensor_msgs, JointState)>("JointState"), echo<TYPE(sensor_msgs, Imu)>("Imu"),
             echo<TYPE(sensor_msgs, PointCloud2)>("PointCloud2"),
             echo<TYPE(tf2_msgs, TFMessage)>("TFMessage"),
             echo<TYPE(rosgraph_msgs, Clock)>("Clock"),
             echo<TYPE(diagnostic_msgs, DiagnosticArray)>("DiagnosticArray"),
             echo<TYPE(rcl_interfaces, Log)>("Log")},
            seconds);
    } else if (what == "watch") {
        run(all_watched(), seconds);
    } else if (what == "drive" && argc > 4) {
        drive(seconds, atof(argv[3]), atof(argv[4]), argc > 5);
    } else if (what == "robot" && argc > 4) {
        run(robot(argv[3], argv[4], argc > 5), seconds);
    } else if (what == "arm") {
        auto arm = std::make_shared<Arm>(argc > 3);
        run({[=] { arm->turn(); }}, seconds);
    } else if (what == "imu") {
        run({inertia()}, seconds);
    } else if (what == "garbage") {
        litter(seconds, "rt/cmd_vel", "geometry_msgs::msg::dds_::Twist_");
    } else if (what == "litter") {
        litter(seconds, "rt/odom", "nav_msgs::msg::dds_::Odometry_");
    } else if (what == "nonsense") {
        run({nonsense()}, seconds);
    } else if (what == "mistype") {
        writer_of("rt/odom", TypeSupport(new std_msgs::msg::dds_::String_PubSubType()));
        rest(int(seconds * 1000));
    } else if (what == "wrong") {
        reader_of("rt/odom", TypeSupport(new std_msgs::msg::dds_::String_PubSubType()), true);
        reader_of("rt/scan", TypeSupport(new sensor_msgs::msg::dds_::LaserScan_PubSubType()), true);
        rest(int(seconds * 1000));
    } else {
        fprintf(stderr, "fast_peer: expected echo, watch, drive, garbage or wrong\n");
        return 2;
    }
    participant->delete_contained_entities();
    DomainParticipantFactory::get_instance()->delete_participant(participant);
}
