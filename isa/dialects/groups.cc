// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/groups.h"

namespace shflsim::isa {

bool goes_on(const Control& control) {
  constexpr uint8_t kFirstNamed = 28;
  return control.stay() && control.issue_code < kFirstNamed;
}

void end_groups(Program* program) {
  constexpr unsigned kIssues = 6;
  constexpr uint8_t kStay = 16;  // bit 4 of an issue code
  unsigned issues = 0;
  for (Instruction& each : program->code) {
    Control& control = each.control;
    if (control.dual_issue()) continue;
    ++issues;
    if (goes_on(control) && issues < kIssues) continue;
    issues = 0;
    if (goes_on(control)) control.issue_code = static_cast<uint8_t>(control.issue_code - kStay);
  }
}

}  // namespace shflsim::isa
