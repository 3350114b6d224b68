// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "model/shuffle/shuffle_network.h"

namespace shflsim::model {

/// The control bits of a network in a pass.
struct Settings {
  std::vector<uint8_t> selects;  ///< by group: the input that its multiplexers take
  isa::WideMask enables = 0;     ///< lanes whose result registers take the value that arrives
};

/// The data path of a wiring: it transports words pass by pass, and its registers hold what they
/// took at the end of the previous pass.
class DataPath {
 public:
  /// All registers begin with `initial`.
  explicit DataPath(const Wiring& wiring, uint32_t initial = 0);
  /// The words that arrive at the lanes, given the words of `lanes` and a select for each group.
  std::vector<uint32_t> pass(const std::vector<uint32_t>& lanes,
                             const std::vector<uint8_t>& selects);
  /// The value of a wire in the last pass; for a register, the value held for the next pass.
  uint32_t value(Wire wire) const { return values_[wire]; }

 private:
  std::shared_ptr<const Wiring> wiring_;  ///< shared with copies
  std::vector<uint32_t> values_;
};

/// Turns the schedules of a network into its settings. The wiring has the wires, and the schedule
/// says what each port carries, so that no network needs its own control: a multiplexer takes an
/// input that carries what its port must carry, or what its lane is to receive. Multiplexers with a
/// common select take an input that is right for all of them; multiplexers whose value is not
/// needed take their first input.
///
/// The schedule is known in advance; the hardware that finds its settings is not modelled.
class SettingsSolver {
 public:
  /// Groups must be created in the order of the wires, each multiplexer's group after the groups of
  /// its inputs.
  explicit SettingsSolver(const Wiring& wiring);
  /// The settings of each pass; a pass through shared memory enables no lane. Throws
  /// std::logic_error if the wiring cannot do what the schedule says.
  std::vector<Settings> solve(const Schedule& schedule) const;

 private:
  using Carried = uint64_t;  ///< bit s: the wire may carry lane s's value
  struct Attempt;

  std::vector<Carried> carried(const Pass& pass, const DataPath& path,
                               const std::map<unsigned, uint8_t>& forced) const;
  bool take(unsigned group, uint8_t select, Attempt* attempt) const;
  bool choose(unsigned group, const std::map<unsigned, uint8_t>& forced, Attempt* attempt) const;
  std::vector<uint8_t> selects(const Pass& pass, const DataPath& path,
                               std::map<unsigned, uint8_t>* forced) const;

  Wiring wiring_;
  DataPath empty_;                          ///< data path whose registers hold no lane's value
  bool holds_ = false;                      ///< the network has registers
  std::vector<std::vector<Wire>> members_;  ///< multiplexers, by group
  std::map<unsigned, Wire> wire_of_port_;
};

}  // namespace shflsim::model
