// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options/option_list.h"
#include "isa/codec/arch.h"

namespace shflsim::cli {

/// --arch, for commands that take instruction words or texts: their architecture.
struct ArchOption : OptionGroup {
  isa::Arch arch = isa::Arch::kSm50;

  void list(OptionList& list) {
    list.group("options", this);
    list.value("arch", &arch, "ARCH",
               "whose instructions: sm_50 (default, SPA 5.0), sm_70, sm_72, sm_75, sm_80, sm_86, "
               "sm_89, sm_90, sm_100 or sm_120",
               [](const std::string& text, const std::string& /*option*/) {
                 return isa::arch_named(text);
               })
        .common();
  }
};

}  // namespace shflsim::cli
