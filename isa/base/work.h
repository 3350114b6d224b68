// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim {

/// Receives the progress of long work: `unit` is "warp instructions" or "bytes"; `all` is 0 where
/// the total is unknown.
class WorkListener {
 public:
  virtual ~WorkListener() = default;
  virtual void work_done(uint64_t done, uint64_t all, const char* unit) = 0;
};

/// Sets the listener that receives progress; nullptr for none, as at first. Returns the one before.
WorkListener* listen_to_work(WorkListener* listener);

/// To be called by what may take long, about every ten thousand instructions or bytes.
void tell_work(uint64_t done, uint64_t all, const char* unit);

}  // namespace shflsim
