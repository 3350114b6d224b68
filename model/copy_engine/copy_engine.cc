// SPDX-License-Identifier: Apache-2.0
#include "model/copy_engine/copy_engine.h"

#include <algorithm>
#include <array>
#include <utility>

#include "isa/code/launch_layout.h"
#include "model/global_memory/warp_access.h"

namespace shflsim::model {
namespace {

constexpr unsigned kWholeLine = (1u << kSectors) - 1;

}  // namespace

void CopyEngineParams::list_loads(ParameterList& out) {
  out.number("copy_engine.load_cycles", &load_cycles, 0, 1024, "cycles a KiB",
             "copy from global memory: time for each KiB");
  out.number("copy_engine.load_row", &load_row, 0, 10000, "cycles / 100",
             "least time for a row of a box");
  out.number("copy_engine.across_lines", &across_lines, 0, 64, "cycles",
             "least time for each 128 bytes of a box's row that touches more lines than its bytes "
             "fill");
  out.number("copy_engine.across_sectors", &across_sectors, 0, 64, "cycles",
             "the same where the row begins within a sector; rows that fill no whole lines take a "
             "cycle for each sector that they touch");
  out.number("copy_engine.multicast", &multicast, 0, 4096, "cycles",
             "further time of a copy to several blocks");
  out.number("copy_engine.map_latency", &map_latency, 0, 4096, "cycles",
             "further time of an SM's first box through a tensor map among the kernel's arguments");
  out.number("copy_engine.memory_map_latency", &memory_map_latency, 0, 4096, "cycles",
             "the same of a map in global memory");
}

void CopyEngineParams::list(ParameterList& out) {
  out.number("copy_engine.issue", &issue, 1, 4096, "cycles",
             "time from the issue of a bulk copy until its operands are free; the warp's next copy "
             "waits for this");
  out.number("copy_engine.latency", &latency, 1, 4096, "cycles",
             "time from the issue of a copy until the first bytes reach its mbarrier, if the L2 "
             "has the line");
  list_loads(out);
  out.number("copy_engine.store_latency", &store_latency, 0, 4096, "cycles",
             "time from the issue of a store until its first bytes have been read");
  out.number("copy_engine.store_cycles", &store_cycles, 0, 1024, "cycles a KiB",
             "store to global memory: time for each KiB");
  out.number("copy_engine.store_ahead", &store_ahead, 0, 4096, "cycles",
             "time of a store or a reduction before it needs its tensor map");
  out.number("copy_engine.reduction_latency", &reduction.latency, 0, 4096, "cycles",
             "time from the issue of a reduction until its first bytes have been read");
  out.number("copy_engine.reduction_cycles", &reduction.cycles, 0, 1024, "cycles a KiB",
             "reduction in global memory: time for each KiB");
  out.number("copy_engine.after_loads", &after_loads, 0, 4096, "cycles",
             "time from a warp's last cp.async to the arrival of its mbarrier operation");
  out.number("copy_engine.loads_wait", &loads_wait, 0, 4096, "cycles",
             "time from a warp's last cp.async until a wait for it (LDGDEPBAR) ends");
  list_waits(out);
}

void CopyEngineParams::list_waits(ParameterList& out) {
  out.number("copy_engine.wake", &wake, 1, 4096, "cycles",
             "time from the end of a phase by a copy to the next issue of a waiting warp");
  out.number("copy_engine.woken", &woken, 1, 4096, "cycles",
             "time from the arrival of a warp of the block that ends a phase to the next issue of "
             "a waiting warp");
  out.number("copy_engine.wake_interval", &wait.interval, 0, 64, "cycles",
             "time between the next issues of warps that one phase wakes, in the order of their "
             "waits");
  out.number(
      "copy_engine.awake", &awake, 0, 4096, "cycles",
      "time from the issue of TRYWAIT in which an arrival wakes the warp as fast as a copy does");
  out.number(
      "copy_engine.asleep", &asleep, 0, 4096, "cycles",
      "further time until a warp wakes that waits with a time limit while others of its lanes are "
      "elsewhere");
  out.number("copy_engine.first_look", &first_look, 0, 4096, "cycles",
             "time from the issue of TRYWAIT to its first poll of the phase");
  out.number(
      "copy_engine.look", &look, 0, 4096, "cycles",
      "time between two polls of a warp that waits while others of its lanes are elsewhere; 0: "
      "the end of the phase wakes it, as it does other warps");
  out.number("copy_engine.looks", &looks, 0, 64, "looks",
             "polls at this distance; the distance of later polls doubles");
  out.number("copy_engine.seen", &seen, 0, 4096, "cycles",
             "time from the issue of an arrival until a poll sees it");
  out.number("copy_engine.looked", &looked, 0, 4096, "cycles",
             "time from the poll that sees the end of the phase to the warp's next issue");
  out.number("copy_engine.wait_limit", &wait.limit, 1, 10000000, "cycles",
             "longest wait of SYNCS.PHASECHK.TRYWAIT");
}

CopyEngine::CopyEngine(const sc_core::sc_module_name& name, const CopyEngineParams& params,
                       const ClusterParams& cluster, unsigned sm, const Later& later,
                       uint32_t warps)
    : Unit(name),
      chip("chip"),
      params_(params),
      cluster_(cluster),
      sm_(sm),
      later_(later),
      cluster_barrier_(cluster.barrier + cluster.barrier_hold * (std::max(1u, warps) - 1)) {}

/// Occupies a path after the transfers under way. Returns when the last bytes have passed.
Cycle CopyEngine::pass(Cycle* free, Cycle now, uint64_t cycles) {
  *free = std::max(*free, now) + cycles;
  return *free;
}

namespace {

uint64_t time_of(uint64_t bytes, uint32_t cycles_a_kib) {
  constexpr uint64_t kKiB = 1024;
  return (bytes * cycles_a_kib + kKiB - 1) / kKiB;
}

/// The number of pieces of `piece` bytes that the row touches.
uint64_t touched(uint64_t address, uint64_t bytes, uint64_t piece) {
  return (address + bytes + piece - 1) / piece - address / piece;
}

/// Calls `visit` with the address of each row of a box.
template <typename Visit>
void for_each_row(const isa::BulkCopy& copy, Visit visit) {
  const isa::BulkCopy::Rows& rows = copy.rows;
  if (rows.bytes == 0) return;
  std::array<uint32_t, isa::BulkCopy::Rows::kLoops> at{};
  for (size_t loop = 0; loop != at.size();) {
    uint64_t address = copy.address;
    for (size_t i = 0; i < at.size(); ++i) address += at[i] * rows.strides[i];
    visit(address);
    for (loop = 0; loop != at.size() && ++at[loop] >= rows.counts[loop]; ++loop) at[loop] = 0;
  }
}

/// Sectors that these bytes touch, plus lines with a sector that they touch only in part.
uint64_t sectors_written(uint64_t address, uint64_t bytes) {
  const uint64_t end = address + bytes;
  const bool first = address % kSectorBytes != 0, last = end % kSectorBytes != 0;
  const bool is_one = address / kLineBytes == (end - 1) / kLineBytes;
  return touched(address, bytes, kSectorBytes) +
         (is_one ? (first || last ? 1 : 0) : (first ? 1 : 0) + (last ? 1 : 0));
}

/// The same for a stored box, whose rows are written 128 bytes at a time.
uint64_t sectors_written(const isa::BulkCopy& copy) {
  uint64_t all = 0;
  for_each_row(copy, [&](uint64_t address) {
    for (uint64_t at = 0; at < copy.rows.bytes; at += kLineBytes)
      all += sectors_written(address + at, std::min<uint64_t>(kLineBytes, copy.rows.bytes - at));
  });
  return all;
}

/// Sectors that a reduced box touches in each line of its rows, and one for each of these lines
/// unless half a sector of it is reduced (measured: ranks.csv.gz of tests/data/h200/2026-12-01).
uint64_t sectors_reduced(const isa::BulkCopy& copy) {
  uint64_t all = 0;
  for_each_row(copy, [&](uint64_t address) {
    const uint64_t end = address + copy.rows.bytes;
    for (uint64_t at = address, next = 0; at < end; at = next) {
      next = std::min(end, (at / kLineBytes + 1) * kLineBytes);
      all += touched(at, next - at, kSectorBytes) + (next - at > kSectorBytes / 2 ? 1 : 0);
    }
  });
  return all;
}

void add_lines(uint64_t address, uint64_t bytes, std::vector<uint64_t>* lines) {
  const uint64_t end = (address + bytes + kLineBytes - 1) / kLineBytes;
  for (uint64_t line = address / kLineBytes; line < end; ++line) {
    if (lines->empty() || lines->back() != line) lines->push_back(line);
  }
}

/// The lines of global memory that the copy accesses, row by row.
std::vector<uint64_t> lines_of(const isa::BulkCopy& copy) {
  std::vector<uint64_t> lines;
  const isa::BulkCopy::Rows& rows = copy.rows;
  if (!rows.is_box) add_lines(copy.address, copy.bytes, &lines);
  if (rows.is_box)
    for_each_row(copy, [&](uint64_t address) { add_lines(address, rows.bytes, &lines); });
  return lines;
}

}  // namespace

/// The first copy through a map waits for the map, and so do copies shortly after it.
Cycle CopyEngine::map_ready(uint64_t map, Cycle now) {
  if (map == 0) return now;
  constexpr uint64_t kMostArguments = 1 << 16;
  const bool is_argument = map - isa::LaunchLayout::kArgumentsAddress < kMostArguments;
  const Cycle later = is_argument ? params_.map_latency : params_.memory_map_latency;
  return std::max(now, maps_.try_emplace(map, now + later).first->second);
}

/// Time that the bytes take, or the rows if these are short or not aligned with lines and sectors
/// (measured: boxes.csv.gz of tests/data/h100/asynchronous). What is outside the tensor counts
/// (measured: corners.txt.gz of tests/data/h200/2026-11-29).
Cycle CopyEngine::load_time(const isa::BulkCopy& copy) const {
  const uint64_t plain = time_of(copy.bytes, params_.load_cycles);
  if (!copy.rows.is_box) return plain;
  constexpr uint64_t kHundredths = 100;
  const uint64_t bytes = uint64_t{copy.rows.before} + copy.rows.bytes + copy.rows.after;
  const uint64_t lines = (bytes + kLineBytes - 1) / kLineBytes;
  uint64_t all = 0;
  for_each_row(copy, [&](uint64_t inside) {
    const uint64_t address = inside - copy.rows.before;
    uint64_t row =
        std::max<uint64_t>(params_.load_row, bytes * params_.load_cycles * kHundredths / 1024);
    uint64_t apart = 0;
    if (touched(address, bytes, kLineBytes) > lines) apart = params_.across_lines * lines;
    if (address % kSectorBytes != 0)
      apart = bytes % kLineBytes == 0 ? params_.across_sectors * lines
                                      : touched(address, bytes, kSectorBytes);
    all += std::max(row, apart * kHundredths);
  });
  return std::max(plain, all / kHundredths);
}

Cycle CopyEngine::load(const isa::BulkCopy& copy, Cycle now) {
  const Cycle ready = map_ready(copy.map, now);
  load_free_ = std::max(load_free_, store_free_);
  const Cycle first = std::max(load_free_, ready);
  const Cycle last = pass(&load_free_, ready, load_time(copy));
  count(last - first);
  Cycle late = 0;  // longest delay of the bytes in the memory of the chip
  const std::vector<uint64_t> lines = lines_of(copy);
  for (size_t i = 0; i < lines.size(); ++i) {
    const Cycle at = first + (last - first) * i / lines.size();
    chip->note(sm_, lines[i]);
    const MemoryPort::Fetched fetched = chip->fetch({sm_, lines[i], kWholeLine, false, at}, now);
    late = std::max(late, fetched.starts - at + (fetched.dram_bytes != 0 ? later_.dram : 0) +
                              (fetched.is_far ? later_.far : 0));
  }
  return last + late + params_.latency + (copy.receivers.size() > 1 ? params_.multicast : 0);
}

Cycle CopyEngine::store(const isa::BulkCopy& copy, Cycle now) {
  const Cycle ready = map_ready(copy.map, now);  // the store reads its source meanwhile
  const Cycle begin = std::max(now + params_.store_ahead, ready) - params_.store_ahead;
  const Cycle first = std::max(store_free_, begin);
  const uint32_t cycles = copy.reduces ? params_.reduction.cycles : params_.store_cycles;
  uint64_t rows = 0;
  if (copy.rows.is_box) rows = copy.reduces ? sectors_reduced(copy) : sectors_written(copy);
  const Cycle last = pass(&store_free_, begin, std::max(time_of(copy.bytes, cycles), rows));
  count(last - first);
  for (const uint64_t line : lines_of(copy)) {
    chip->note(sm_, line);
    if (copy.reduces)
      chip->update({sm_, line, kWholeLine}, {1, false}, now);
    else
      chip->write({sm_, line, kWholeLine}, now);
  }
  return last + (copy.reduces ? params_.reduction.latency : params_.store_latency);
}

/// Words from registers (st.async, red.async): the other SM takes those of all senders one after
/// another, and a cycle longer for a row that it adds (measured: messages.csv.gz of
/// tests/data/h200/2026-11-30, `messages`).
Cycle CopyEngine::send(const isa::BulkCopy& copy, Cycle now) {
  const uint64_t sectors = (copy.bytes + kSectorBytes - 1) / kSectorBytes;
  const uint64_t more = std::min<uint64_t>(sectors, kSectors) - 1;
  const Cycle arrives = now + cluster_.sent_latency + more * cluster_.sent_sector;
  const uint64_t row = cluster_.sent_row + (copy.reduces ? 1 : 0);
  const uint64_t cycles = (sectors * row + kSectors - 1) / kSectors;
  return ways == nullptr ? arrives + cycles
                         : ways->receive(copy.receivers.front().block, cycles, arrives);
}

Cycle CopyEngine::to_cluster(const isa::BulkCopy& copy, Cycle now) {
  if (copy.is_sent) return send(copy, now);
  const Cycle first = std::max(cluster_free_, now);
  const Cycle last = pass(&cluster_free_, now, time_of(copy.bytes, cluster_.copy_cycles));
  count(last - first);
  return last + cluster_.copy_latency;
}

Cycle CopyEngine::begin(const isa::BulkCopy& copy, Cycle now) {
  using Way = isa::BulkCopy::Way;
  Cycle end = now;
  switch (copy.way) {
    case Way::kPrefetching:
    case Way::kToShared: end = load(copy, now); break;
    case Way::kToGlobal: return store(copy, now);
    case Way::kToCluster: end = to_cluster(copy, now); break;
    case Way::kAfterLoads:
    case Way::kArrival: end = now + cluster_.arrival; break;
    case Way::kCluster: end = now + cluster_barrier_; break;
  }
  if (!copy.receivers.empty()) end_at(copy, std::max(end, now + 1));
  return now;
}

void CopyEngine::end_at(const isa::BulkCopy& copy, Cycle end) {
  ends_.push_back({end, copies_++, copy});
  std::push_heap(ends_.begin(), ends_.end(), is_later);
}

isa::BulkCopy CopyEngine::take() {
  std::pop_heap(ends_.begin(), ends_.end(), is_later);
  isa::BulkCopy copy = std::move(ends_.back().copy);
  ends_.pop_back();
  return copy;
}

}  // namespace shflsim::model
