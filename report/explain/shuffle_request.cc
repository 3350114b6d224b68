// SPDX-License-Identifier: Apache-2.0
#include "report/explain/shuffle_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/input_error.h"
#include "isa/base/text_cursor.h"
#include "isa/codec/codec.h"
#include "report/explain/lane_pattern.h"
#include "report/run/json_fields.h"

namespace shflsim::report {
namespace {

using isa::Role;

isa::Instruction shuffle_of(const std::string& text, isa::Arch arch) {
  try {
    isa::Instruction shfl;
    const isa::Word word = isa::encode(arch, text, 0).word;
    const std::string problem = isa::family_of(arch) == isa::Family::kMaxwell
                                    ? isa::decode(word.low, 0, isa::Control{}, &shfl)
                                    : isa::decode(arch, word, 0, &shfl);
    if (!problem.empty()) throw InputError(problem);
    if (shfl.op != isa::Op::kSHFL && shfl.op != isa::Op::kSm70_SHFL) {
      throw InputError("'" + text +
                       "' is no SHFL; expected one such as SHFL.IDX PT, R1, R0, 5, 0x1f");
    }
    return shfl;
  } catch (const isa::SyntaxError& error) {
    throw InputError({"'" + text + "'", 1, error.column}, error.what);
  }
}

/// The values of an operand in each lane: its immediate, zero for RZ, or those of `--sb`, `--sc`.
isa::LaneValues operand_values(const isa::Operand& operand, const std::optional<std::string>& given,
                               const std::string& name) {
  isa::LaneValues lanes{};
  if (operand.is_live_register()) {
    if (!given) {
      throw InputError(fmt::format(
          "R{0} is not known; expected its lanes' values as --{1}, such as --{1} lane^1",
          operand.index, name));
    }
    return lane_pattern(*given, "--" + name);
  }
  if (given) {
    throw InputError(
        "--" + name +
        " given, but the operand is no register; expected a register in the SHFL's text");
  }
  lanes.fill(operand.is(isa::Operand::Kind::kImmediate) ? static_cast<uint32_t>(operand.value) : 0);
  return lanes;
}

constexpr const char* kExpected =
    "expected an object such as {\"text\": \"SHFL.IDX P0, R1, R0, R2, 0x1f\", \"sb\": \"lane^1\"}";

void take(ShuffleRequest* request, const std::string& key, const Json& value) {
  if (key == "networks") {
    request->networks = value.get<std::vector<std::string>>();
    return;
  }
  const auto text = value.get<std::string>();
  if (key == "text") {
    request->text = text;
  } else if (key == "arch") {
    request->arch = isa::arch_named(text);
  } else if (key == "lanes") {
    request->lanes = text;
  } else if (key == "sb") {
    request->sb = text;
  } else if (key == "sc") {
    request->sc = text;
  } else {
    throw InputError("'" + key + "'" +
                     suggestion(key, {"text", "arch", "lanes", "sb", "sc", "networks"}));
  }
}

}  // namespace

ShuffleRequest shuffle_request(const std::string& json) {
  ShuffleRequest request;
  try {
    const Json object = Json::parse(json);
    if (!object.is_object()) throw InputError(std::string("no object; ") + kExpected);
    for (const auto& [key, value] : object.items()) take(&request, key, value);
  } catch (const Json::exception&) {
    throw InputError(std::string("no such object; ") + kExpected);
  }
  if (request.text.empty()) throw InputError(std::string("no 'text'; ") + kExpected);
  return request;
}

/// The text without the address and the word that a listing has beside it.
std::string without_comments(std::string text) {
  for (size_t at = text.find("/*"); at != std::string::npos; at = text.find("/*")) {
    const size_t end = text.find("*/", at);
    text.erase(at, end == std::string::npos ? end : end + 2 - at);
  }
  return std::string(isa::trimmed(text));
}

ExplainedShuffle explained(const ShuffleRequest& request) {
  const std::string text = without_comments(request.text);
  if (request.text.find("__shfl") != std::string::npos)
    throw InputError("'" + request.text +
                     "' is CUDA; expected a SHFL, which `shflsim lower` makes of it");
  if (text.compare(0, 5, "shfl.") == 0)
    throw InputError("'" + request.text +
                     "' is PTX; expected a SHFL, which `shflsim asm` makes of a file with it");
  ExplainedShuffle shuffle;
  shuffle.shfl = shuffle_of(text, request.arch);
  shuffle.sb = operand_values(shuffle.shfl[Role::kB], request.sb, "sb");
  shuffle.sc = operand_values(shuffle.shfl[Role::kC], request.sc, "sc");
  shuffle.map = isa::lane_map(isa::shuffle_mode(shuffle.shfl), shuffle.sb, shuffle.sc,
                              lane_mask(request.lanes, "--lanes"));
  return shuffle;
}

std::vector<std::string> networks_of(const ShuffleRequest& request) {
  const std::vector<std::string> known = model::ShuffleNetworks::names();
  for (const std::string& name : request.networks) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("--network: no network '" + name + "'" + suggestion(name, known));
  }
  std::vector<std::string> names;  // by name, without duplicates, whatever the order
  for (const std::string& name : known) {
    const auto& asked = request.networks;
    if (asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end())
      names.push_back(name);
  }
  return names;
}

Document explanation(const ShuffleRequest& request, const model::NetworkChoice& choice) {
  const ExplainedShuffle shuffle = explained(request);
  return explanation(shuffle, routes_of(shuffle.map, choice, networks_of(request)));
}

}  // namespace shflsim::report
