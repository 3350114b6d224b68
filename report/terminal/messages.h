// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace shflsim::report {

/// What is said on standard error beside a command's result, each kind with all before it. Names of
/// the user's in it are printed without control characters.
enum class Verbosity : char { kErrors, kRemarks, kDetails };

/// Sets it for the whole program; details also go to the end of `log_file`, where it is not "".
/// Throws InputError if that cannot be opened.
void set_messages(Verbosity verbosity, const std::string& log_file);
Verbosity verbosity();

/// Prints a line on what the result depends on: "reads uninitialised shared memory".
void remark(const std::string& line);
/// While this object lives, remarks are kept: if the command fails, machine-readable output reports
/// them with the failure. The destructor prints remarks that were not taken.
class HeldRemarks {
 public:
  HeldRemarks();
  HeldRemarks(const HeldRemarks&) = delete;
  HeldRemarks& operator=(const HeldRemarks&) = delete;
  ~HeldRemarks();

  std::vector<std::string> take();
};
/// A line on what the program does: what it reads and writes, how long it took.
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
