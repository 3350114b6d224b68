// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/check/checker.h"
#include "isa/code/program.h"
#include "report/run/field.h"
#include "report/run/head.h"

namespace shflsim::report {

/// What `check` says of one instruction; of no instruction where `finding` is null: a warning.
struct CheckRow {
  const isa::Program& program;
  const isa::CheckFinding* finding;
  std::string warning;
};

/// "lines.cu:14": the source line of a finding; "" where it is not known.
std::string source_of(const CheckRow& row);
const Fields<Origin>& check_header();  ///< identifies the check
const Fields<CheckRow>& check_columns();

}  // namespace shflsim::report
