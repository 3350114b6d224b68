// SPDX-License-Identifier: Apache-2.0
// What differs between the libraries for different versions of CUDA.
#include "runtime/api/version.h"

namespace shflsim::runtime {

int cudart_version() { return SHFLSIM_CUDART * 1000; }  // 13000 for CUDA 13.0

}  // namespace shflsim::runtime

/// SystemC's library needs this symbol; a program has its own main.
extern "C" [[gnu::visibility("default")]] int sc_main(int /*argc*/, char** /*argv*/) { return 0; }
