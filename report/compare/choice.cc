// SPDX-License-Identifier: Apache-2.0
#include "report/compare/choice.h"

#include <fmt/format.h>

#include <cmath>

namespace shflsim::report {
namespace {

constexpr size_t kMostNames = 3;

/// A price of 0 is unknown: hardware of another unit is used, whose price nobody states.
bool has_price(const Candidate& candidate) { return candidate.price > 0; }

/// True if `a` costs less; an unknown price is not lower than any other.
bool is_cheaper(const Candidate& a, const Candidate& b) {
  return has_price(a) && (!has_price(b) || a.price < b.price);
}

std::string number_text(double number) {
  return fmt::format("{:.{}f}", number, number == std::floor(number) || number >= 1000 ? 0 : 1);
}

/// ", cell_area 4489.2"; "" if no price is named.
std::string price_text(const Candidate& candidate, const std::string& price) {
  if (price.empty()) return "";
  if (!has_price(candidate)) return ", " + price + " unknown";
  return ", " + price + " " + number_text(candidate.price);
}

std::string percent_more(double value, double base) {
  return fmt::format("{:+.1f}%", 100 * (value / base - 1));
}

std::string names_text(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(kMostNames, names.size()); ++i)
    text += (i == 0 ? "" : "; ") + names[i];
  if (names.size() > kMostNames) text += fmt::format("; and {} more", names.size() - kMostNames);
  return text;
}

/// The designs that are as fast as this one.
std::vector<std::string> as_fast_as(const std::vector<Candidate>& candidates, size_t best) {
  std::vector<std::string> names;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (i != best && candidates[i].cycles == candidates[best].cycles)
      names.push_back(candidates[i].name);
  }
  return names;
}

std::string cheaper_text(const std::vector<Candidate>& candidates, size_t best,
                         const std::string& price) {
  const Candidate& fastest = candidates[best];
  const Candidate& cheapest = candidates[cheapest_close_by(candidates)];
  if (!is_cheaper(cheapest, fastest) || !has_price(fastest))
    return fmt::format("cheaper: none within {:.0f}% of its cycles", 100 * kCloseBy);
  return fmt::format("cheaper: {}: {} cycles ({}){} ({})", cheapest.name,
                     number_text(cheapest.cycles), percent_more(cheapest.cycles, fastest.cycles),
                     price_text(cheapest, price), percent_more(cheapest.price, fastest.price));
}

}  // namespace

size_t fastest_of(const std::vector<Candidate>& candidates) {
  size_t best = 0;
  for (size_t i = 1; i < candidates.size(); ++i) {
    const Candidate& its = candidates[i];
    const bool is_as_fast = its.cycles == candidates[best].cycles;
    if (its.cycles < candidates[best].cycles || (is_as_fast && is_cheaper(its, candidates[best])))
      best = i;
  }
  return best;
}

size_t cheapest_close_by(const std::vector<Candidate>& candidates) {
  size_t best = fastest_of(candidates);
  const double most = candidates[best].cycles * (1 + kCloseBy);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& its = candidates[i];
    const bool is_as_cheap = has_price(its) && its.price == candidates[best].price;
    const bool is_better =
        is_cheaper(its, candidates[best]) || (is_as_cheap && its.cycles < candidates[best].cycles);
    if (its.cycles <= most && is_better) best = i;
  }
  return best;
}

std::vector<std::string> choice_lines(const std::vector<Candidate>& candidates,
                                      const std::string& price, const std::string& cycles_of) {
  if (candidates.size() < 2) return {};
  const size_t best = fastest_of(candidates);
  const Candidate& fastest = candidates[best];
  std::string first =
      fmt::format("fastest: {}: {} cycles{}{}", fastest.name, number_text(fastest.cycles),
                  cycles_of.empty() ? "" : " (" + cycles_of + ")", price_text(fastest, price));
  std::vector<std::string> lines = {first};
  const std::vector<std::string> ties = as_fast_as(candidates, best);
  if (!ties.empty()) lines.push_back("as fast: " + names_text(ties));
  if (!price.empty()) lines.push_back(cheaper_text(candidates, best, price));
  return lines;
}

}  // namespace shflsim::report
