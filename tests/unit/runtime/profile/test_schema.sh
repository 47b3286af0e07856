#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every shipped profile, world and robot is valid by the schemas of the build, and what is broken is
# not. Arguments: the folder of the schemas, the source tree.
set -eu
schemas=$1
root=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
command -v xmllint >/dev/null || exit 77

# The schema of a file is that of its root element.
kind_of() {
    case $(xmllint --xpath 'local-name(/*)' "$1") in
    component_profile) echo component ;;
    composite_component_profile) echo composite ;;
    package_profile | application_profile) echo application ;;
    service_port_type_profile) echo service_type ;;
    data_type | data_type_profile) echo data_type ;;
    binding_profile) echo binding ;;
    world) echo world ;;
    robot_model) echo robot_model ;;
    mechanism) echo mechanism ;;
    RigidObject) echo RigidObject ;;
    test_plan) echo test_plan ;;
    state_machine | study | bench) xmllint --xpath "local-name(/*)" "$1" ;;
    *) echo none ;;
    esac
}

n=0
find "$root/profiles" "$root/docs" "$root/tests/unit/runtime/profile/data" -name '*.xml' ! -path '*/data/worlds/*' ! -path '*/docs/guides/editors/*' >"$folder/shipped"
while read -r file; do
    xmllint --noout --schema "$schemas/$(kind_of "$file").xsd" "$file"
    n=$((n + 1))
done <"$folder/shipped"
[ "$n" -ge 30 ] || {
    echo "only $n files were found" >&2
    exit 1
}

# A line of text must be valid or not: accepts|refuses KIND TEXT.
accepts() {
    echo "$2" | xmllint --noout --schema "$schemas/$1.xsd" - 2>"$folder/said" || {
        cat "$folder/said" >&2
        echo "$1.xsd refuses $2" >&2
        exit 1
    }
}
refuses() {
    if echo "$2" | xmllint --noout --schema "$schemas/$1.xsd" - 2>/dev/null; then
        echo "$1.xsd accepts $2" >&2
        exit 1
    fi
}
solid() {
    echo "<world name='w'><$1/></world>"
}

accepts state_machine "<state_machine name='m'><any/><state name='a'><transition to='a' after='1 s'/></state></state_machine>"
refuses state_machine "<state_machine name='m'><state><transition to='a' after='1 s'/></state></state_machine>"
accepts world "$(solid "sphere x='1' y='-2.5e-1' radius='35 mm'")"
accepts world "$(solid "sphere x='1 m' y='20in' radius='.5'")"
accepts world "$(solid "capsule x='1' y='2' yaw='90 deg' radius='1' lying='Yes'")"
accepts world "$(solid "scatter n='3' x1='0' y1='0' x2='1' y2='1' shape='Cylinder'")"
accepts world "<world name='w'><Param name='N' value='12'/><Repeat count='{N}' index='i'><If test='{i &gt; 0}'>
    <sphere name='ball{i}' x='{3.2*i}' y='{i} m' z='1' radius='.5'/></If><Repeat count='2' first='-1'/></Repeat></world>"
accepts world "$(solid "include file='floor.xml' FLOORS='12'")"
accepts world "$(solid "sphere x='1' y='2' z='1' radius='1' name='{1 == 1 ? 2 : 3}'")"
refuses world "$(solid "Param name='N' value='twelve'")"
refuses world "$(solid "Param name='2N' value='12'")"
refuses world "$(solid "Repeat index='i'")"
refuses world "$(solid "Repeat count='2' indx='i'")"
refuses world "$(solid "If")"
refuses world "<world name='w'><Repeat count='2'><bix/></Repeat></world>"
refuses world "<world/>"
refuses world "<wrld name='w'/>"
refuses world "<world name='w'>text</world>"
refuses world "<world name='w' step_ms='0'/>"
refuses world "<world name='w' seed='1.5'/>"
refuses world "$(solid bix)"
refuses world "$(solid "sphere x='1' y='2'")"
refuses world "$(solid "sphere x='1' y='two' radius='1'")"
refuses world "$(solid "sphere x='1e999' y='2' radius='1'")"
refuses world "$(solid "sphere x='NaN' y='2' radius='1'")"
refuses world "$(solid "sphere x='1 s' y='2' radius='1'")"
refuses world "$(solid "sphere x='1 parsec' y='2' radius='1'")"
refuses world "$(solid "sphere x='1' y='2' radius='1' frictoin='1'")"
refuses world "$(solid "ground friction='1 m'")"
refuses world "$(solid "scatter n='3' x1='0' y1='0' x2='1' y2='1' shape='boxes'")"
refuses world "$(solid "robot model='r.xml'")"
accepts world "$(solid "robot name='r' urdf='r.urdf' fixed_base='true' z='1 m'")"
accepts robot_model "<robot_model name='r'><wheel y='115 mm' radius='0.035' max_torque='2 N m'/></robot_model>"
accepts robot_model "<robot_model name='r'><Repeat count='2' index='i'><wheel y='{0.1 - 0.2*i}' radius='0.035'/></Repeat></robot_model>"
refuses robot_model "<robot_model name='r'><wheel y='1' radius='0.035' colour='red'/></robot_model>"
refuses robot_model "<robot_model name='r'><wheel y='1' radius='35'/></robot_model>"
refuses robot_model "<robot_model name='r'><chassis shape='round' z='1'/></robot_model>"
refuses robot_model "<world name='w'/>"
object() { # ATTRIBUTES CHILDREN
    echo "<RigidObject name='o' $1>$2</RigidObject>"
}
joint() { # ATTRIBUTES CHILDREN
    echo "<mechanism><Joint name='j' child='b' $1>$2</Joint></mechanism>"
}
accepts RigidObject "$(object "mass='1.0f' density='.5'" "<BoxShape x='1e-3F' y='1 mm' z='1'><position x='1f'/></BoxShape>")"
refuses RigidObject "$(object "mass='1ff'" "")"
refuses RigidObject "$(object "mass='1 f'" "")"
refuses RigidObject "$(object "mass='-1'" "")"
refuses RigidObject "$(object "" "<BoxShape x='1' y='1'/>")"
refuses RigidObject "$(object "" "<SphereShape radius='1'><point/></SphereShape>")"
accepts RigidObject "$(object "" "<HullShape><point/><orientation yaw='90 deg'/></HullShape>")"
refuses RigidObject "$(object "" "<SphereShape radius='1' materialIndex='1f'/>")"
accepts mechanism "$(joint "type='hinge'" "<limit lower='-90 deg' upper='1f'/><frame><position z='1'/></frame>")"
accepts mechanism "$(joint "type='slider'" "<limit lower='-1 mm' upper='1'/>")"
refuses mechanism "$(joint "type='hing'" "")"
motor="type='table' joint='j' limit='12' delay='2 ms'"
accepts mechanism "<mechanism><Motor $motor><row current='2 A' torque='1f'/><gear ratio='16'/><rotor/></Motor></mechanism>"
accepts mechanism "<mechanism><Motor type='brake' joint='j' torque='12 N m'/><Motor type='brake' joint='j' torque='12 N'/></mechanism>"
refuses mechanism "<mechanism><Motor type='brake' joint='j' torque='12 V'/></mechanism>"
refuses mechanism "<mechanism><Motor $motor><row torque='1'/></Motor></mechanism>"
refuses mechanism "<mechanism><Motor type='steam' joint='j'/></mechanism>"
refuses mechanism "$(joint "type='hinge'" "<limit lower='1'/>")"
refuses mechanism "$(joint "type='hinge'" "<frame><position z='one'/></frame>")"
accepts mechanism "<mechanism><Param name='N' value='2'/><Repeat count='{N}' index='i'><RigidObject name='b{i}' mass='{i + 1}' static='{i}'><Repeat count='4'>
    <If test='{i}'><BoxShape x='{0.1*i}' y='1f' z='1' materialIndex='{i}'><position x='{i} mm'/></BoxShape></If></Repeat></RigidObject></Repeat></mechanism>"
accepts RigidObject "$(object "mass='1'" "<HullShape><Repeat count='4' index='i'><point x='{i*i}'/></Repeat></HullShape>")"
refuses RigidObject "$(object "mass='1'" "<HullShape><Repeat count='4'><position x='1'/><BoxShape/></Repeat></HullShape>")"
refuses RigidObject "$(object "mass='1'" "<SphereShape radius='1'><color><Repeat count='2'/></color></SphereShape>")"
refuses mechanism "$(joint "type='hinge'" "<Repeat count='2'><BoxShape x='1' y='1' z='1'/></Repeat>")"
refuses mechanism "<mechanism><Param name='N' value='1f'/></mechanism>"
refuses world "<world name='w' step_ms='1f'/>"
refuses component "<component_profile><nmae>x</nmae></component_profile>"
refuses component "<component_profile colour='red'><name>x</name></component_profile>"
refuses application "<binding_profile><name>x</name></binding_profile>"
refuses data_type "<data_type><struct/></data_type>"
