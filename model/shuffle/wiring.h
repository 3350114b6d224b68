// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace shflsim::model {

/// A wire of one word, by number: the input lanes' first, then those that nodes drive.
using Wire = uint16_t;

constexpr unsigned kNoPort = ~0u;

/// What drives a wire: an input lane, a multiplexer, or a register that holds a word from one pass
/// to the next.
struct Node {
  std::vector<Wire> inputs;  ///< a multiplexer's in the order of its select's values, the same wire
                             ///< twice where two values mean the same; a register's one; a lane's 0
  unsigned place = 0;        ///< position on the row of lanes, in lane pitches
  unsigned group = 0;        ///< index of the group of multiplexers with the same select
  unsigned port = kNoPort;   ///< the port of the network's schedules (PortUse) that this wire is
  bool clocked = false;      ///< a register
};

/// What shares a select in a stage of 2:1 multiplexers.
enum class Control : uint8_t {
  kMultiplexer,  ///< each one, so that a 2x2 switch can broadcast
  kSwitch,       ///< each 2x2 switch: straight or exchange
  kStage,        ///< the stage as a whole
};

/// The structure of a network: its multiplexers of words, their inputs, which of them share control
/// bits, and their places on the row of lanes. A multiplexer is in one place, however many inputs
/// it has; lane i's input and result register are at place i. The costs of a network are sums over
/// this structure (network_cost.h).
class Wiring {
 public:
  /// No wires: the network uses other units' hardware.
  Wiring() = default;
  /// The input wires of `lanes` lanes.
  explicit Wiring(unsigned lanes);

  /// A new group of multiplexers that share their select.
  unsigned group() { return groups_++; }
  /// A multiplexer at `place`; with a single input, that input's wire.
  Wire mux(unsigned group, const std::vector<Wire>& inputs, unsigned place,
           unsigned port = kNoPort);
  /// A tree of 2:1 multiplexers along the row, each between what it joins, that selects one of
  /// `inputs`, a power of two of them in the order of their places; a level shares its select. The
  /// last is `port`.
  Wire tree(std::vector<Wire> inputs, unsigned port);
  /// At every place a multiplexer of the wires of its group of `size` neighbours: crossbars.
  std::vector<Wire> crossbars(const std::vector<Wire>& from, unsigned size, unsigned first_port);
  /// At each of the first `count` places a multiplexer of all `buses`.
  std::vector<Wire> selectors(const std::vector<Wire>& buses, unsigned count);
  /// At every place a multiplexer of one row and the other, all with one select.
  std::vector<Wire> either(const std::vector<Wire>& one, const std::vector<Wire>& other);
  /// At every place a multiplexer of its own wire and that of `partner(place)`.
  std::vector<Wire> stage(const std::vector<Wire>& from,
                          const std::function<unsigned(unsigned)>& partner, Control control,
                          unsigned first_port);
  /// Stages of exchanges between places that are `distances` apart, each a power of two.
  std::vector<Wire> exchanges(std::vector<Wire> from, const std::vector<unsigned>& distances,
                              Control control, unsigned first_port);
  /// A register at `place`, and later the wire that it takes at the end of each pass.
  Wire hold(unsigned place);
  void drive(Wire held, Wire input) { nodes_[held].inputs = {input}; }
  /// The wires that end in the lanes' result registers.
  void deliver(const std::vector<Wire>& outputs) { outputs_ = outputs; }

  /// The wires of the input lanes.
  std::vector<Wire> inputs() const;
  /// The wire of each lane's result; none if the network has no wires of its own.
  const std::vector<Wire>& outputs() const { return outputs_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  unsigned groups() const { return groups_; }
  /// Identifies multiplexers, registers and shared selects, but not places, by 16 hexadecimal
  /// digits. Synthesis data refer to a network by these names, not by names of parameters.
  std::string fingerprint() const;

 private:
  Wire add(const Node& node);

  std::vector<Node> nodes_;
  std::vector<Wire> outputs_;
  unsigned lanes_ = 0;
  unsigned groups_ = 0;
};

/// `count` of `wires`, from number `first` on and `step` apart.
std::vector<Wire> every(const std::vector<Wire>& wires, unsigned first, unsigned step,
                        unsigned count);

/// Distances of the stages of a butterfly, N/2, .., 2, 1, of its mirror image, and of a Beneš
/// network, which is both with one stage of distance 1.
std::vector<unsigned> butterfly_distances(unsigned lanes);
std::vector<unsigned> inverse_distances(unsigned lanes);
std::vector<unsigned> benes_distances(unsigned lanes);

}  // namespace shflsim::model
