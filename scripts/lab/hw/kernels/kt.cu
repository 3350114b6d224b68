// SPDX-License-Identifier: Apache-2.0
// The kernels of k.cu in a loop between clock reads.
#define TIMED
#include "k.cu"
