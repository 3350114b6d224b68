// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <set>
#include <string>

#include "model/core/warp_state.h"
#include "report/time/pipeline.h"

namespace shflsim::report {

// The letters of a timeline: small ones wait.

constexpr char kIssue = 'I';
constexpr char kPass = '1';

/// Of a cycle spent in a state, or in a stage.
char mark_of(model::WarpState state);
char mark_of(StageTime::Kind stage);
/// What the marks of a drawing mean, of those that it has.
std::string legend_of(const std::set<char>& marks);
/// Marks in their colours, where the stream shows any.
void write_marks(std::ostream& out, const std::string& marks);

}  // namespace shflsim::report
