// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/routing.h"

namespace shflsim::model {
namespace {

/// Ring: every lane has a register with a link to its neighbour. A pass moves all values by one
/// lane, and a lane takes its source's value when it passes by. With two directions, a second set
/// of registers and links runs backwards at the same time, and a lane uses the shorter direction
/// (forwards on a tie).
///   passes = max distance: (lane - source) mod N, or the smaller of both; at least 1
///                                                                  (docs/sources.md, "Passes")
/// A lane that reads itself takes its own register in the first pass.
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"): for each direction, mux2 N W (load or
/// shift), N W bits of registers, 2 tracks (the links and the one that closes the ring) of 2(N-1)
/// pitches per pass. A multiplexer of two or three inputs takes a link's value or the lane's own:
/// N W or 2N W more, in total 2N W one way and 4N W both ways; levels 2 or 3; control bits N or 2N
/// and one for load or shift.
class Ring : public ShuffleNetwork {
 public:
  struct Params {
    uint32_t directions = 0;
    void list(ParameterList& list) {
      list.number("shuffle.ring.ways", &directions, 1, 2, "ways",
                  "directions in which values travel at the same time");
    }
  };

  Ring(const Params& params, unsigned lanes) : lanes_(lanes), directions_(params.directions) {}

  unsigned ports() const override { return 3 * lanes_; }
  std::string port_name(unsigned port) const override {
    static const char* const kKinds[] = {"forward link ", "backward link ", "register "};
    return kKinds[port / lanes_] + std::to_string(port % lanes_);
  }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    const unsigned shift = wiring.group();
    const auto ahead = circle(shift, 1, 0, &wiring);
    const auto back = directions_ == 2 ? circle(shift, lanes_ - 1, lanes_, &wiring) : ahead;
    std::vector<Wire> outputs;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      std::vector<Wire> heard = {wiring.inputs()[lane], ahead[(lane + lanes_ - 1) % lanes_]};
      if (directions_ == 2) heard.push_back(back[(lane + 1) % lanes_]);
      outputs.push_back(wiring.mux(wiring.group(), heard, lane));
    }
    wiring.deliver(outputs);
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    Schedule schedule;
    for (const Request& request : requests) travel(request, &schedule);
    return schedule;
  }

 private:
  /// One direction: the link of each lane takes the lane's value or the value of its register, and
  /// ends in the register `step` lanes further.
  std::vector<Wire> circle(unsigned shift, unsigned step, unsigned first_port,
                           Wiring* wiring) const {
    std::vector<Wire> held;
    for (unsigned lane = 0; lane < lanes_; ++lane) held.push_back(wiring->hold(lane));
    std::vector<Wire> links;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      links.push_back(
          wiring->mux(shift, {wiring->inputs()[lane], held[lane]}, lane, first_port + lane));
      wiring->drive(held[(lane + step) % lanes_], links[lane]);
    }
    return links;
  }

  /// Port numbers: forward links, backward links, then the lanes' own registers.
  unsigned forward(unsigned from) const { return from % lanes_; }
  unsigned backward(unsigned from) const { return lanes_ + from % lanes_; }
  unsigned own(unsigned lane) const { return 2 * lanes_ + lane; }

  void travel(const Request& request, Schedule* schedule) const {
    const unsigned ahead = (lanes_ + request.lane - request.source) % lanes_;
    const bool backwards = directions_ == 2 && ahead > lanes_ / 2;
    const unsigned hops = backwards ? lanes_ - ahead : ahead;
    if (hops == 0) {
      schedule->pass(0).deliver(request.lane, request.source, own(request.lane));
      return;
    }
    for (unsigned hop = 0; hop < hops; ++hop) {
      const unsigned port =
          backwards ? backward(lanes_ + request.source - hop) : forward(request.source + hop);
      Pass& pass = schedule->pass(hop);
      pass.carry(port, request.source);
      if (hop + 1 == hops) pass.deliver(request.lane, request.source, port);
    }
  }

  unsigned lanes_;
  unsigned directions_;
};

const bool ring_registered =
    ShuffleNetworks::add<Ring>("ring", "registers in a ring, one lane a pass, one way or both");

}  // namespace
}  // namespace shflsim::model
