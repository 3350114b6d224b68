// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shflsim::runtime {

/// Of the CUDA runtime that the library stands for: 13000 of CUDA 13.0.
int cudart_version();

}  // namespace shflsim::runtime
