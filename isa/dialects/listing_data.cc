// SPDX-License-Identifier: Apache-2.0
// What a listing's data sections give to a kernel.
#include <algorithm>

#include "isa/code/reserved_shared.h"
#include "isa/dialects/device_variables.h"
#include "isa/dialects/listing_text.h"

namespace shflsim::isa {
namespace {

/// The sections of device variables, one behind the other.
DeviceVariables variables_of(const ListingText& listing) {
  DeviceVariables all;
  for (const char* name : {".nv.global.init", ".nv.global"}) {
    const auto section = listing.data.find(name);
    if (section == listing.data.end()) continue;
    const size_t base = all.append(section->second.bytes);
    for (const auto& [label, offset] : section->second.labels) all.symbols[label] = base + offset;
  }
  return all;
}

void add_bank(uint8_t bank, const ListedData& constants, const DeviceVariables& variables,
              const std::string& file, Program* program) {
  program->constants[bank] = constants.bytes;
  for (const ListedData::Address& address : constants.addresses) {
    const auto variable = variables.symbols.find(address.symbol);
    if (variable == variables.symbols.end()) {
      throw InputError({file}, "constant bank " + std::to_string(bank) + " holds the address of '" +
                                   address.symbol + "', which is no variable of this file");
    }
    program->variable_addresses.push_back({bank, address.offset, variable->second});
  }
}

}  // namespace

void add_listed_data(const ListingText& listing, const std::string& file, Program* program) {
  const auto shared = listing.data.find(".nv.shared." + program->name);
  if (shared != listing.data.end()) {
    const uint64_t bytes = shared->second.bytes.size();
    const uint64_t reserved = reserved_shared_bytes(number_of(program->arch));
    program->shared_bytes = static_cast<unsigned>(bytes - std::min(bytes, reserved));
  }
  const DeviceVariables variables = variables_of(listing);
  program->variables = variables.bytes;
  for (unsigned bank = 1; bank < 32; ++bank) {
    const std::string section = ".nv.constant" + std::to_string(bank);
    const auto own = listing.data.find(section + "." + program->name);
    const auto constants = own != listing.data.end() ? own : listing.data.find(section);
    if (constants == listing.data.end()) continue;
    add_bank(static_cast<uint8_t>(bank), constants->second, variables, file, program);
  }
}

}  // namespace shflsim::isa
