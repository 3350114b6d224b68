// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim {

/// Told now and then how much of some long work is done: `unit` is "warp instructions", "bytes";
/// `all` is 0 where nobody knows.
class WorkListener {
 public:
  virtual ~WorkListener() = default;
  virtual void work_done(uint64_t done, uint64_t all, const char* unit) = 0;
};

/// Who is told from now on, nullptr for nobody, as at first. Returns who was before.
WorkListener* listen_to_work(WorkListener* listener);

/// To be called by what may take long, about every ten thousand instructions or bytes.
void tell_work(uint64_t done, uint64_t all, const char* unit);

}  // namespace shflsim
