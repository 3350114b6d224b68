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

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.key), member(self.value), member(self.unit);
    member(self.origin), member(self.source), member(self.help);
  }
};

}  // namespace shflsim::model
