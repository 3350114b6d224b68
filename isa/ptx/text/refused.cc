// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/text/refused.h"

#include <map>
#include <utility>

namespace shflsim::isa::ptx {
namespace {

/// The first architecture of each instruction, from the PTX ISA.
const std::map<std::string, std::string>& first_architectures() {
  static const std::map<std::string, std::string> table = {
      {"match", "sm_70"},        {"wmma", "sm_70"},
      {"mma", "sm_70"},          {"ldmatrix", "sm_75"},
      {"tanh", "sm_75"},         {"redux", "sm_80"},
      {"cp", "sm_80"},           {"mbarrier", "sm_80"},
      {"createpolicy", "sm_80"}, {"elect", "sm_90"},
      {"stmatrix", "sm_90"},     {"mapa", "sm_90"},
      {"getctarank", "sm_90"},   {"griddepcontrol", "sm_90"},
      {"setmaxnreg", "sm_90"},   {"wgmma", "sm_90"},
      {"multimem", "sm_90"},     {"movmatrix", "sm_75"},
      {"tcgen05", "sm_100"},     {"clusterlaunchcontrol", "sm_100"},
      {"discard", "sm_80"},      {"applypriority", "sm_80"},
  };
  return table;
}

const std::map<std::string, std::string>& others() {
  static const std::string textures = "textures and surfaces are not modelled";
  static const std::string videos =
      "of video instructions on two or four parts SPA 5.0 has vabsdiff4";
  static const std::map<std::string, std::string> table = {
      {"vadd2", videos},
      {"vadd4", videos},
      {"vsub2", videos},
      {"vsub4", videos},
      {"vavrg2", videos},
      {"vavrg4", videos},
      {"vabsdiff2", videos},
      {"vmin2", videos},
      {"vmin4", videos},
      {"vmax2", videos},
      {"vmax4", videos},
      {"vset2", videos},
      {"vset4", videos},
      {"tex", textures},
      {"tld4", textures},
      {"txq", textures},
      {"suld", textures},
      {"sust", textures},
      {"sured", textures},
      {"suq", textures},
      {"istypep", textures},
      {"alloca", "memory on a thread's stack has a fixed size; expected .local variables"},
      {"stacksave", "memory on a thread's stack has a fixed size; expected .local variables"},
      {"stackrestore", "memory on a thread's stack has a fixed size; expected .local variables"},
      {"brkpt", "there is no debugger; expected code without breakpoints"},
  };
  return table;
}

}  // namespace

std::string needs_hardware_of(const std::string& architecture) {
  return "hardware for it begins with " + architecture +
         ", and PTX is lowered to sm_50's; expected a cubin of " + architecture + " or later";
}

std::string why_type_refused(const std::string& type) {
  static const std::map<std::string, std::string> first = {
      {"b128", "sm_70"}, {"bf16", "sm_80"},   {"bf16x2", "sm_80"},
      {"tf32", "sm_80"}, {"e4m3x2", "sm_89"}, {"e5m2x2", "sm_89"}};
  const auto found = first.find(type);
  return found == first.end() ? "" : needs_hardware_of(found->second);
}

std::string why_form_refused(const std::string& opcode, const std::string& part) {
  static const std::map<std::pair<std::string, std::string>, std::string> first = {
      {{"ex2", "f16"}, "sm_75"},    {{"ex2", "f16x2"}, "sm_75"},       {{"cvt", "f16x2"}, "sm_80"},
      {{"cvt", "pack"}, "sm_72"},   {{"atom", "noftz"}, "sm_60"},      {{"red", "noftz"}, "sm_60"},
      {{"atom", "b16"}, "sm_70"},   {{"atom", "b128"}, "sm_90"},       {{"red", "async"}, "sm_90"},
      {{"red", "v2"}, "sm_90"},     {{"red", "v4"}, "sm_90"},          {{"atom", "v2"}, "sm_90"},
      {{"atom", "v4"}, "sm_90"},    {{"red", "v8"}, "sm_90"},          {{"atom", "v8"}, "sm_90"},
      {{"lop3", "or"}, "sm_70"},    {{"lop3", "and"}, "sm_70"},        {{"st", "async"}, "sm_90"},
      {{"st", "bulk"}, "sm_100"},   {{"barrier", "cluster"}, "sm_90"}, {{"ld", "mmio"}, "sm_70"},
      {{"st", "mmio"}, "sm_70"},    {{"ld", "v8"}, "sm_100"},          {{"st", "v8"}, "sm_100"},
      {{"add", "u16x2"}, "sm_90"},  {{"add", "s16x2"}, "sm_90"},       {{"min", "u16x2"}, "sm_90"},
      {{"min", "s16x2"}, "sm_90"},  {{"max", "u16x2"}, "sm_90"},       {{"max", "s16x2"}, "sm_90"},
      {{"min", "relu"}, "sm_90"},   {{"max", "relu"}, "sm_90"},        {{"fma", "relu"}, "sm_80"},
      {{"fma", "oob"}, "sm_90"},    {{"add", "f32x2"}, "sm_100"},      {{"sub", "f32x2"}, "sm_100"},
      {{"mul", "f32x2"}, "sm_100"}, {{"fma", "f32x2"}, "sm_100"}};
  const auto found = first.find({opcode, part});
  return found == first.end() ? "" : needs_hardware_of(found->second);
}

std::string why_refused(const std::string& opcode) {
  const auto first = first_architectures().find(opcode);
  if (first != first_architectures().end()) {
    return needs_hardware_of(first->second);
  }
  const auto other = others().find(opcode);
  return other == others().end() ? "" : other->second;
}

}  // namespace shflsim::isa::ptx
