// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/chip_memory.h"

#include <algorithm>

#include "model/global_memory/l2_distance.h"

namespace shflsim::model {
namespace {

constexpr uint32_t kKib = 1024;

// Costs in tenths of requests, measured on an H100 by scripts/lab/hw/chip; one sector read is 10.
constexpr uint64_t kRequest = 10;
constexpr uint64_t kReadPair = 11;    // reads of 16 bytes per lane
constexpr uint64_t kFarAsked = 5;     // a far line, in the near slice: s10_* of streams.csv, warm
constexpr uint64_t kWritten = 11;     // writes: per sector, and per line written in part
constexpr uint64_t kWrittenHome = 6;  // the same in the slice of the line's home, and in the slice
constexpr uint64_t kWrittenCopy = 7;  // of a far line's copy: s01_16x1_* of streams.csv, by slices
constexpr uint64_t kUpdatedSector = 16;  // red_add, one sector per lane
constexpr uint64_t kUpdatedWhole = 20;   // red_add on whole sectors, rows walked
constexpr uint64_t kReturned = 5;        // atom_add, one sector per lane
constexpr uint64_t kFilled = 10;         // a sector from the DRAM or the other half: s11_*, cold
constexpr uint64_t kHundred = 100;

// Least time of a returned atomic in its slice, in hundredths of cycles: streams.csv, atom_1by1_1.
constexpr uint64_t kReturnedLeast = 209;

// Atomics on whole sectors take this percentage of atomic_word (measured: streams.csv,
// atom_32by1_1); other atomics take all of it (atom_bins_256).
constexpr uint64_t kAtomicWhole = 81;
constexpr uint64_t kReadBeside =
    37;  // writes wait for this percentage of a read's time: reads_writes, 4 to 4
constexpr uint64_t kWriteBeside = 20;  // reads wait for this percentage of a write's time: 2 to 4

/// For this many cycles after a request for a line, requests of the same GPC join it (measured:
/// gathers.csv, gather_cg_32_256k, 22 % of whose rows join); and the number that may join
/// (measured: 132 SMs that read the same rows ask the L2 for a row 34 times, together_16).
constexpr Cycle kServedWith = 262;
constexpr unsigned kOthers = 3;

/// Cycles in which a line counts as just written: longer than the time between two polls of it.
constexpr Cycle kJustWritten = 400;

/// The slice of a line, if the number of slices were unlimited: two hold a KiB.
uint64_t part_of(uint64_t line) { return line / (kKib / kLineBytes) * 2 + line / 2 % 2; }

uint64_t count_of(unsigned sectors) { return static_cast<uint64_t>(__builtin_popcount(sectors)); }

/// TPCs belong to the halves in turn.
unsigned half_of(unsigned sm, unsigned halves) { return sm / kSmsOfTpc % halves; }

/// The sectors that the DRAM reads for these, in whole bursts.
unsigned bursts(unsigned sectors, uint32_t sectors_of_burst) {
  const unsigned burst = (1u << sectors_of_burst) - 1;
  unsigned all = 0;
  for (unsigned first = 0; first < kSectors; first += sectors_of_burst) {
    if ((sectors & burst << first) != 0) all |= burst << first;
  }
  return all;
}

}  // namespace

ChipMemory::ChipMemory(const sc_core::sc_module_name& name, const ChipMemoryParams& params,
                       unsigned gpcs, Cycle dram_later)
    : Module(name),
      sectors_of_burst_(std::max(1u, params.dram_burst / kSectorBytes)),
      halves_(params.far_latency == 0 ? 1 : 2),
      groups_{gpcs, params.cpcs},
      crossing_(params.far_latency / 2),
      dram_later_(dram_later),
      tenths_per_cycle_(params.l2_requests * kRequest),
      slices_(std::max(1u, params.l2_slices)),
      hash_(slices_, slices_ == 1 ? 1 : halves_),
      hundredths_per_step_(params.atomic_word),
      hundredths_per_fence_(params.fence_turn),
      line_write_(params.line_write),
      l2_(params.l2_capacity * (kKib / kLineBytes), halves_,
          {params.l2_warm != 0, params.l2_copies, params.l2_restored_far,
           params.l2_restored_piece * (kKib / kLineBytes)}),
      reads_(way_of(gpcs, 1, kSectors / 2 * kReadPair, params.gpc_reads)),
      writes_(way_of(gpcs, params.cpcs, kSectors * kWritten, params.gpc_writes)),
      fills_(slices_),
      of_sm_(kSms),
      written_(kWatched),
      asked_(kAsked),
      updated_(slices_ == 1 ? kUpdated : slices_, FairShares(groups_.cpcs())),
      dram_({params.chip_bytes, params.dram_refresh, params.dram_refresh_interval,
             uint64_t{params.dram_writes} * kKib},
            slices_),
      misses_(params.l2_misses == 0 ? 0 : slices_, {Outstanding(params.l2_misses), 0}) {
  if (params.cpcs > 1) reads_.shares.assign(slices_, FairQueue(groups_.cpcs()));
}

void ChipMemory::restore(uint64_t address, uint64_t bytes) {
  l2_.restore(address / kLineBytes, (bytes + kLineBytes - 1) / kLineBytes);
}

/// Requests these sectors, which come behind the writes so far.
ChipMemory::FromDram ChipMemory::from_dram(const LineRequest& request, unsigned sectors,
                                           Cycle now) {
  const unsigned read = bursts(sectors, sectors_of_burst_);
  FromDram from;
  from.bytes = static_cast<uint32_t>(count_of(read) * kSectorBytes);
  const unsigned half = half_of(request.sm, halves_);
  const unsigned home = l2_.is_far(request.line, half) ? 1 - half : half;
  const size_t slice = hash_.slice(request.line, home);
  const Cycle written = serve_write(slice, 0, now);
  from.passes = std::max(written, dram_.pass(slice, from.bytes, now, request.leaves));
  const Cycle comes = from.passes + dram_later_;
  if (slices_ > 1) from.fill = {static_cast<uint32_t>(slice), comes};
  fills_[slice].add(comes, count_of(read) * kFilled);
  if (!misses_.empty())
    misses_[slice].room =
        misses_[slice].sectors.add(static_cast<uint32_t>(count_of(read)), from.passes);
  l2_.fill(request.line, read, {now, comes});
  return from;
}

/// Charges the DRAM for the sectors that the L2 has written back.
void ChipMemory::write_back(unsigned sm, Cycle now) {
  const uint32_t bytes = l2_.written_back() * kSectorBytes;
  of_sm_[sm % kSms].written_back += bytes;
  dram_.write(bytes, now);
}

/// Returns when a half sees the data of the line: later if the other half has just written it, and
/// only after earlier writes and atomics on it.
Cycle ChipMemory::seen_from(const LineRequest& request, unsigned half, Cycle now) const {
  const Written& written = written_[request.line % kWatched];
  if (written.line != request.line || written.at == 0) return now;
  const bool is_late = written.half != half && now < written.at + kJustWritten;
  return std::max(written.updated, now + (is_late ? crossing_ : 0));
}

/// A path on which a line takes `line_tenths`, `cpcs` of a GPC get equal shares, and a GPC moves
/// `gpc_bytes` per cycle at most.
ChipMemory::Way ChipMemory::way_of(unsigned gpcs, size_t cpcs, uint64_t line_tenths,
                                   uint32_t gpc_bytes) const {
  const uint64_t hundredths = kHundred * tenths_per_cycle_ * kLineBytes / line_tenths;
  return {std::vector<uint64_t>(gpcs),
          std::vector<FairShares>(gpcs, FairShares(cpcs)),
          gpc_bytes == 0 ? kHundred : hundredths / gpc_bytes,
          0,
          std::vector<uint64_t>(slices_),
          {}};
}

/// First cycle from `now` on in which the slice takes a read of an SM.
Cycle ChipMemory::open_from(size_t slice, unsigned sm, Cycle now) const {
  const Cycle free =
      slices_ == 1 ? now : std::max(now, updated_[slice].done(groups_.cpc_of_chip(sm)) / kHundred);
  return misses_.empty() ? free : std::max(free, misses_[slice].room);
}

/// Returns when the slice has passed this request. Requests pass in the order of the calls.
Cycle ChipMemory::serve(Way* way, size_t slice, uint64_t tenths, Cycle now) const {
  if (tenths_per_cycle_ == 0) return now;
  uint64_t& passed = way->by_slice[slice];
  passed = std::max(now * tenths_per_cycle_, passed) + tenths * slices_;
  return std::max(now, passed / tenths_per_cycle_);
}

/// The same of a read, of which CPCs that wait for the slice get equal shares.
Cycle ChipMemory::serve_read(const LineRequest& request, size_t slice, uint64_t tenths, Cycle now) {
  const Cycle last = serve(&reads_, slice, tenths, now);
  if (reads_.shares.empty() || tenths_per_cycle_ == 0) return last;
  const uint64_t done = reads_.shares[slice].serve(groups_.cpc_of_chip(request.sm),
                                                   tenths * slices_, now * tenths_per_cycle_);
  return std::max(now, done / tenths_per_cycle_);
}

/// The same of a write, behind what has come to the slice from elsewhere.
Cycle ChipMemory::serve_write(size_t slice, uint64_t tenths, Cycle now) {
  fills_[slice].take(now, [&](uint64_t filled, Cycle came) {
    const Cycle starts = serve(&writes_, slice, 0, came);
    serve(&writes_, slice, filled, came);
    return starts - came;
  });
  return serve(&writes_, slice, tenths, now);
}

/// Returns when all slices together have passed these atomics.
Cycle ChipMemory::serve_all(uint64_t tenths, Cycle now) {
  if (slices_ == 1) return serve(&writes_, 0, tenths, now);
  if (tenths_per_cycle_ == 0) return now;
  writes_.passed = std::max(now * tenths_per_cycle_, writes_.passed) + tenths;
  return std::max(now, writes_.passed / tenths_per_cycle_);
}

/// Returns when the GPC of the SM has passed this request.
Cycle ChipMemory::serve_gpc(Way* way, const LineRequest& request, uint64_t tenths,
                            Cycle now) const {
  if (tenths_per_cycle_ == 0 || count_of(request.sectors) == 1) return now;
  const uint64_t from = now * tenths_per_cycle_;
  uint64_t& own = way->by_gpc[groups_.gpc(request.sm)];
  own = std::max(from, own);
  uint64_t sharing = own == from ? 1 : 0;
  for (const uint64_t passed : way->by_gpc) sharing += passed > from ? 1 : 0;
  const uint64_t time = tenths * std::max(sharing * kHundred, way->least) / kHundred;
  own += time;
  FairShares& cpcs = way->by_cpc[groups_.gpc(request.sm)];
  const size_t cpc = groups_.cpc(request.sm) % cpcs.askers();
  return std::max(now, cpcs.serve(cpc, time, from) / tenths_per_cycle_);
}

/// Beyond the mean, of an L2 whose slices are where an H100 has them.
int ChipMemory::distance(unsigned sm, uint64_t line) const {
  if (hash_.ring() != L2Distance::kPlaces || halves_ == 1) return 0;
  const size_t place = hash_.slice(line, half_of(sm, halves_)) % hash_.ring();
  return L2Distance::cycles(groups_.gpc(sm), groups_.row(sm), place);
}

/// True if the GPC of the SM has just requested these sectors of the line.
bool ChipMemory::joins(const LineRequest& request, Cycle now) {
  if (slices_ == 1 || request.is_scattered) return false;
  Asked& asked = asked_by(request);
  const bool is_known = asked.line == request.line && asked.gpc == groups_.gpc(request.sm);
  if (is_known && now < asked.until && asked.others < kOthers &&
      (request.sectors & ~asked.sectors) == 0) {
    ++asked.others;
    return true;
  }
  asked = {request.line, groups_.gpc(request.sm), request.sectors, now, now + kServedWith, 0};
  return false;
}

MemoryPort::Fetched ChipMemory::fetch(const LineRequest& request, Cycle now) {
  const uint64_t sectors = count_of(request.sectors);
  const unsigned half = half_of(request.sm, halves_);
  const L2Tags::Found found = l2_.read(request.line, request.sectors, half);
  const uint64_t own = sectors / 2 * kReadPair + sectors % 2 * kRequest;
  Fetched fetched;
  fetched.is_far = found.is_far;
  fetched.distance = distance(request.sm, request.line);
  const Cycle turn = serve_gpc(&reads_, request, own, now);
  const Cycle seen = std::max({request.leaves, turn, found.ready, seen_from(request, half, now)});
  if (joins(request, now)) {
    fetched.starts = std::max(seen, asked_by(request).starts);
    return fetched;
  }
  const size_t slice = hash_.slice(request.line, half);
  const Cycle served = found.is_far
                           ? fetch_far(request, own, found.missing == 0, now)
                           : serve_read(request, slice, own, open_from(slice, request.sm, now));
  fetched.starts = std::max(seen, served);
  serve_write(slice, own * kReadBeside / kHundred, now);
  if (found.missing != 0) {
    const FromDram from = from_dram(request, found.missing, now);
    fetched.starts = std::max(fetched.starts, from.passes);
    fetched.dram_bytes = from.bytes;
    fetched.fill = from.fill;
  }
  write_back(request.sm, now);
  asked_by(request).starts = std::max(asked_by(request).starts, fetched.starts);
  if (found.is_far) {
    const Cycle later = 2 * crossing_ + (found.missing != 0 ? dram_later_ : 0);
    l2_.come(request.line, request.sectors, {now, fetched.starts + later});
  }
  return fetched;
}

/// The slice near the SM asks the home slice. If the home has the data, they come behind the near
/// slice's writes so far, and are written there, too.
Cycle ChipMemory::fetch_far(const LineRequest& request, uint64_t tenths, bool is_there, Cycle now) {
  const unsigned half = half_of(request.sm, halves_);
  const size_t near = hash_.slice(request.line, half);
  const Cycle asked = serve_read(request, near, kFarAsked, now);
  const size_t home = hash_.slice(request.line, 1 - half);
  const Cycle served = serve_read(request, home, tenths, open_from(home, request.sm, now));
  if (!is_there) return std::max(asked, served);
  const Cycle comes = std::max({asked, served, slices_ == 1 ? now : serve_write(near, 0, now)});
  fills_[near].add(comes + 2 * crossing_, count_of(request.sectors) * kFilled);
  return comes;
}

Cycle ChipMemory::write(const LineRequest& request, Cycle now) {
  const unsigned half = half_of(request.sm, halves_);
  l2_.write(request.line, request.sectors, request.is_partial, half);
  write_back(request.sm, now);
  const uint64_t written = count_of(request.sectors) + (request.is_partial ? 1 : 0);
  const size_t slice = hash_.slice(request.line, half);
  serve_read(request, slice, written * kWritten * kWriteBeside / kHundred, now);
  const Cycle turn = serve_gpc(&writes_, request, written * kWritten, now);
  const bool is_far = halves_ > 1 && l2_.is_far(request.line, half);
  const uint64_t own = slices_ == 1 ? kWritten : is_far ? kWrittenCopy : kWrittenHome;
  Cycle taken = std::max(turn, serve_write(slice, written * own, now));
  if (is_far && slices_ > 1) {
    const size_t home = hash_.slice(request.line, 1 - half);
    taken = std::max(taken, serve_write(home, written * kWrittenHome, now));
  }
  note_written(request.line, half, taken);
  return taken;
}

/// Writes of a line pass one after another, and reads of it behind them (measured:
/// tests/data/h200/2026-11-30, line_writes.csv: if all SMs read a line in a chain of loads and
/// write to it, each write delays the others by 40 cycles; to the next line, by none).
void ChipMemory::note_written(uint64_t line, unsigned half, Cycle taken) {
  Written& last = written_[line % kWatched];
  const Cycle before = last.line == line ? last.updated : 0;
  const Cycle updated = line_write_ == 0 ? 0 : std::max(before, taken) + line_write_;
  last = {line, half, taken, updated};
}

/// A fence asks every slice, each of which passes it as it does a read (measured: contention.csv,
/// fence_behind without accesses: 668 cycles of one SM, 830 to 880 if all SMs fence at once). All
/// fences pass one after another (measured: the same; barriers with fences).
Cycle ChipMemory::fence(Cycle now) {
  Cycle last = now;
  for (size_t slice = 0; slice < slices_ && slices_ > 1; ++slice)
    last = std::max(last, serve(&reads_, slice, kRequest, now));
  fenced_ = std::max(now * kHundred, fenced_) + hundredths_per_fence_;
  return std::max(last, fenced_ / kHundred);
}

Cycle ChipMemory::lateness(const AwaitedFill& fill, Cycle now) {
  serve_write(fill.slice, 0, now);
  return fills_[fill.slice].waited(fill.comes);
}

void ChipMemory::note(unsigned sm, uint64_t line) {
  Reached& known = of_sm_[sm % kSms].reached;
  const bool is_far = halves_ > 1 && l2_.is_far(line, half_of(sm, halves_));
  known = std::max(known, is_far ? Reached::kFar : Reached::kNear);
}

MemoryPort::Updated ChipMemory::update(const LineRequest& request, const Update& update,
                                       Cycle now) {
  Updated result;
  const unsigned half = half_of(request.sm, halves_);
  const L2Tags::Found found = l2_.update(request.line, request.sectors, half);
  result.is_far = found.is_far;
  result.distance = distance(request.sm, request.line);
  result.there = found.ready;
  const uint64_t tenths =
      (request.is_partial ? kUpdatedSector : kUpdatedWhole) + (update.returns ? kReturned : 0);
  const Cycle taken = serve_all(tenths * count_of(request.sectors), now);
  if (found.missing != 0) {
    const FromDram from = from_dram(request, found.missing, now);
    result.there = std::max(result.there, from.passes);
    result.dram_bytes = from.bytes;
  }
  write_back(request.sm, now);
  const unsigned home = result.is_far ? 1 - half : half;
  const uint64_t slice = slices_ == 1 ? part_of(request.line) : hash_.slice(request.line, home);
  const uint64_t percent = request.is_partial ? kHundred : kAtomicWhole;
  const uint64_t least = update.returns && slices_ > 1 ? kReturnedLeast : 0;
  const uint64_t own = std::max(least, update.steps * hundredths_per_step_ * percent / kHundred);
  const uint64_t done = updated_[slice % updated_.size()].serve(groups_.cpc_of_chip(request.sm),
                                                                own, taken * kHundred);
  result.starts = (done - own) / kHundred;
  const Cycle updated = done / kHundred;
  written_[request.line % kWatched] = {request.line, home,
                                       updated + (result.is_far ? crossing_ : 0), updated};
  return result;
}

}  // namespace shflsim::model
