// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace shflsim::report {

/// Runs tasks in processes of their own, `jobs` at a time, and returns what each returned, in the
/// tasks' order. An InputError or model::Deadlock of a task is thrown here, the first task's first;
/// a process that ends in another way is a std::runtime_error.
std::vector<std::string> run_in_processes(const std::vector<std::function<std::string()>>& tasks,
                                          unsigned jobs);

}  // namespace shflsim::report
