// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options/command.h"

namespace shflsim::cli {

/// The verbs of `shflsim trace`.
extern const Command kTraceRecord;
extern const Command kTraceInfo;
extern const Command kTraceDump;
extern const Command kTraceConvert;

}  // namespace shflsim::cli
