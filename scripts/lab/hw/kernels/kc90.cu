// SPDX-License-Identifier: Apache-2.0
#include "bulk.cuh"
#include "clusters.cuh"
