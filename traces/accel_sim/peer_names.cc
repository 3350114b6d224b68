// SPDX-License-Identifier: Apache-2.0
// The operations that Accel-Sim's tables lack: accel-sim-framework, gpu-simulator/ISA_Def, October
// 2024.
#include "traces/accel_sim/peer_names.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace shflsim::traces {
namespace {

using PeerNames = std::map<std::string_view, std::string_view>;

/// For sm_70 and later: of SPA 5.0 the tables lack only a few video operations.
const PeerNames& peer_names() {
  static const PeerNames names = {
      {"ACQBULK", "NOP"},      {"ACQSHMINIT", "NOP"},    {"ARRIVES", "ATOMS"},
      {"CGAERRBAR", "ERRBAR"}, {"CREDUX", "REDUX"},      {"CS2UR", "S2UR"},
      {"ELECT", "VOTE"},       {"ENDCOLLECTIVE", "NOP"}, {"F2FP", "F2F"},
      {"FADD2", "FADD"},       {"FENCE", "MEMBAR"},      {"FFMA2", "FFMA"},
      {"FHADD", "FADD"},       {"FHFMA", "FFMA"},        {"FMNMX3", "FMNMX"},
      {"FMUL2", "FMUL"},       {"HGMMA", "HMMA"},        {"IGMMA", "IMMA"},
      {"LDCU", "ULDC"},        {"LDGMC", "LDG"},         {"LDTM", "LDS"},
      {"PREEXIT", "NOP"},      {"QGMMA", "HMMA"},        {"QMMA", "HMMA"},
      {"REDAS", "ATOMS"},      {"REDG", "RED"},          {"STAS", "STS"},
      {"STSM", "STS"},         {"STTM", "STS"},          {"SYNCS", "ATOMS"},
      {"UBLKCP", "LDGSTS"},    {"UBLKRED", "RED"},       {"UCGABAR_ARV", "BAR"},
      {"UCGABAR_WAIT", "BAR"}, {"UF2I", "UF2FP"},        {"UFADD", "UIADD3"},
      {"UFFMA", "UIMAD"},      {"UFMUL", "UIMAD"},       {"UFSEL", "USEL"},
      {"UFSETP", "UISETP"},    {"UI2F", "UF2FP"},        {"UI2FP", "UF2FP"},
      {"UIMNMX", "USEL"},      {"USETMAXREG", "NOP"},    {"USETSHMSZ", "NOP"},
      {"UTCATOMSWS", "NOP"},   {"UTCBAR", "NOP"},        {"UTCCP", "LDS"},
      {"UTCSHIFT", "NOP"},     {"UTMACCTL", "NOP"},      {"UTMACMDFLUSH", "NOP"},
      {"UTMALDG", "LDGSTS"},   {"UTMAPF", "CCTL"},       {"UTMAREDG", "RED"},
      {"UTMASTG", "STG"},      {"UVIMNMX", "USEL"},      {"UVIRTCOUNT", "NOP"},
      {"VHMNMX", "HMNMX2"},    {"VIADD", "IADD3"},       {"VIADDMNMX", "IMNMX"},
      {"VIMNMX", "IMNMX"},     {"VIMNMX3", "IMNMX"},     {"WARPGROUP", "NOP"}};
  return names;
}

}  // namespace

unsigned accel_sim_version(isa::Arch arch) {
  switch (arch) {
    case isa::Arch::kSm50: return 61;
    case isa::Arch::kSm70:
    case isa::Arch::kSm72: return 70;
    case isa::Arch::kSm75: return 75;
    case isa::Arch::kSm86:
    case isa::Arch::kSm89: return 86;
    default: return 80;
  }
}

std::string accel_sim_opcode(isa::Arch arch, const std::string& opcode) {
  const size_t root = std::min(opcode.find('.'), opcode.size());
  if (family_of(arch) == isa::Family::kMaxwell) return opcode;
  const auto found = peer_names().find(std::string_view(opcode).substr(0, root));
  return found == peer_names().end() ? opcode : std::string(found->second) + opcode.substr(root);
}

}  // namespace shflsim::traces
