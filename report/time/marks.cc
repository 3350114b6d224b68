// SPDX-License-Identifier: Apache-2.0
#include "report/time/marks.h"

#include <fmt/format.h>

#include "report/run/columns.h"
#include "report/terminal/screen.h"

namespace shflsim::report {
namespace {

using model::WarpState;

struct Legend {
  char mark;
  const char* means;
};
/// By StageTime::Kind.
constexpr Legend kStages[] = {{'Q', "in the MIO queue"},   {'O', "collects operands"},
                              {'R', "waits for its unit"}, {'U', "in its unit's queue"},
                              {'E', "executes"},           {'=', "result on its way"}};

Paint paint_of(char mark) {
  if (mark == kIssue) return Paint::kHeading;
  return mark >= 'a' && mark <= 'z' ? Paint::kStall : Paint::kPlain;
}

}  // namespace

char mark_of(WarpState state) {
  switch (state) {
    case WarpState::kDrain: return 'x';
    case WarpState::kNoInstruction: return 'f';
    case WarpState::kBranchResolving: return 'r';
    case WarpState::kImcMiss: return 'c';
    case WarpState::kBarrier: return 'b';
    case WarpState::kMembar: return 'e';
    case WarpState::kWait: return 'w';
    case WarpState::kLongScoreboard: return 'l';
    case WarpState::kShortScoreboard: return 's';
    case WarpState::kMathPipeThrottle: return 'p';
    case WarpState::kMioThrottle: return 'm';
    case WarpState::kLgThrottle: return 'g';
    case WarpState::kDispatchStall: return 'd';
    case WarpState::kNotSelected: return 'n';
    case WarpState::kSelected: return kIssue;
    case WarpState::kGmma: return 't';
    default: return 'k';
  }
}

char mark_of(StageTime::Kind stage) { return kStages[static_cast<size_t>(stage)].mark; }

std::string legend_of(const std::set<char>& marks) {
  std::string text;
  const auto add = [&](char mark, const std::string& means) {
    if (marks.count(mark) == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", mark, means);
  };
  for (const WarpState state : all_states()) {
    if (state != WarpState::kSelected) add(mark_of(state), model::warp_state_name(state));
  }
  add(kIssue, "issues");
  for (const Legend& each : kStages) add(each.mark, each.means);
  if (marks.count(kPass) != 0) text += ", 1 2 3 passes";
  return text;
}

void write_marks(std::ostream& out, const std::string& marks) {
  for (size_t at = 0; at < marks.size();) {
    size_t end = at + 1;
    while (end < marks.size() && paint_of(marks[end]) == paint_of(marks[at])) ++end;
    out << painted(out, paint_of(marks[at]), marks.substr(at, end - at));
    at = end;
  }
}

}  // namespace shflsim::report
