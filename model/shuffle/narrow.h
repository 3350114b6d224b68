// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/shuffle/settings.h"
#include "model/shuffle/wiring.h"

namespace shflsim::model {

/// Cycles in which a unit that delivers `width` lanes per cycle serves `lanes` of a pass: one for
/// each slice of `width` adjacent lanes that contains one of them; at least one.
unsigned slices_of(isa::LaneMask lanes, unsigned width);

/// A unit that delivers `width` lanes of a pass per cycle, derived from a network for all lanes. A
/// pass consists of slices, one after the other: slice k has the lanes k width to (k + 1) width -
/// 1, and each of the unit's `width` outputs serves one lane of each slice.
///
/// The last `folded` multiplexers of the path to a lane are built once for all lanes of an output,
/// because they select from equal structures. Before them is a multiplexer over all wires that they
/// may need from the previous `merged` levels; before that, everything is as in the whole network.
/// Both numbers are those that need the fewest multiplexers. Registers that hold values between
/// passes keep them until the last slice, by a multiplexer before each.
class NarrowUnit {
 public:
  NarrowUnit(const Wiring& whole, unsigned width);

  const Wiring& wiring() const { return wiring_; }
  unsigned width() const { return width_; }
  /// The settings of the slices of a pass, from its settings in the whole network.
  std::vector<Settings> settings(const Settings& pass) const;

 private:
  using Lanes = std::vector<Wire>;  ///< by slice: the whole network's wire that an output needs
  struct Select {
    Lanes wires;            ///< multiplexers whose select this group follows in the network
    std::vector<Wire> cut;  ///< or, if not empty, the inputs of its multiplexers
  };
  struct Depths {
    unsigned folded = 0;
    unsigned merged = 0;
  };

  void build(Depths depths);
  void hold_registers();
  void drive_registers();
  Wire copy(Wire wire);
  Wire fold(const Lanes& wires, unsigned levels);
  Wire merge(const Lanes& wires);
  bool can_fold(const Lanes& wires) const;
  unsigned group_of(const Lanes& wires);
  unsigned place_of(const Lanes& wires) const;
  Wire descend(Wire wire, const std::vector<uint8_t>& selects) const;
  uint8_t select_in(const Select& select, unsigned slice, const Settings& pass) const;
  uint64_t multiplexers() const;

  const Wiring whole_;
  const unsigned width_;
  Depths depths_;
  Wiring wiring_;
  bool holds_ = false;
  unsigned step_ = 0;                                    ///< group of the registers' multiplexers
  std::vector<Select> selects_;                          ///< by group
  std::map<std::vector<unsigned>, unsigned> of_groups_;  ///< group, by groups of the whole network
  std::map<Wire, Wire> copies_;
  std::map<std::pair<Lanes, unsigned>, Wire> folds_;
};

/// The wiring of a unit of `width` lanes per cycle; `whole` itself if that is all of its lanes.
Wiring narrowed(const Wiring& whole, unsigned width);

}  // namespace shflsim::model
