// SPDX-License-Identifier: Apache-2.0
#include "rtl/moves.h"

#include <algorithm>
#include <numeric>

namespace shflsim::rtl {
namespace {

constexpr unsigned kUniform = 5;  ///< the last kind; the slowest on most networks

unsigned proof_source(unsigned kind, unsigned lane, unsigned lanes, unsigned drawn,
                      unsigned setting) {
  switch (kind) {
    case 2: return lane ^ setting;
    case 3: return lane + setting < lanes ? lane + setting : lane;
    case 4: return (lane & ~3u) + drawn % 4;
    case 5: return setting;
    default: return drawn;
  }
}

isa::LaneMove move_of(const std::vector<unsigned>& sources, isa::WideMask written) {
  isa::LaneMove move(static_cast<unsigned>(sources.size()));
  for (unsigned lane = 0; lane < move.lanes; ++lane)
    if (isa::has_bit(written, lane)) move.source[0][lane] = isa::LaneSource::of(sources[lane]);
  return move;
}

}  // namespace

isa::LaneMove random_move(unsigned lanes, uint64_t number, std::mt19937_64* random) {
  const auto draw = [random](unsigned below) { return static_cast<unsigned>((*random)() % below); };
  const auto kind = static_cast<unsigned>(number % 50 == 49 ? kUniform : number % kUniform);
  const isa::WideMask written = number % 3 == 2 ? (*random)() : ~isa::WideMask{0};
  const unsigned setting = draw(lanes);
  std::vector<unsigned> sources(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    sources[lane] = proof_source(kind, lane, lanes, draw(lanes), setting);
  if (kind == 1) {
    std::iota(sources.begin(), sources.end(), 0u);
    std::shuffle(sources.begin(), sources.end(), *random);
  }
  return move_of(sources, written);
}

isa::LaneMove numbered_move(unsigned lanes, uint64_t number) {
  std::vector<unsigned> sources(lanes);
  for (unsigned& source : sources) {
    source = static_cast<unsigned>(number % lanes);
    number /= lanes;
  }
  return move_of(sources, ~isa::WideMask{0});
}

std::vector<isa::LaneMove> random_moves(unsigned lanes, unsigned count, uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<isa::LaneMove> moves;
  for (unsigned number = 0; number < count; ++number)
    moves.push_back(random_move(lanes, number, &random));
  return moves;
}

}  // namespace shflsim::rtl
