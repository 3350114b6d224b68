// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/shuffle/shuffle_network.h"

namespace shflsim::model {

/// Wires beside any network that serve some lanes in the first pass instead of the network: a 2:1
/// multiplexer per lane selects one of the two. Its ports are counted after the network's.
class AddOn : public ShuffleNetwork {
 public:
  unsigned ports() const override { return inner_->ports() + own_ports(); }
  std::string port_name(unsigned port) const override;
  Wiring wiring() const override;

 protected:
  AddOn(std::unique_ptr<ShuffleNetwork> inner, unsigned lanes)
      : inner_(std::move(inner)), lanes_(lanes) {}
  Schedule plan(const std::vector<Request>& requests) const override;
  unsigned lanes() const { return lanes_; }

  /// The lanes that the add-on serves.
  virtual LaneSet served(const std::vector<Request>& requests) const = 0;
  /// Which of the add-on's ports brings `lane` the value of `source`.
  virtual unsigned port(unsigned lane, unsigned source) const = 0;
  virtual unsigned own_ports() const = 0;
  virtual std::string own_port_name(unsigned port) const = 0;
  /// Adds the add-on's own multiplexers, ports from `first_port`: the wires that it brings the
  /// lanes, each then joined to the network's by a multiplexer.
  virtual std::vector<Wire> own_wires(unsigned first_port, Wiring* wiring) const = 0;

 private:
  std::unique_ptr<ShuffleNetwork> inner_;
  unsigned lanes_;
};

/// A lane that reads itself keeps its register (docs/sources.md, "Cost").
class SelfBypass : public AddOn {
 public:
  SelfBypass(std::unique_ptr<ShuffleNetwork> inner, unsigned lanes)
      : AddOn(std::move(inner), lanes) {}

 protected:
  LaneSet served(const std::vector<Request>& requests) const override;
  unsigned port(unsigned lane, unsigned source) const override;
  unsigned own_ports() const override { return lanes(); }
  std::string own_port_name(unsigned port) const override;
  std::vector<Wire> own_wires(unsigned first_port, Wiring* wiring) const override;
};

/// Each quad has a 4x4 crossbar (docs/sources.md, "Cost", quad-only swizzle) for reads within it.
class QuadFastPath : public AddOn {
 public:
  QuadFastPath(std::unique_ptr<ShuffleNetwork> inner, unsigned lanes)
      : AddOn(std::move(inner), lanes) {}

 protected:
  LaneSet served(const std::vector<Request>& requests) const override;
  unsigned port(unsigned lane, unsigned source) const override;
  unsigned own_ports() const override { return lanes(); }
  std::string own_port_name(unsigned port) const override;
  std::vector<Wire> own_wires(unsigned first_port, Wiring* wiring) const override;
};

/// One bus that every lane can drive and every lane can take: serves the lanes where all of them
/// read the same source. A tree of multiplexers along the row selects one lane of all.
class UniformBroadcast : public AddOn {
 public:
  UniformBroadcast(std::unique_ptr<ShuffleNetwork> inner, unsigned lanes)
      : AddOn(std::move(inner), lanes) {}

 protected:
  LaneSet served(const std::vector<Request>& requests) const override;
  unsigned port(unsigned lane, unsigned source) const override;
  unsigned own_ports() const override { return 1; }
  std::string own_port_name(unsigned port) const override;
  std::vector<Wire> own_wires(unsigned first_port, Wiring* wiring) const override;
};

}  // namespace shflsim::model
