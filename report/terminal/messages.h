// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace shflsim::report {

/// The messages that go to standard error beside a command's result; each kind includes the kinds
/// before it. Names from the user are printed without control characters.
enum class Verbosity : char { kErrors, kRemarks, kDetails };

/// Sets the verbosity of the whole program; details are also appended to `log_file`, unless it is
/// "". Throws InputError if it cannot be opened.
void set_messages(Verbosity verbosity, const std::string& log_file);
Verbosity verbosity();

/// Prints a line about what the result depends on: "reads uninitialised shared memory".
void remark(const std::string& line);
/// Keeps remarks while this object lives: if the command fails, machine-readable output reports
/// them with the failure. The destructor prints remarks that were not taken.
class HeldRemarks {
 public:
  HeldRemarks();
  HeldRemarks(const HeldRemarks&) = delete;
  HeldRemarks& operator=(const HeldRemarks&) = delete;
  ~HeldRemarks();

  std::vector<std::string> take();
};
/// Prints a line about what the program does: what it reads and writes, how long it took.
void detail(const std::string& line);

/// The destructor reports how long the named work took: "timed scan in 0.031 s".
class TimedDetail {
 public:
  explicit TimedDetail(std::string what);
  TimedDetail(const TimedDetail&) = delete;
  TimedDetail& operator=(const TimedDetail&) = delete;
  ~TimedDetail();

 private:
  const std::string what_;
  const std::chrono::steady_clock::time_point start_;
};

}  // namespace shflsim::report
