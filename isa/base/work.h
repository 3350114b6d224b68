// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim {

/// Receives the progress of long work: `unit` is "warp instructions" or "bytes"; `all` is 0 if the
/// total is unknown.
class WorkListener {
 public:
  virtual ~WorkListener() = default;
  virtual void work_done(uint64_t done, uint64_t all, const char* unit) = 0;
};

/// Sets the listener that receives progress; nullptr (the default): none. Returns the previous one.
WorkListener* listen_to_work(WorkListener* listener);

/// Reports progress. Long work calls it about every ten thousand instructions or bytes.
void tell_work(uint64_t done, uint64_t all, const char* unit);

}  // namespace shflsim
