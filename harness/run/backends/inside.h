/* SPDX-License-Identifier: BSD-3-Clause */
/* inside.h - a simulated platform with nodes modelled inside: one
 * host per core, and links between cores (docs/simulation.md).
 *
 * A zone for the cores that share cache and memory, and one for each switch, all in one zone: from
 * SimGrid 4.1 on the gateway of a way between zones must be in the zone of the hosts, and up to 4.0
 * it may not be in a zone around theirs, so zones cannot be nested deeper. A message between two
 * cores crosses
 *
 *   seat     of the sender, up, and of the receiver, down; down carries one message at a time
 *   memory   of the sender's core, and of the receiver's where that is another (memory_cores of the
 *            cluster file): shared by all messages from and to its cores
 *   cache, core, socket: the channel (harness/base/seat.h), by its latency and the most that one
 *            message gets; no limit to all together
 *   bridge   between sockets of a node: of the sender's memory, out, and of the receiver's, in;
 *            shared by all messages that take it
 *   nic      between nodes: the node's link up, the other's down; one message at a time (and
 *            trunk-nic where there are bridges, which is there for the length of the way alone)
 *   trunk    between leaf switches, up and down: shared
 *
 * Names of links begin with these words ("nic-0"), by which the measuring program lifts the limit
 * of one message at a time (workloads/proof/native_default.c). Hosts are nNODE.SOCKET.CORE. */
#pragma once

#include <stdio.h>

#include "harness/base/seat.h"
#include "harness/study/cluster.h"

/* Writes the zone of the whole cluster. The topology is star or tree. */
void inside_write(FILE *f, const struct cluster *cluster);

/* The host of a rank; ranks that outnumber the cores of a node go round them. */
void inside_host(char *buf, size_t size, const struct seating *seating, int rank);
