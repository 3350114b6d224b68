// SPDX-License-Identifier: Apache-2.0
// Properties and attributes of the device, which are those of the modelled machine.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

#include "isa/base/bounded.h"
#include "isa/code/launch_layout.h"
#include "runtime/api/call.h"

namespace shflsim::runtime {
namespace {

constexpr int kMostGridX = 0x7FFFFFFF;
constexpr int kMostGridYz = 65535;
constexpr int kMostBlockZ = 64;
constexpr int kConstantBytes = 65536;
constexpr int kMostPitch = 0x7FFFFFFF;
constexpr int kTextureAlignment = 512;
constexpr int kMostPolicyWindow = 1 << 27;
constexpr int kPoolHandles = 9;  // files and fabric, as on an H100
constexpr int kPitchAlignment = 32;

int int_of(uint64_t value) { return static_cast<int>(std::min<uint64_t>(value, 0x7FFFFFFF)); }

/// Sizes of textures and surfaces, which programs print. Source: CUDA C++ Programming Guide,
/// "Technical Specifications", and an H100.
void add_texture_sizes(unsigned arch, std::map<int, int>* all) {
  const bool is_60 = arch >= 60;
  const int side = is_60 ? 131072 : 65536, layered = is_60 ? 32768 : 16384;
  const int depth = is_60 ? 16384 : 4096, mipmap = is_60 ? 32768 : 16384;
  for (const int attribute : {21, 22, 56, 70}) (*all)[attribute] = side;
  for (const int attribute : {23, 57}) (*all)[attribute] = 65536;
  for (const int attribute : {24, 25, 26, 58, 59, 60}) (*all)[attribute] = depth;
  for (const int attribute : {47, 48}) (*all)[attribute] = depth / 2;
  for (const int attribute : {27, 28, 42, 45, 46, 49, 52, 53, 55, 61, 63, 64, 66, 67})
    (*all)[attribute] = layered;
  for (const int attribute : {29, 43, 62, 65}) (*all)[attribute] = 2048;
  for (const int attribute : {54, 68}) (*all)[attribute] = 2046;
  for (const int attribute : {73, 74, 77}) (*all)[attribute] = mipmap;
  (*all)[69] = 1 << 28;
  (*all)[71] = 65000;
  (*all)[72] = 2097120;
}

/// The attributes, by the numbers of cudaDeviceAttr.
std::map<int, int> attributes_of(const Machine& machine) {
  const int threads = static_cast<int>(kMostThreads);
  const bool is_90 = machine.arch >= 90;
  const bool is_80 = machine.arch >= 80;
  std::map<int, int> all{{1, threads},
                         {2, threads},
                         {3, threads},
                         {4, kMostBlockZ},
                         {5, kMostGridX},
                         {6, kMostGridYz},
                         {7, kMostGridYz},
                         {8, static_cast<int>(isa::LaunchLayout::kMostStaticShared)},
                         {9, kConstantBytes},
                         {10, static_cast<int>(isa::kLanes)},
                         {11, kMostPitch},
                         {12, int_of(machine.registers)},
                         {13, int_of(machine.clock_mhz * 1000)},
                         {14, kTextureAlignment},
                         {15, 1},
                         {16, int_of(machine.chip_sms)},
                         {17, 0},
                         {18, 0},
                         {19, 1},
                         {20, 0},
                         {30, kTextureAlignment},
                         {31, 1},
                         {32, 1},
                         {33, 1},
                         {34, 0},
                         {35, 0},
                         {36, int_of(machine.memory_clock_khz)},
                         {37, int_of(machine.memory_bus_bits)},
                         {38, int_of(machine.l2_bytes)},
                         {39, int_of(machine.max_warps * isa::kLanes)},
                         {40, 3},
                         {41, 1},
                         {50, 0},
                         {51, kPitchAlignment},
                         {75, static_cast<int>(machine.arch / 10)},
                         {76, static_cast<int>(machine.arch % 10)},
                         {78, 1},
                         {79, 1},
                         {80, 1},
                         {81, int_of(machine.shared_bytes)},
                         {82, int_of(machine.registers)},
                         {83, 1},
                         {84, 0},
                         {85, 0},
                         {86, 0},
                         {88, 0},
                         {89, 1},
                         {90, 1},
                         {91, 1},
                         {95, 1},
                         {87, 2},
                         {96, 1},
                         {97, int_of(machine.most_shared())},
                         {98, 0},
                         {99, 1},
                         {100, 0},
                         {101, 0},
                         {106, int_of(machine.max_blocks)},
                         {102, 1},
                         {103, 1},
                         {108, int_of(machine.most_persisting())},
                         {109, is_80 ? kMostPolicyWindow : 0},
                         {111, int_of(machine.shared_reserved)},
                         {112, 1},
                         {113, 1},
                         {114, 1},
                         {115, 1},
                         {116, 1},
                         {117, 1},
                         {119, kPoolHandles},
                         {120, is_90 ? 1 : 0},
                         {121, 1},
                         {122, is_90 ? 1 : 0},
                         {123, is_90 ? 1 : 0},
                         {125, 1},
                         {133, 0}};
  add_texture_sizes(machine.arch, &all);
  return all;
}

constexpr const char* kBusId = "0000:01:00.0";

/// The place of an attribute in the structure of CUDA 13, in bytes; other members stay 0.
struct PropertyPlace {
  int attribute;
  size_t offset;
  size_t size = sizeof(int);
};
constexpr size_t kMemoryPlace = 288;
constexpr PropertyPlace kPlaces[] = {
    {8, 296, 8},   {12, 304},    {10, 308},    {11, 312, 8}, {1, 320},    {2, 324},     {3, 328},
    {4, 332},      {5, 336},     {6, 340},     {7, 344},     {9, 352, 8}, {75, 360},    {76, 364},
    {14, 368, 8},  {51, 376, 8}, {16, 384},    {18, 388},    {19, 392},   {30, 552, 8}, {31, 560},
    {32, 564},     {33, 568},    {34, 572},    {50, 576},    {35, 580},   {40, 584},    {41, 588},
    {38, 596},     {39, 604},    {78, 608},    {79, 612},    {80, 616},   {81, 624, 8}, {82, 632},
    {83, 636},     {84, 640},    {85, 644},    {86, 648},    {88, 652},   {89, 656},    {90, 660},
    {91, 664},     {95, 668},    {97, 672, 8}, {100, 680},   {101, 684},  {106, 688},   {109, 692},
    {111, 696, 8}, {99, 704},    {115, 720},   {120, 748},   {21, 396},   {22, 404},    {23, 408},
    {45, 432},     {46, 436},    {24, 440},    {25, 444},    {26, 448},   {52, 464},    {42, 468},
    {43, 472},     {27, 476},    {28, 480},    {29, 484},    {37, 592},   {108, 600},   {112, 708},
    {113, 712},    {114, 716},   {116, 724},   {117, 728},   {119, 736},  {121, 740},   {125, 744},
    {77, 400},     {73, 412},    {74, 416},    {70, 420},    {71, 424},   {72, 428},    {47, 452},
    {48, 456},     {49, 460},    {53, 488},    {54, 492},    {55, 496},   {56, 500},    {57, 504},
    {58, 508},     {59, 512},    {60, 516},    {61, 520},    {62, 524},   {63, 528},    {64, 532},
    {65, 536},     {66, 540},    {67, 544},    {68, 548}};

const std::map<int, int>& attributes(Context& context) {
  static const std::map<int, int> all = attributes_of(context.machine());
  return all;
}

/// The place in CUDA 12, which has deviceOverlap before the number of SMs, kernelExecTimeoutEnabled
/// after it, then computeMode and maxTexture1DLinear, memoryClockRate before the bus width,
/// singleToDoublePrecisionPerfRatio after the atomics, and cooperativeMultiDeviceLaunch.
size_t place_in_cuda12(size_t place) {
  constexpr size_t kInserted[] = {384, 388, 396, 400, 592, 652, 672};
  constexpr size_t kPadding = 620;  // four bytes of CUDA 13, where CUDA 12 needs none
  size_t moved = place;
  for (const size_t each : kInserted) moved += place >= each ? sizeof(int) : 0;
  return place >= kPadding ? moved - sizeof(int) : moved;
}

Error fill_properties(char* properties, int device, size_t size, size_t (*place_of)(size_t)) {
  return call([&](Context& context) {
    if (properties == nullptr) return kInvalidValue;
    if (device != 0) return kInvalidDevice;
    std::memset(properties, 0, size);
    std::snprintf(properties, 256, "%s", context.machine().card_name.c_str());
    std::memcpy(properties + kMemoryPlace, &context.machine().memory_bytes, sizeof(size_t));
    for (const PropertyPlace& place : kPlaces) {
      const auto value = static_cast<uint64_t>(attributes(context).at(place.attribute));
      std::memcpy(properties + place_of(place.offset), &value, place.size);
    }
    return kSuccess;
  });
}

}  // namespace

SHFLSIM_API Error cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return call([&](Context& context) {
    if (value == nullptr) return kInvalidValue;
    if (device != 0) return kInvalidDevice;
    const auto found = attributes(context).find(attribute);
    if (found == attributes(context).end()) {
      context.say_once("device attribute " + std::to_string(attribute) + " is not supported");
      return kInvalidValue;
    }
    *value = found->second;
    return kSuccess;
  });
}

/// The structure of CUDA 13 has 1008 bytes; that of CUDA 12 has 1032.
SHFLSIM_API Error cudaGetDeviceProperties(char* properties, int device) {
  return fill_properties(properties, device, 1008, [](size_t place) { return place; });
}
SHFLSIM_API Error cudaGetDeviceProperties_v2(char* properties, int device) {
  return fill_properties(properties, device, 1032, place_in_cuda12);
}

SHFLSIM_API Error cudaDeviceGetPCIBusId(char* text, int size, int device) {
  return call([&](Context&) {
    if (device != 0) return kInvalidDevice;
    if (text == nullptr || size < 13) return kInvalidValue;
    std::snprintf(text, static_cast<size_t>(size), "%s", kBusId);
    return kSuccess;
  });
}
SHFLSIM_API Error cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return call([&](Context&) {
    if (device == nullptr || text == nullptr) return kInvalidValue;
    if (std::strcmp(text, kBusId) != 0) return kInvalidDevice;
    *device = 0;
    return kSuccess;
  });
}

}  // namespace shflsim::runtime
