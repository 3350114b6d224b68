// SPDX-License-Identifier: Apache-2.0
// Queries of the space of a generic address.
#include "isa/machine/address_space.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

enum Query : uint8_t { kIsGlobal, kIsLocal, kIsShared, kIsDistributed };

/// P = the address is in global, local, the block's own shared, or the cluster's shared memory.
void qspc(Execution& execution) {
  const Windows& windows = windows_of(execution);
  const LaneAddresses& addresses = resolve_addresses(execution);
  const uint8_t query = execution.instruction[Mod::k_qspc];
  write_predicate(execution, Role::kP, lanes_where([&](unsigned lane) {
                    const uint64_t address = addresses[lane];
                    switch (query) {
                      case kIsGlobal: return !windows.hold(address);
                      case kIsLocal: return Windows::holds(windows.local, address);
                      case kIsShared:
                        return Windows::holds(windows.shared + execution.block.shared_base,
                                              address);
                      default: return windows.holds_shared(address);
                    }
                  }));
}

std::string refuse_query(const Instruction& instruction) {
  return instruction[Role::kD].is_live_register() ? "the form that writes a register" : "";
}

}  // namespace

void add_sm70_space_operations(OperationTable& table) {
  entry(table, Op::kSm70_QSPC) = {qspc, refuse_query};
}

}  // namespace shflsim::isa
