// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/check/checker.h"
#include "isa/code/program.h"
#include "report/run/field.h"
#include "report/run/head.h"

namespace shflsim::report {

/// A finding of `check` at an instruction, or a warning if `finding` is null.
struct CheckRow {
  const isa::Program& program;
  const isa::CheckFinding* finding;
  std::string warning;
};

/// "lines.cu:14": the source line of a finding; "" if it is unknown.
std::string source_of(const CheckRow& row);
const Fields<Origin>& check_header();  ///< identifies the check
const Fields<CheckRow>& check_columns();

}  // namespace shflsim::report
