// SPDX-License-Identifier: Apache-2.0
#include "model/config/config.h"

/// The page has no folder of configs, and thus no cell libraries.
std::string shflsim::model::config_folder() { return ""; }
