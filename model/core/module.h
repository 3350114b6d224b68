// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace shflsim::model {

/// A part of the machine with a description; `shflsim list modules` prints the tree of parts.
/// kind() is the name of the class.
class Module : public sc_core::sc_module {
 public:
  const char* kind() const override = 0;
  /// Its hardware in a few words.
  virtual const char* hardware() const = 0;
  /// Section of the config with its parameters, "sm"; "" if it has none.
  virtual const char* section() const = 0;

 protected:
  explicit Module(const sc_core::sc_module_name& name) : sc_module(name) {}
};

}  // namespace shflsim::model
