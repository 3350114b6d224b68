// SPDX-License-Identifier: Apache-2.0
#include "report/diff/alignment.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace shflsim::report {
namespace {

using Numbers = std::vector<uint32_t>;
using At = Numbers::const_iterator;

/// A range of each sequence.
struct Window {
  At a;
  At a_end;
  At b;
  At b_end;
};

/// For each prefix of the second sequence, the length of a longest common subsequence with `a`.
template <class Iterator>
std::vector<uint32_t> common_lengths(Iterator a, Iterator a_end, Iterator b, Iterator b_end) {
  std::vector<uint32_t> lengths(static_cast<size_t>(b_end - b) + 1, 0);
  for (; a != a_end; ++a) {
    uint32_t diagonal = 0;
    size_t at = 0;
    for (Iterator other = b; other != b_end; ++other) {
      const uint32_t above = lengths[++at];
      lengths[at] = *a == *other ? diagonal + 1 : std::max(above, lengths[at - 1]);
      diagonal = above;
    }
  }
  return lengths;
}

/// Hirschberg's algorithm: the lengths for both halves of the first sequence determine where to
/// split the second one, so that no table of all pairs is needed.
class Alignment {
 public:
  Alignment(const Numbers& a, const Numbers& b) : a_(a), b_(b), places_(a.size()) {
    align({a.begin(), a.end(), b.begin(), b.end()});
  }
  std::vector<std::optional<size_t>> places() && { return std::move(places_); }

 private:
  void match(At a, At b) {
    places_[static_cast<size_t>(a - a_.begin())] = static_cast<size_t>(b - b_.begin());
  }

  Window without_equal_ends(Window in) {
    for (; in.a != in.a_end && in.b != in.b_end && *in.a == *in.b; ++in.a, ++in.b)
      match(in.a, in.b);
    for (; in.a != in.a_end && in.b != in.b_end && *(in.a_end - 1) == *(in.b_end - 1);)
      match(--in.a_end, --in.b_end);
    return in;
  }

  void align(const Window& all) {
    const Window in = without_equal_ends(all);
    if (in.a == in.a_end || in.b == in.b_end) return;
    if (in.a_end - in.a == 1) {
      const At found = std::find(in.b, in.b_end, *in.a);
      if (found != in.b_end) match(in.a, found);
      return;
    }
    const At middle = in.a + (in.a_end - in.a) / 2;
    const At cut = in.b + best_cut(in, middle);
    align({in.a, middle, in.b, cut});
    align({middle, in.a_end, cut, in.b_end});
  }

  static std::ptrdiff_t best_cut(const Window& in, At middle) {
    using Backwards = std::reverse_iterator<At>;
    const auto before = common_lengths(in.a, middle, in.b, in.b_end);
    const auto behind = common_lengths(Backwards(in.a_end), Backwards(middle), Backwards(in.b_end),
                                       Backwards(in.b));
    size_t best = 0;
    const size_t last = before.size() - 1;
    for (size_t cut = 0; cut <= last; ++cut) {
      if (before[cut] + behind[last - cut] > before[best] + behind[last - best]) best = cut;
    }
    return static_cast<std::ptrdiff_t>(best);
  }

  const Numbers& a_;
  const Numbers& b_;
  std::vector<std::optional<size_t>> places_;
};

}  // namespace

std::vector<std::optional<size_t>> aligned(const std::vector<std::string>& a,
                                           const std::vector<std::string>& b) {
  std::map<std::string, uint32_t> numbers;
  const auto numbered = [&numbers](const std::vector<std::string>& texts) {
    Numbers its;
    for (const std::string& text : texts)
      its.push_back(numbers.emplace(text, static_cast<uint32_t>(numbers.size())).first->second);
    return its;
  };
  const Numbers first = numbered(a);
  const Numbers second = numbered(b);
  return Alignment(first, second).places();
}

}  // namespace shflsim::report
