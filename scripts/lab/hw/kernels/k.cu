// SPDX-License-Identifier: Apache-2.0
#include "arithmetic.cuh"
#include "library.cuh"
#include "sorts.cuh"
#include "hashes.cuh"
#include "matrices.cuh"
#include "control.cuh"
#include "memory.cuh"
