/* SPDX-License-Identifier: Apache-2.0 */
/* Robots are found by what their components are, whatever these are called. */
#include <criterion/criterion.h>
#include <string.h>

#include "robots.h"

static struct table trace;
static struct robot robots[ROBOTS_MAX];

static size_t find(const char *columns, const char *record)
{
    static char text[1024];
    snprintf(text, sizeof text, "%s\n", columns);
    cr_assert_eq(table_parse(text, &trace), 0);
    json_t *json = record ? json_loads(record, 0, NULL) : NULL;
    cr_assert(!record || json, "the test's own record");
    size_t n = robots_find(&trace, json, robots, ROBOTS_MAX);
    table_finish(&trace);
    json_decref(json);
    return n;
}

#define CHASSIS                                                                                    \
    "{\"name\": \"Chassis\", \"tag\": \"Chassis\", \"device_class\": \"wheel_controller\"}"

Test(robots, are_found_by_the_class_of_their_device)
{
    cr_assert_eq(find("t,Chassis.x,Chassis.y", "{\"components\": [" CHASSIS "]}"), 1);
    cr_assert_str_eq(robots[0].name, "Chassis");
    cr_assert_str_eq(robots[0].sync, "");
}

Test(robots, are_found_by_the_type_that_they_publish)
{
    static const char record[] =
        "{\"components\": [{\"name\": \"Mine\", \"tag\": \"mine\", \"ports\": [{\"name\": \"o\", "
        "\"kind\": \"data\", \"direction\": \"out\", \"type\": \"doppel.Odometry\"}]}]}";
    cr_assert_eq(find("t,mine.x,mine.y", record), 1);
    cr_assert_str_eq(robots[0].tag, "mine");
}

Test(robots, are_not_what_estimates_a_pose_or_is_in_space)
{
    static const char record[] =
        "{\"components\": [{\"name\": \"L\", \"tag\": \"L\", \"ports\": [{\"kind\": \"data\", "
        "\"direction\": \"out\", \"type\": \"doppel.LocalizedPose\"}]},"
        "{\"name\": \"H\", \"tag\": \"H\"}, {\"name\": \"P\", \"tag\": \"P\"}]}";
    cr_assert_eq(find("t,L.x,L.y,L.theta,H.x,H.y,H.z,H.theta,P.x,P.y", record), 0);
    cr_assert_eq(find("t,L.x,L.y,L.theta,L.sigma_mm,H.x,H.y,H.z", NULL), 0);
}

Test(robots, have_the_synchronizer_that_is_connected_to_them)
{
    static const char record[] =
        "{\"components\": [{\"name\": \"A\", \"tag\": \"A\", \"device_class\": "
        "\"wheel_controller\"}, {\"name\": \"B\", \"tag\": \"B\", \"device_class\": "
        "\"wheel_controller\"}, {\"name\": \"S\", \"tag\": \"sync\"}, {\"name\": \"T\", \"tag\": "
        "\"T\"}], \"connections\": [{\"source\": {\"component\": \"T\"}, \"target\": "
        "{\"component\": \"A\"}}, {\"source\": {\"component\": \"S\"}, \"target\": "
        "{\"component\": \"B\"}}]}";
    cr_assert_eq(find("t,A.x,A.y,B.x,B.y,sync.distance_mm,T.true_mm", record), 2);
    cr_assert_str_eq(robots[0].sync, "T");
    cr_assert_str_eq(robots[1].sync, "sync");
}

Test(robots, are_not_what_tells_the_true_pose_of_one)
{
    static const char record[] =
        "{\"components\": [{\"name\": \"A\", \"tag\": \"A\", \"device_class\": "
        "\"wheel_controller\"}, {\"name\": \"Judge\", \"tag\": \"judge\", \"device_class\": "
        "\"wheel_controller\"}, {\"name\": \"S\", \"tag\": \"sync\"}], \"connections\": ["
        "{\"source\": {\"component\": \"S\", \"port\": \"Truth\"}, \"target\": {\"component\": "
        "\"Judge\"}}, {\"source\": {\"component\": \"S\", \"port\": \"Real\"}, \"target\": "
        "{\"component\": \"A\"}}]}";
    cr_assert_eq(find("t,A.x,A.y,judge.x,judge.y,sync.distance_mm", record), 1);
    cr_assert_str_eq(robots[0].name, "A");
    cr_assert_str_eq(robots[0].sync, "sync");
    cr_assert_str_eq(robots[0].truth, "judge");
}

Test(robots, are_found_by_columns_where_there_is_no_record)
{
    cr_assert_eq(find("t,Base.Left.x,Base.Left.y,Right.x,Right.y,watch.true_mm", NULL), 2);
    cr_assert_str_eq(robots[0].tag, "Base.Left");
    cr_assert_str_eq(robots[0].sync, "watch");
    cr_assert_str_eq(robots[1].sync, "");
    cr_assert_eq(find("t,Servo.q1,x,y,.x,.y", NULL), 1, "a component without a name");
    cr_assert_eq(find("", NULL), 0);
}

Test(robots, records_of_another_shape_have_none)
{
    static const char *const records[] = {
        "{}",
        "{\"components\": 3}",
        "{\"components\": [1, null, [], {}, {\"name\": 4, \"tag\": {}}]}",
        "{\"components\": [" CHASSIS "], \"connections\": [7, {\"source\": 1}, {\"target\": {}}]}",
    };
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(find("t,Servo.q1", records[i]), 0, "%s", records[i]);
    }
    cr_assert_eq(find("t,Chassis.x,Chassis.y", records[3]), 1);
}

Test(robots, tell_their_devices_and_properties)
{
    json_t *json =
        json_loads("{\"device\": {\"name\": \"A\", \"sides\": [{\"side\": \"simulation\", "
                   "\"properties\": {\"World\": {\"value\": \"w.xml\"}}}]}}",
                   0, NULL);
    struct robot robot = {.component = json};
    cr_assert_str_eq(robots_property(robot_device(&robot, "simulation"), "World"), "w.xml");
    cr_assert_null(robot_device(&robot, "hardware"));
    cr_assert_str_eq(robots_property(NULL, "World"), "");
    json_decref(json);
}
