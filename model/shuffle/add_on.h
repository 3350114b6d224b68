// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/shuffle/shuffle_network.h"

namespace shflsim::model {

/// Wires beside any network that serve some lanes in the first pass instead of the network: a 2:1
/// multiplexer per lane selects between the two. Its ports are numbered after the network's.
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
  /// The add-on's port that delivers the value of `source` to `lane`.
  virtual unsigned port(unsigned lane, unsigned source) const = 0;
  virtual unsigned own_ports() const = 0;
  virtual std::string own_port_name(unsigned port) const = 0;
  /// Adds the add-on's own multiplexers, with ports from `first_port` on, and returns the wires
  /// that it delivers to the lanes. A multiplexer then joins each to the network's wire.
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

/// One bus that every lane can drive and read: serves the lanes if all of them read the same
/// source. A tree of multiplexers along the row selects the lane that drives it.
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
