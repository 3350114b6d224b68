// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace shflsim::model {

/// A part of the machine that names itself: `shflsim list modules` prints the tree of them. kind()
/// is the name of the class.
class Module : public sc_core::sc_module {
 public:
  const char* kind() const override = 0;
  /// What it is in hardware, in a few words.
  virtual const char* hardware() const = 0;
  /// Section of the config that has its parameters, "sm"; "" where it has none.
  virtual const char* section() const = 0;

 protected:
  explicit Module(const sc_core::sc_module_name& name) : sc_module(name) {}
};

}  // namespace shflsim::model
