// SPDX-License-Identifier: Apache-2.0
#include "pointers.cuh"
