// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <map>
#include <utility>

#include "isa/codec/codec.h"

namespace shflsim::isa {
namespace {

// NOLINTNEXTLINE(readability-function-size): a table
const std::map<uint8_t, const char*>& names() {
  static const std::map<uint8_t, const char*> table = {
      {0x00, "SR_LANEID"},
      {0x01, "SR_CLOCK"},
      {0x02, "SR_VIRTCFG"},
      {0x03, "SR_VIRTID"},
      {0x04, "SR_PM0"},
      {0x05, "SR_PM1"},
      {0x06, "SR_PM2"},
      {0x07, "SR_PM3"},
      {0x08, "SR_PM4"},
      {0x09, "SR_PM5"},
      {0x0a, "SR_PM6"},
      {0x0b, "SR_PM7"},
      {0x10, "SR_PRIM_TYPE"},
      {0x11, "SR_INVOCATION_ID"},
      {0x12, "SR_Y_DIRECTION"},
      {0x13, "SR_THREAD_KILL"},
      {0x14, "SM_SHADER_TYPE"},
      {0x15, "SR_DIRECTCBEWRITEADDRESSLOW"},
      {0x16, "SR_DIRECTCBEWRITEADDRESSHIGH"},
      {0x17, "SR_DIRECTCBEWRITEENABLED"},
      {0x18, "SR_MACHINE_ID_0"},
      {0x19, "SR_MACHINE_ID_1"},
      {0x1a, "SR_MACHINE_ID_2"},
      {0x1b, "SR_MACHINE_ID_3"},
      {0x1c, "SR_AFFINITY"},
      {0x1d, "SR_INVOCATION_INFO"},
      {0x1e, "SR_WSCALEFACTOR_XY"},
      {0x1f, "SR_WSCALEFACTOR_Z"},
      {0x20, "SR_TID"},
      {0x21, "SR_TID.X"},
      {0x22, "SR_TID.Y"},
      {0x23, "SR_TID.Z"},
      {0x24, "SR_CTA_PARAM"},
      {0x25, "SR_CTAID.X"},
      {0x26, "SR_CTAID.Y"},
      {0x27, "SR_CTAID.Z"},
      {0x28, "SR_NTID"},
      {0x29, "SR_CirQueueIncrMinusOne"},
      {0x2a, "SR_NLATC"},
      {0x30, "SR_SWINLO"},
      {0x31, "SR_SWINSZ"},
      {0x32, "SR_SMEMSZ"},
      {0x33, "SR_SMEMBANKS"},
      {0x34, "SR_LWINLO"},
      {0x35, "SR_LWINSZ"},
      {0x36, "SR_LMEMLOSZ"},
      {0x37, "SR_LMEMHIOFF"},
      {0x38, "SR_EQMASK"},
      {0x39, "SR_LTMASK"},
      {0x3a, "SR_LEMASK"},
      {0x3b, "SR_GTMASK"},
      {0x3c, "SR_GEMASK"},
      {0x3d, "SR_REGALLOC"},
      {0x3e, "SR_CTXADDR"},
      {0x40, "SR_GLOBALERRORSTATUS"},
      {0x42, "SR_WARPERRORSTATUS"},
      {0x43, "SR_WARPERRORSTATUSCLEAR"},
      {0x48, "SR_PM_HI0"},
      {0x49, "SR_PM_HI1"},
      {0x4a, "SR_PM_HI2"},
      {0x4b, "SR_PM_HI3"},
      {0x4c, "SR_PM_HI4"},
      {0x4d, "SR_PM_HI5"},
      {0x4e, "SR_PM_HI6"},
      {0x4f, "SR_PM_HI7"},
      {0x50, "SR_CLOCKLO"},
      {0x51, "SR_CLOCKHI"},
      {0x52, "SR_GLOBALTIMERLO"},
      {0x53, "SR_GLOBALTIMERHI"},
      {0x60, "SR_HWTASKID"},
      {0x61, "SR_CIRCULARQUEUEENTRYINDEX"},
      {0x62, "SR_CIRCULARQUEUEENTRYADDRESSLOW"},
      {0x63, "SR_CIRCULARQUEUEENTRYADDRESSHIGH"},
  };
  return table;
}

/// sm_70 and later (docs/sources.md, "Words of 128 bits").
constexpr std::pair<uint8_t, const char*> kSm70Names[] = {
    {0x00, "SR_LANEID"},
    {0x01, "SR_CLOCK"},
    {0x02, "SR_VIRTCFG"},
    {0x03, "SR_VIRTID"},
    {0x0f, "SR_ORDERING_TICKET"},
    {0x10, "SR_PRIM_TYPE"},
    {0x11, "SR_INVOCATION_ID"},
    {0x12, "SR_Y_DIRECTION"},
    {0x13, "SR_THREAD_KILL"},
    {0x14, "SM_SHADER_TYPE"},
    {0x15, "SR_DIRECTCBEWRITEADDRESSLOW"},
    {0x16, "SR_DIRECTCBEWRITEADDRESSHIGH"},
    {0x17, "SR_DIRECTCBEWRITEENABLED"},
    {0x18, "SR_SW_SCRATCH"},
    {0x19, "SR_MACHINE_ID_1"},
    {0x1a, "SR_MACHINE_ID_2"},
    {0x1b, "SR_MACHINE_ID_3"},
    {0x1c, "SR_AFFINITY"},
    {0x1d, "SR_INVOCATION_INFO"},
    {0x1e, "SR_WSCALEFACTOR_XY"},
    {0x1f, "SR_WSCALEFACTOR_Z"},
    {0x20, "SR_TID"},
    {0x21, "SR_TID.X"},
    {0x22, "SR_TID.Y"},
    {0x23, "SR_TID.Z"},
    {0x25, "SR_CTAID.X"},
    {0x26, "SR_CTAID.Y"},
    {0x27, "SR_CTAID.Z"},
    {0x28, "SR_NTID"},
    {0x29, "SR_CirQueueIncrMinusOne"},
    {0x2a, "SR_NLATC"},
    {0x2c, "SR_SM_SPA_VERSION"},
    {0x2d, "SR_MULTIPASSSHADERINFO"},
    {0x2e, "SR_LWINHI"},
    {0x2f, "SR_SWINHI"},
    {0x30, "SR_SWINLO"},
    {0x31, "SR_SWINSZ"},
    {0x32, "SR_SMEMSZ"},
    {0x33, "SR_SMEMBANKS"},
    {0x34, "SR_LWINLO"},
    {0x35, "SR_LWINSZ"},
    {0x36, "SR_LMEMLOSZ"},
    {0x37, "SR_LMEMHIOFF"},
    {0x38, "SR_EQMASK"},
    {0x39, "SR_LTMASK"},
    {0x3a, "SR_LEMASK"},
    {0x3b, "SR_GTMASK"},
    {0x3c, "SR_GEMASK"},
    {0x3d, "SR_REGALLOC"},
    {0x3e, "SR_BARRIERALLOC"},
    {0x40, "SR_GLOBALERRORSTATUS"},
    {0x41, "SR_CGAERRORSTATUS"},
    {0x42, "SR_WARPERRORSTATUS"},
    {0x43, "SR_VIRTUALSMID"},
    {0x44, "SR_VIRTUALENGINEID"},
    {0x50, "SR_CLOCKLO"},
    {0x51, "SR_CLOCKHI"},
    {0x52, "SR_GLOBALTIMERLO"},
    {0x53, "SR_GLOBALTIMERHI"},
    {0x54, "SR_ESR_PC"},
    {0x55, "SR_ESR_PC_HI"},
    {0x60, "SR_HWTASKID"},
    {0x61, "SR_CIRCULARQUEUEENTRYINDEX"},
    {0x62, "SR_CIRCULARQUEUEENTRYADDRESSLOW"},
    {0x63, "SR_CIRCULARQUEUEENTRYADDRESSHIGH"},
    {0x64, "SR_PM0"},
    {0x65, "SR_PM_HI0"},
    {0x66, "SR_PM1"},
    {0x67, "SR_PM_HI1"},
    {0x68, "SR_PM2"},
    {0x69, "SR_PM_HI2"},
    {0x6a, "SR_PM3"},
    {0x6b, "SR_PM_HI3"},
    {0x6c, "SR_PM4"},
    {0x6d, "SR_PM_HI4"},
    {0x6e, "SR_PM5"},
    {0x6f, "SR_PM_HI5"},
    {0x70, "SR_PM6"},
    {0x71, "SR_PM_HI6"},
    {0x72, "SR_PM7"},
    {0x73, "SR_PM_HI7"},
    {0x74, "SR_SNAP_PM0"},
    {0x75, "SR_SNAP_PM_HI0"},
    {0x76, "SR_SNAP_PM1"},
    {0x77, "SR_SNAP_PM_HI1"},
    {0x78, "SR_SNAP_PM2"},
    {0x79, "SR_SNAP_PM_HI2"},
    {0x7a, "SR_SNAP_PM3"},
    {0x7b, "SR_SNAP_PM_HI3"},
    {0x7c, "SR_SNAP_PM4"},
    {0x7d, "SR_SNAP_PM_HI4"},
    {0x7e, "SR_SNAP_PM5"},
    {0x7f, "SR_SNAP_PM_HI5"},
    {0x80, "SR_SNAP_PM6"},
    {0x81, "SR_SNAP_PM_HI6"},
    {0x82, "SR_SNAP_PM7"},
    {0x83, "SR_SNAP_PM_HI7"},
    {0x84, "SR_VARIABLE_RATE"},
    {0x86, "SR_WARPGROUP_INFO"},
    {0x87, "SR_WARPGROUPID"},
    {0x88, "SR_CgaCtaId"},
    {0x89, "SR_GpcLocalCgaId"},
    {0x8a, "SR_CgaSize"},
    {0x8b, "SR_CTARegPoolSz"},
    {0x8d, "SR_TMemSz"},
    {0x8e, "SR_CONTEXT_SAVE_ADDR_LO"},
    {0x8f, "SR_CONTEXT_SAVE_ADDR_HI"},
    {0xff, "SRZ"},
};

const std::map<uint8_t, const char*>& sm70_names() {
  static const std::map<uint8_t, const char*> table(std::begin(kSm70Names), std::end(kSm70Names));
  return table;
}

const std::map<uint8_t, const char*>& names_of(Family family) {
  return family == Family::kMaxwell ? names() : sm70_names();
}

}  // namespace

std::string special_register_name(uint8_t number, Family family) {
  const auto entry = names_of(family).find(number);
  return entry != names_of(family).end() ? entry->second : "SR" + std::to_string(number);
}

int special_register_number(std::string_view name, Family family) {
  for (const auto& [number, text] : names_of(family)) {
    if (name == text) return number;
  }
  if (name.substr(0, 2) != "SR" || name.size() < 3 || name.size() > 5) return -1;
  int value = 0;
  for (const char c : name.substr(2)) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value <= 255 ? value : -1;
}

}  // namespace shflsim::isa
