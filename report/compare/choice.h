// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace shflsim::report {

/// A design that a user may choose.
struct Candidate {
  std::string name;
  double cycles = 0;
  double price = 0;  ///< NaN or 0 if it is unknown
};

/// A cheaper design is worth naming within this fraction of the fastest design's cycles.
constexpr double kCloseBy = 0.05;

/// Index of the fastest design: the cheapest of equally fast designs, and the first of equals.
size_t fastest_of(const std::vector<Candidate>& candidates);
/// Index of the cheapest design within kCloseBy of the fastest design's cycles, the fastest of
/// equals; the index of the fastest design if none is cheaper.
size_t cheapest_close_by(const std::vector<Candidate>& candidates);

/// Lines that name the fastest design and its price, the designs that are as fast, and a cheaper
/// one close by. `price`: name of the price, "" if there is none. `cycles_of`: what the cycles are,
/// such as "geometric mean over 5 launches". No lines for fewer than two candidates.
std::vector<std::string> choice_lines(const std::vector<Candidate>& candidates,
                                      const std::string& price, const std::string& cycles_of);

}  // namespace shflsim::report
