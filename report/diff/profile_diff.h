// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/run/profile.h"
#include "report/run/result_file.h"

namespace shflsim::report {

/// Compares a run's result with a profile of the same kernel. Instructions are aligned by their
/// address relative to the first instruction, and checked by opcode. `repeated`: of the source
/// page, compares only instructions that issue more often than the kernel's first one. Throws
/// InputError if the result is not of a run, or the profile is of another kernel.
ProfileDiff profile_diff(const ResultFile& run, const std::string& path, bool repeated);

/// The document of `shflsim diff RUN.json PROFILE.csv`.
Document profile_document(const ResultFile& run, const ProfileDiff& diff);

}  // namespace shflsim::report
