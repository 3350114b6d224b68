// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/colouring.h"

#include <algorithm>
#include <numeric>

namespace shflsim::model {
namespace {

constexpr unsigned kMostVertices = 64;

unsigned bits_set(uint64_t mask) { return static_cast<unsigned>(__builtin_popcountll(mask)); }

unsigned lowest_bit(uint64_t mask) { return static_cast<unsigned>(__builtin_ctzll(mask)); }

/// Tries to colour a graph, whose vertices have descending degrees, with a given number of colours.
class Search {
 public:
  Search(const Neighbours& neighbours, unsigned colours)
      : neighbours_(neighbours), colours_(colours), colour_of_(neighbours.size()) {}

  /// Colours the vertices in `left`; `used` colours are in use so far. Of the unused colours, which
  /// are equivalent, one is tried. On failure, `blame` receives coloured vertices whose colours
  /// alone cause it: a vertex that is not among them need not try its other colours.
  bool complete(uint64_t left, unsigned used, uint64_t* blame) {
    if (left == 0) return true;
    const unsigned vertex = most_constrained(left, used);
    const uint64_t self = uint64_t{1} << vertex;
    *blame = 0;
    for (unsigned colour = 0; colour <= used && colour < colours_; ++colour) {
      if (const uint64_t rivals = neighbours_[vertex] & coloured_[colour]) {
        *blame |= first_coloured(rivals);
        continue;
      }
      give(vertex, colour);
      uint64_t blame_behind = 0;
      if (complete(left & ~self, std::max(used, colour + 1), &blame_behind)) return true;
      take_back(colour);
      if ((blame_behind & self) == 0) {
        *blame = blame_behind;
        return false;
      }
      *blame |= blame_behind & ~self;
    }
    return false;
  }
  /// Gives the vertex the first colour that none of its neighbours has.
  void give_any(unsigned vertex) {
    unsigned colour = 0;
    while ((beside_[colour] >> vertex) & 1) ++colour;
    give(vertex, colour);
  }
  const std::vector<uint8_t>& colours() const { return colour_of_; }

 private:
  void give(unsigned vertex, unsigned colour) {
    coloured_[colour] |= uint64_t{1} << vertex;
    beside_[colour] |= neighbours_[vertex];
    colour_of_[vertex] = static_cast<uint8_t>(colour);
    order_.push_back(vertex);
  }
  void take_back(unsigned colour) {
    coloured_[colour] &= ~(uint64_t{1} << order_.back());
    order_.pop_back();
    beside_[colour] = 0;
    for (uint64_t left = coloured_[colour]; left != 0; left &= left - 1) {
      beside_[colour] |= neighbours_[lowest_bit(left)];
    }
  }
  uint64_t first_coloured(uint64_t among) const {
    const auto first = std::find_if(order_.begin(), order_.end(),
                                    [&](unsigned vertex) { return (among >> vertex) & 1; });
    return uint64_t{1} << *first;
  }

  /// The vertex of `left` that has neighbours of the most colours; of equal ones the vertex with
  /// the most neighbours.
  unsigned most_constrained(uint64_t left, unsigned used) const {
    uint64_t beside_at_least[kMostVertices + 1] = {left};
    for (unsigned colour = 0; colour < used; ++colour) {
      for (unsigned count = colour + 1; count > 0; --count) {
        beside_at_least[count] |= beside_at_least[count - 1] & beside_[colour];
      }
    }
    while (beside_at_least[used] == 0) --used;
    return lowest_bit(beside_at_least[used]);
  }

  const Neighbours& neighbours_;
  const unsigned colours_;
  std::vector<uint8_t> colour_of_;
  std::vector<unsigned> order_;            ///< vertices in the order of colouring
  uint64_t coloured_[kMostVertices] = {};  ///< by colour: its vertices
  uint64_t beside_[kMostVertices] = {};    ///< by colour: vertices with a neighbour of that colour
};

/// Vertices by descending degree.
std::vector<unsigned> by_degree(const Neighbours& neighbours) {
  std::vector<unsigned> order(neighbours.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return bits_set(neighbours[a]) > bits_set(neighbours[b]);
  });
  return order;
}

Neighbours reordered(const Neighbours& neighbours, const std::vector<unsigned>& order) {
  Neighbours result(neighbours.size());
  for (size_t a = 0; a < order.size(); ++a) {
    for (size_t b = 0; b < order.size(); ++b) {
      if ((neighbours[order[a]] >> order[b]) & 1u) result[a] |= uint64_t{1} << b;
    }
  }
  return result;
}

/// Removes vertices that have fewer remaining neighbours than there are colours, one after another.
/// If these are coloured last, in reverse order, a colour is always left for each of them.
std::vector<unsigned> easy_vertices(const Neighbours& neighbours, unsigned colours,
                                    uint64_t* left) {
  std::vector<unsigned> easy;
  const auto is_easy = [&](unsigned vertex) {
    return ((*left >> vertex) & 1) && bits_set(neighbours[vertex] & *left) < colours;
  };
  for (size_t found_before = ~size_t{0}; easy.size() != found_before;) {
    found_before = easy.size();
    for (unsigned vertex = 0; vertex < neighbours.size(); ++vertex) {
      if (!is_easy(vertex)) continue;
      *left &= ~(uint64_t{1} << vertex);
      easy.push_back(vertex);
    }
  }
  return easy;
}

/// A colouring with at most `colours` colours, or nothing if there is none.
std::vector<uint8_t> colour_with(const Neighbours& neighbours, unsigned colours) {
  uint64_t left = ~uint64_t{0} >> (kMostVertices - neighbours.size());
  const std::vector<unsigned> easy = easy_vertices(neighbours, colours, &left);
  Search search(neighbours, colours);
  uint64_t blame = 0;
  if (!search.complete(left, 0, &blame)) return {};
  for (size_t index = easy.size(); index > 0; --index) search.give_any(easy[index - 1]);
  return search.colours();
}

}  // namespace

std::vector<uint8_t> fewest_colours(const Neighbours& neighbours) {
  if (neighbours.empty()) return {};
  const std::vector<unsigned> order = by_degree(neighbours);
  const Neighbours sorted = reordered(neighbours, order);
  std::vector<uint8_t> colours;
  for (unsigned count = 1; colours.empty(); ++count) colours = colour_with(sorted, count);
  std::vector<uint8_t> result(order.size());
  for (size_t place = 0; place < order.size(); ++place) result[order[place]] = colours[place];
  return result;
}

}  // namespace shflsim::model
