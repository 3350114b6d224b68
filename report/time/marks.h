// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <set>
#include <string>

#include "model/core/warp_state.h"
#include "report/time/pipeline.h"

namespace shflsim::report {

// The letters of a timeline; small letters mark waits.

constexpr char kIssue = 'I';
constexpr char kPass = '1';

/// The letter for a cycle in a state, or in a stage.
char mark_of(model::WarpState state);
char mark_of(StageTime::Kind stage);
/// A legend of the marks that a drawing uses.
std::string legend_of(const std::set<char>& marks);
/// Writes marks in their colours, if the stream shows colours.
void write_marks(std::ostream& out, const std::string& marks);

}  // namespace shflsim::report
