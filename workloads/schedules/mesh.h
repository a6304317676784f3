/* SPDX-License-Identifier: BSD-3-Clause */
/* mesh.h - ranks as a logical mesh of two or three dimensions, whose sides are as equal as they can
 * be. Finding these divides: a schedule does it once (schedule.h). */
#pragma once

/* The sides, from the dimension of consecutive ranks on; of a number of ranks that is no such
 * product the last ones are 1. */
struct mesh {
    int flat[2], deep[3];
};

/* The meshes of this many ranks (1 or more). */
struct mesh mesh_of(int procs);
