// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/cell_library.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "isa/base/input_error.h"
#include "isa/base/readable.h"
#include "model/config/config.h"
#include "model/core/parameter.h"
#include "model/shuffle/network_cost.h"
#include "model/shuffle/wiring.h"

namespace shflsim::model {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kFormat = "shflsim-library/1";
constexpr const char* kLibraryExtension = ".json";
constexpr const char* kExpected = "; expected a file that scripts/rtl/synthesise writes";

fs::path folder() { return fs::path(config_folder()) / "technology"; }

std::vector<std::string> libraries_in_folder() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder(), error)) {
    if (entry.path().extension() == kLibraryExtension)
      names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// A number of the file, which must not be negative, and not 0 if others are divided by it.
double figure(const Json& object, const char* key, bool may_be_zero = true) {
  const auto value = object.at(key).get<double>();
  if (value < 0 || (value == 0 && !may_be_zero)) {
    throw std::out_of_range("'" + std::string(key) + "' is " + object.at(key).dump());
  }
  return value;
}

CellLibrary library_of(const Json& json) {
  if (json.at("format") != kFormat) throw std::out_of_range("'format' is " + json["format"].dump());
  CellLibrary library;
  library.name = json.at("library").get<std::string>();
  library.fo4 = figure(json, "fo4_ps", false);
  library.register_delay = figure(json, "register_ps");
  library.flip_flop = figure(json, "flip_flop_um2", false);
  library.base_delay = json.at("estimate").at("base_ps").get<double>();
  library.level_delay = figure(json.at("estimate"), "level_ps");
  for (const Json& each : json.at("networks")) {
    library.networks[each.at("wiring").get<std::string>()] = {
        figure(each, "cell_um2"), figure(each, "register_um2"), figure(each, "delay_ps"),
        figure(each, "setup_fj")};
  }
  return library;
}

CellLibrary read(const std::string& path) {
  const std::string text = isa::read_bytes(path, "a cell library's figures");
  try {
    return library_of(Json::parse(text));
  } catch (const Json::parse_error& error) {
    const auto lines = std::count(
        text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size())),
        '\n');
    throw InputError({path, static_cast<unsigned>(lines) + 1},
                     std::string("is no JSON") + kExpected);
  } catch (const std::exception& error) {
    throw InputError({path}, std::string(error.what()) + kExpected);
  }
}

}  // namespace

const SynthesisedNetwork* CellLibrary::find(const Wiring& wiring) const {
  const auto found = networks.find(wiring.fingerprint());
  return found == networks.end() ? nullptr : &found->second;
}

double CellLibrary::logic_delay(const Wiring& wiring) const {
  const SynthesisedNetwork* synthesised = find(wiring);
  if (synthesised != nullptr) return synthesised->delay;
  return std::max(0.0, base_delay + level_delay * cost_of(wiring).mux_levels);
}

std::vector<std::string> shipped_libraries() {
  static const std::vector<std::string> names = libraries_in_folder();
  return names;
}

std::string cell_library_path(const std::string& name_or_path) {
  return is_path(name_or_path) ? name_or_path
                               : (folder() / (name_or_path + kLibraryExtension)).string();
}

const CellLibrary& cell_library(const std::string& name_or_path) {
  static std::map<std::string, CellLibrary> known;
  const auto found = known.find(name_or_path);
  if (found != known.end()) return found->second;
  return known.emplace(name_or_path, read(cell_library_path(name_or_path))).first->second;
}

}  // namespace shflsim::model
