#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build_fast_peer.sh FOLDER: makes FOLDER/fast_peer; 77: Fast DDS is not installed.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
command -v fastddsgen >/dev/null && [ -e /usr/include/fastdds/dds/domain/DomainParticipant.hpp ] || exit 77
cd "$1"
fastddsgen -cs -replace -d . "$source"/gateways/ros2/idl/ros2_{messages,graph}.idl >fastddsgen.txt 2>&1
printf 'fast_peer: fast_peer.o ros2_messages.o ros2_messagesPubSubTypes.o ros2_graph.o ros2_graphPubSubTypes.o\n\tg++ -o $@ $^ -lfastrtps -lfastcdr\n%%.o: %%.cxx\n\tccache g++ -std=c++17 -O0 -w -I. -c $<\nfast_peer.o: %s/tests/clients/fast_peer.cpp %s/tests/clients/fast_robot.hpp\n\tccache g++ -std=c++17 -O0 -w -I. -c $<\n' "$source" "$source" >Makefile
command -v ccache >/dev/null || sed -i 's/ccache //' Makefile
make -s -j2 fast_peer
