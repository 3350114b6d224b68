// SPDX-License-Identifier: Apache-2.0
// The kernels of ku.cu in a loop between clock reads.
#define TIMED
#include "ku.cu"
