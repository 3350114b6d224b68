// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/options/option_list.h"
#include "rtl/proof.h"

namespace shflsim::cli {

/// `shflsim rtl --check LIBRARY`: compares a module that Verilator compiled with the network that
/// it implements; `maps` and `every` choose the lane maps to send.
struct ModuleCheckOptions : OptionGroup {
  std::optional<std::string> library;
  std::optional<uint64_t> maps;
  std::optional<uint64_t> every;

  void list(OptionList& list);
};

/// Sends the maps through the library's module and prints what was compared, or the first lane that
/// is wrong. Returns an ExitStatus. Throws InputError if the library cannot be loaded.
int check_module(const ModuleCheckOptions& options, const rtl::Module& shuffle,
                 const model::ShuffleNetwork& network, uint32_t seed);

}  // namespace shflsim::cli
