// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace shflsim::report {

/// A design that one may choose.
struct Candidate {
  std::string name;
  double cycles = 0;
  double price = 0;  ///< not a number, or 0, where it is not known
};

/// Within this part of the fastest design's cycles, a cheaper one is worth a word.
constexpr double kCloseBy = 0.05;

/// Index of the fastest one: the cheapest of several that are as fast, the first of equals.
size_t fastest_of(const std::vector<Candidate>& candidates);
/// Index of the cheapest one within kCloseBy of the fastest one's cycles, the fastest of equals;
/// that of the fastest one where nothing is cheaper.
size_t cheapest_close_by(const std::vector<Candidate>& candidates);

/// Which design is fastest, at which price, which others are as fast, and which is cheaper and
/// close by. `price`: name of the figure, "" if there is none. `cycles_of`: what the cycles are,
/// such as "geometric mean over 5 launches". Nothing where there is one candidate.
std::vector<std::string> choice_lines(const std::vector<Candidate>& candidates,
                                      const std::string& price, const std::string& cycles_of);

}  // namespace shflsim::report
