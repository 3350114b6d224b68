// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/core/facts.h"
#include "tests/support/instruction.h"

namespace shflsim::model {

/// Facts of an instruction of sm_90.
inline Facts facts_of_text(const std::string& text) {
  isa::Code code;
  code.lines = {test::line_of(isa::Arch::kSm90, text)};
  IssueCodeParams issue;
  issue.codes = "volta";
  return facts_of(code, issue, WideReads::kOnce).front();
}

}  // namespace shflsim::model
