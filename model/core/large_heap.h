// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace shflsim::model {

/// Prepares the heap for about this many further bytes, in large pages if the system has them. A
/// run on many SMs visits all of its memory again and again: the addresses of small pages would not
/// stay in the host's translation cache. Memory that is not used later is not occupied.
void expect_on_heap(size_t bytes);

}  // namespace shflsim::model
