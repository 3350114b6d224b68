// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace shflsim::model {

/// The number of a wire of one word: first the input lanes', then those that nodes drive.
using Wire = uint16_t;

constexpr unsigned kNoPort = ~0u;

/// The driver of a wire: an input lane, a multiplexer, or a register that holds a word from one
/// pass to the next.
struct Node {
  std::vector<Wire> inputs;  ///< of a multiplexer: by the value of its select, with the same wire
                             ///< twice if two values mean the same; of a register: 1; of a lane: 0
  unsigned place = 0;        ///< position on the row of lanes, in lane pitches
  unsigned group = 0;        ///< index of the group of multiplexers with the same select
  unsigned port = kNoPort;   ///< the port of the network's schedules (PortUse) that this wire is
  bool clocked = false;      ///< a register
};

/// Which multiplexers share a select in a stage of 2:1 multiplexers.
enum class Control : uint8_t {
  kMultiplexer,  ///< none, so that a 2x2 switch can broadcast
  kSwitch,       ///< those of a 2x2 switch: straight or exchange
  kStage,        ///< those of the whole stage
};

/// The structure of a network: its multiplexers of words, their inputs, which of them share control
/// bits, and their places on the row of lanes. A multiplexer is in one place, regardless of the
/// number of its inputs; the input and the result register of lane i are at place i. The costs of a
/// network are sums over this structure (network_cost.h).
class Wiring {
 public:
  /// No wires: the network uses other units' hardware.
  Wiring() = default;
  /// The input wires of `lanes` lanes.
  explicit Wiring(unsigned lanes);

  /// Creates a group of multiplexers that share their select.
  unsigned group() { return groups_++; }
  /// Adds a multiplexer at `place`; for a single input, returns that input's wire.
  Wire mux(unsigned group, const std::vector<Wire>& inputs, unsigned place,
           unsigned port = kNoPort);
  /// A tree of 2:1 multiplexers along the row, each between its inputs, that selects one of
  /// `inputs`. Their number is a power of two, and they are in the order of their places. A level
  /// shares its select. The last wire is `port`.
  Wire tree(std::vector<Wire> inputs, unsigned port);
  /// At every place a multiplexer over the wires of its group of `size` neighbours: crossbars.
  std::vector<Wire> crossbars(const std::vector<Wire>& from, unsigned size, unsigned first_port);
  /// At each of the first `count` places a multiplexer over all `buses`.
  std::vector<Wire> selectors(const std::vector<Wire>& buses, unsigned count);
  /// At every place a multiplexer of the wires of the two rows, all with one select.
  std::vector<Wire> either(const std::vector<Wire>& one, const std::vector<Wire>& other);
  /// At every place a multiplexer of its own wire and the wire of `partner(place)`.
  std::vector<Wire> stage(const std::vector<Wire>& from,
                          const std::function<unsigned(unsigned)>& partner, Control control,
                          unsigned first_port);
  /// Stages that exchange places at these `distances`, which are powers of two.
  std::vector<Wire> exchanges(std::vector<Wire> from, const std::vector<unsigned>& distances,
                              Control control, unsigned first_port);
  /// Adds a register at `place`; drive() sets the wire that it takes at the end of each pass.
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
  /// digits. Synthesis data refer to networks by these digits instead of by parameters.
  std::string fingerprint() const;

 private:
  Wire add(const Node& node);

  std::vector<Node> nodes_;
  std::vector<Wire> outputs_;
  unsigned lanes_ = 0;
  unsigned groups_ = 0;
};

/// `count` of `wires`: from number `first` on, `step` apart.
std::vector<Wire> every(const std::vector<Wire>& wires, unsigned first, unsigned step,
                        unsigned count);

/// Distances of the stages of a butterfly (N/2, .., 2, 1), of its mirror image, and of a Beneš
/// network, which is both with one common stage of distance 1.
std::vector<unsigned> butterfly_distances(unsigned lanes);
std::vector<unsigned> inverse_distances(unsigned lanes);
std::vector<unsigned> benes_distances(unsigned lanes);

}  // namespace shflsim::model
