// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::model {

/// One key of the effective configuration.
struct ConfigValue {
  std::string key;
  std::string value;
  std::string unit;
  std::string origin;  ///< "gm107.cfg:12", "command line"
  std::string source;  ///< "measured: ...", "vendor: ...", "published: ...", "assumed"
  std::string help;
  std::string allowed;  ///< "1 to 64", "a power of two from 1 to 32", "per_unit, shared_pipe"

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.key), member(self.value), member(self.unit);
    member(self.origin), member(self.source), member(self.help), member(self.allowed);
  }
};

}  // namespace shflsim::model
