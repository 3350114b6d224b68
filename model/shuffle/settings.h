// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "model/shuffle/shuffle_network.h"

namespace shflsim::model {

/// What the control bits of a network say in a pass.
struct Settings {
  std::vector<uint8_t> selects;  ///< by group: which of their inputs its multiplexers take
  isa::LaneMask enables = 0;     ///< lanes whose result registers take what has arrived
};

/// The data path that a wiring describes: words go in, pass by pass, and its registers hold what
/// they took at the end of the pass before.
class DataPath {
 public:
  /// With `initial` in all registers.
  explicit DataPath(const Wiring& wiring, uint32_t initial = 0);
  /// What arrives at each lane of `lanes`, for a select for each group.
  std::vector<uint32_t> pass(const std::vector<uint32_t>& lanes,
                             const std::vector<uint8_t>& selects);
  /// What a wire carried in the last pass; a register's, what it holds for the next.
  uint32_t value(Wire wire) const { return values_[wire]; }

 private:
  std::shared_ptr<const Wiring> wiring_;  ///< shared with copies
  std::vector<uint32_t> values_;
};

/// Turns a network's schedules into its settings. The wiring says which wires there are and the
/// schedule what each port carries, so that no network needs its own control: a multiplexer takes
/// an input that carries what its port must carry, or what its lane is to receive. Multiplexers
/// with a common select take an input that is right for all of them; multiplexers that nothing
/// depends on take their first input.
///
/// The schedule is known in advance; the hardware that finds its settings is not modelled.
class SettingsSolver {
 public:
  /// Groups must have been made in the order of the wires, a multiplexer's group behind the groups
  /// of its inputs.
  explicit SettingsSolver(const Wiring& wiring);
  /// Settings for each pass; none is enabled in one that shared memory delivers. Throws
  /// std::logic_error where the wiring cannot do what the schedule says.
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
