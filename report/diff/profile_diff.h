// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/run/profile.h"
#include "report/run/result_file.h"

namespace shflsim::report {

/// A run's result beside the profile of the same kernel. Instructions are aligned by address,
/// counted from the first of each, and checked by opcode. `repeated`: of the source page only what
/// issues more often than the kernel's first instruction is compared. Throws InputError if the
/// result is not of a run, and where the profile is of another kernel.
ProfileDiff profile_diff(const ResultFile& run, const std::string& path, bool repeated);

/// What `shflsim diff RUN.json PROFILE.csv` prints in other formats.
Document profile_document(const ResultFile& run, const ProfileDiff& diff);

}  // namespace shflsim::report
