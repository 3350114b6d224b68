// SPDX-License-Identifier: Apache-2.0
#include "barriers90.cuh"
