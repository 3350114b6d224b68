// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace shflsim::model {

/// What a signal asks the runs of this process to do. The signal handler writes it, and runs read
/// it every few hundred cycles; a run that is asked to stop ends with its result so far.
struct Interruption {
  std::atomic<bool> is_heeded{false};     ///< runs are under way, which stop if asked to
  std::atomic<int> stop{0};               ///< number of the signal that asks to stop; 0: none
  std::atomic<bool> wants_status{false};  ///< asks for the progress of the runs
};
inline Interruption interruption;

/// While this object lives, the runs of this process obey signals.
class Heeding {
 public:
  Heeding() : before_(interruption.is_heeded.exchange(true)) {}
  Heeding(const Heeding&) = delete;
  Heeding& operator=(const Heeding&) = delete;
  ~Heeding() { interruption.is_heeded = before_; }

 private:
  const bool before_;
};

}  // namespace shflsim::model
