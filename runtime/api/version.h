// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shflsim::runtime {

/// The version of the CUDA runtime that the library replaces: 13000 for CUDA 13.0.
int cudart_version();

}  // namespace shflsim::runtime
