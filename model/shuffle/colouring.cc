// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/colouring.h"

namespace shflsim::model {
namespace {

constexpr uint8_t kUncoloured = 0xFF;

unsigned bits_set(uint32_t mask) {
  unsigned count = 0;
  for (; mask != 0; mask &= mask - 1) ++count;
  return count;
}

/// Tries to colour a graph with a given number of colours.
class Search {
 public:
  Search(const Neighbours& neighbours, unsigned colours)
      : neighbours_(neighbours),
        colours_(colours),
        colour_(neighbours.size(), kUncoloured),
        left_(neighbours.size()) {}

  /// `used`: colours given so far. A new colour is tried once, since unused colours are alike.
  bool complete(unsigned used) {
    if (left_ == 0) return true;
    uint32_t taken = 0;
    const size_t vertex = most_constrained(&taken);
    --left_;
    for (unsigned colour = 0; colour < colours_ && colour <= used; ++colour) {
      if ((taken >> colour) & 1u) continue;
      colour_[vertex] = static_cast<uint8_t>(colour);
      if (complete(colour == used ? used + 1 : used)) return true;
    }
    colour_[vertex] = kUncoloured;
    ++left_;
    return false;
  }
  const std::vector<uint8_t>& colours() const { return colour_; }

 private:
  uint32_t taken_around(size_t vertex) const {
    uint32_t taken = 0;
    for (size_t other = 0; other < colour_.size(); ++other) {
      const bool neighbour = (neighbours_[vertex] >> other) & 1u;
      if (neighbour && colour_[other] != kUncoloured) taken |= 1u << colour_[other];
    }
    return taken;
  }

  /// The uncoloured vertex that sees the most colours; of equals the one with most neighbours, then
  /// the first.
  size_t most_constrained(uint32_t* taken) const {
    size_t best = colour_.size();
    unsigned best_rank = 0;
    for (size_t vertex = 0; vertex < colour_.size(); ++vertex) {
      if (colour_[vertex] != kUncoloured) continue;
      const uint32_t around = taken_around(vertex);
      const unsigned rank = bits_set(around) * 64 + bits_set(neighbours_[vertex]) + 1;
      if (rank <= best_rank) continue;
      best = vertex;
      best_rank = rank;
      *taken = around;
    }
    return best;
  }

  const Neighbours& neighbours_;
  const unsigned colours_;
  std::vector<uint8_t> colour_;
  size_t left_;
};

}  // namespace

std::vector<uint8_t> fewest_colours(const Neighbours& neighbours) {
  for (unsigned colours = 0;; ++colours) {
    Search search(neighbours, colours);
    if (search.complete(0)) return search.colours();
  }
}

}  // namespace shflsim::model
