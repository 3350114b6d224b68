// SPDX-License-Identifier: Apache-2.0
#include "model/config/config.h"

/// A page has no folder of configs: there are no cell libraries in it.
std::string shflsim::model::config_folder() { return ""; }
