// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/run/design_cost.h"
#include "report/run/document.h"

namespace shflsim::report {

/// A network that a config may choose.
struct NetworkRow {
  std::string name;
  std::string help;
  DesignCost cost;  ///< cost with the config's other values
};

const Fields<NetworkRow>& network_columns();
/// `shflsim list networks`; members beside the rows say what the costs refer to.
Document networks_document(const std::vector<NetworkRow>& rows);
/// Writes what each network is, then what each costs.
void write_networks(std::ostream& out, const Document& list);

}  // namespace shflsim::report
