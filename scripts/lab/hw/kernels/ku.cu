// SPDX-License-Identifier: Apache-2.0
#include "unseen_collectives.cuh"
#include "unseen_numbers.cuh"
#include "unseen_divergence.cuh"
