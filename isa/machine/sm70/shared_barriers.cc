// SPDX-License-Identifier: Apache-2.0
// Barriers in shared memory: SYNCS of sm_90 and later, and the arrivals of copies that bypass the
// registers. The copies are made at once (async_copy.cc); timing decides when they arrive.
#include "isa/machine/shared_barrier.h"

#include <cstdlib>

#include "isa/machine/address_space.h"
#include "isa/machine/cluster.h"
#include "isa/machine/operations.h"
#include "isa/machine/transactions.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kBytes = 8;

/// Values of the field a1t0: the arrivals, and the change of the expected bytes. R is source B.
enum Arrival : uint8_t { kOneAndBytes, kOne, kOneByte, kBytesExpected, kBytesCome, kSeveral };

BarrierChange change_of(Arrival arrival, uint32_t b) {
  switch (arrival) {
    case kOneAndBytes: return {1, b};
    case kOne: return {1, 0};
    case kOneByte: return {0, 1};
    case kBytesExpected: return {0, b};
    case kBytesCome: return {0, -int64_t{b}};
    default: return {b, 0};
  }
}

BarrierWord word_of(Arrival arrival, uint32_t b, bool leaves) {
  using Kind = BarrierWord::Kind;
  BarrierWord word;
  const BarrierChange change = change_of(arrival, b);
  const bool has_bytes = change.bytes != 0 || arrival == kOneAndBytes;
  if (arrival == kOneAndBytes)
    word.kind = leaves ? Kind::kLeavingWithBytes : Kind::kArrivalWithBytes;
  else if (change.arrivals != 0 || !has_bytes)
    word.kind = leaves ? Kind::kLeaving : Kind::kArrivals;
  else
    word.kind = change.bytes < 0 ? Kind::kBytesCome : Kind::kBytesExpected;
  word.number = static_cast<uint32_t>(has_bytes ? std::llabs(change.bytes) : change.arrivals);
  return word;
}

/// The space of an instruction: arrivals without a result may be at a barrier of another block of
/// the cluster.
Space space_of(const Instruction& instruction) {
  return instruction[Mod::k_sred] != 0 ? Space::kCluster : Space::kShared;
}

/// The barrier at a lane's address. A barrier that was never written is reported.
Access barrier_of(Execution& execution, const LaneAddresses& addresses, unsigned lane) {
  const Space space = space_of(execution.instruction);
  const Access access = locate(execution, space, addresses[lane], kBytes, lane);
  if ((access.storage->marks(access.offset, kBytes) & Storage::kUndefined) != 0)
    report_undefined(execution, 1u << lane, "uses a barrier that is not initialised");
  return access;
}

uint64_t word_at(const Access& access) {
  uint64_t word = 0;
  access.storage->read(access.offset, &word, kBytes);
  return word;
}

/// For AccessOrder: the warp's accesses are known after the barrier.
void tell_order(const Execution& execution, uint32_t rank, uint64_t offset) {
  AccessOrder* const order = execution.block.order();
  if (order == nullptr) return;
  order->arrive({execution.block.rank, execution.warp_index},
                {AccessOrder::Place::Kind::kShared, rank, static_cast<uint32_t>(offset)});
}

/// The same of the warp's loads to shared memory so far.
void tell_order_of_loads(const Execution& execution, uint64_t offset) {
  const Block& block = execution.block;
  if (block.order() == nullptr) return;
  block.order()->notify_of_loads(
      {block.rank, execution.warp_index},
      {AccessOrder::Place::Kind::kShared, block.rank, static_cast<uint32_t>(offset)});
}

void learn_order(const Execution& execution, uint64_t offset) {
  const Block& block = execution.block;
  if (block.order() == nullptr) return;
  block.order()->pass(
      {block.rank, execution.warp_index},
      {AccessOrder::Place::Kind::kShared, block.rank, static_cast<uint32_t>(offset)});
}

/// Writes a barrier; if a phase ends, warps that wait for it continue.
void put_word(Execution& execution, const Access& access, uint64_t address, unsigned lane,
              uint64_t word) {
  access.storage->write(access.offset, &word, kBytes);
  const bool is_own = access.storage == &execution.block.shared;
  Block& block = is_own ? execution.block : block_at(execution, address, lane);
  block.barrier_changed(static_cast<uint32_t>(access.offset));
}

/// Calls f(lanes) for the executing lanes of each address. Hardware handles them together: an
/// instruction with more arrivals than the barrier waits for faults (measured on an H100).
template <class F>
void for_each_barrier(LaneMask lanes, const LaneAddresses& addresses, F f) {
  while (lanes != 0) {
    const uint64_t address = addresses[static_cast<unsigned>(__builtin_ctz(lanes))];
    const LaneMask same =
        lanes & lanes_where([&](unsigned lane) { return addresses[lane] == address; });
    f(same);
    lanes &= ~same;
  }
}

SharedBarrier changed(const Execution& execution, SharedBarrier barrier,
                      const BarrierChange& change, unsigned lane) {
  if (change.arrivals > barrier.pending) {
    fail(execution,
         "arrives " + std::to_string(change.arrivals) + " times at a barrier that waits for " +
             std::to_string(barrier.pending) + " more",
         lane);
  }
  const int64_t bytes = barrier.bytes + change.bytes;
  if (std::llabs(bytes) > SharedBarrier::kMostBytes) {
    fail(execution,
         "a barrier would wait for " + std::to_string(bytes) + " bytes; expected " +
             std::to_string(SharedBarrier::kMostBytes) + " at most",
         lane);
  }
  barrier.pending -= static_cast<uint32_t>(change.arrivals);
  barrier.bytes = static_cast<int32_t>(bytes);
  barrier.end_phase_if_complete();
  return barrier;
}

/// An arrival at a barrier of another block of the cluster; handled like a copy.
void arrive_elsewhere(Execution& execution, uint64_t address, const BarrierChange& change) {
  if (change.arrivals == 0 && change.bytes == 0) return;
  BulkCopy copy;
  copy.way = BulkCopy::Way::kArrival;
  copy.change = change;
  const unsigned lane = first_lane(execution);
  copy.receivers.push_back(receiver_at(execution, static_cast<uint32_t>(address), lane));
  begin_copy(execution, copy);
}

/// D's second register receives the barrier's previous upper word. With .TMASK the first register
/// receives the lanes at the barrier, else it is unchanged (measured on an H100).
void arrive(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const auto arrival = static_cast<Arrival>(instruction[Mod::k_a1t0]);
  const bool leaves = instruction[Mod::k_optout] != 0;
  const LaneAddresses& addresses = resolve_addresses(execution);
  const SourceOperand b(execution, Role::kB);
  LaneValues together{}, before{};
  for_each_barrier(execution.lanes, addresses, [&](LaneMask lanes) {
    const unsigned first = static_cast<unsigned>(__builtin_ctz(lanes));
    const Access access = barrier_of(execution, addresses, first);
    const bool is_elsewhere = access.storage != &execution.block.shared;
    tell_order(
        execution,
        is_elsewhere ? block_at(execution, addresses[first], first).rank : execution.block.rank,
        access.offset);
    BarrierChange change;
    for_each_lane(lanes, [&](unsigned lane) {
      const BarrierChange one = change_of(arrival, b[lane]);
      change = {change.arrivals + one.arrivals, change.bytes + one.bytes};
      BarrierWord word = word_of(arrival, b[lane], leaves && !is_elsewhere);
      word.address = static_cast<uint32_t>(addresses[lane]);
      word.has_rank = is_elsewhere;
      if (is_elsewhere) word.rank = block_at(execution, addresses[lane], lane).rank;
      note_word(execution, lane, word);
    });
    if (is_elsewhere) return arrive_elsewhere(execution, addresses[first], change);
    SharedBarrier barrier(word_at(access));
    for_each_lane(lanes, [&](unsigned lane) {
      together[lane] = lanes;
      before[lane] = static_cast<uint32_t>(barrier.word() >> 32);
    });
    if (leaves) barrier.arrivals -= static_cast<uint32_t>(change.arrivals);
    const uint64_t word = changed(execution, barrier, change, first).word();
    put_word(execution, access, addresses[first], first, word);
  });
  if (instruction[Mod::k_tmask] != 0) write_result(execution, together, 0);
  write_result(execution, before, 1);
}

/// In a timed launch .TRYWAIT waits if all lanes ask for one phase that is not over. If only a part
/// of a warp asks, an H100 answers at once, as here while other lanes are ready; the loop in which
/// the code then polls or sleeps is one wait here.
bool may_wait(const Execution& execution, const LaneAddresses& addresses, const SourceOperand& b) {
  if (!execution.block.sm->is_timed()) return false;
  if (execution.instruction[Mod::k_trw] == 0 || execution.warp.phase_wait.lanes != 0) return false;
  if (execution.warp.convergence.others().ready() != 0) return false;
  const unsigned first = first_lane(execution);
  const LaneMask same = lanes_where([&](unsigned lane) {
    return addresses[lane] == addresses[first] && (b[lane] ^ b[first]) >> 31 == 0;
  });
  return (execution.lanes & ~same) == 0;
}

/// P = the phase whose parity is in bit 31 of B has ended. .TRYWAIT waits for that for a limited
/// time; in an untimed launch it answers at once, and other warps run before the code asks again.
void check_phase(Execution& execution) {
  const LaneAddresses& addresses = resolve_addresses(execution);
  const SourceOperand b(execution, Role::kB);
  LaneMask ended = 0;
  uint64_t offset = 0;
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const Access access = barrier_of(execution, addresses, lane);
    offset = access.offset;
    const bool is_over = SharedBarrier(word_at(access)).parity != (b[lane] >> 31 != 0);
    BarrierWord word;
    word.kind = is_over ? BarrierWord::Kind::kOver : BarrierWord::Kind::kNotOver;
    word.number = b[lane] >> 31;
    word.address = static_cast<uint32_t>(addresses[lane]);
    note_word(execution, lane, word);
    if (!is_over) return;
    ended |= 1u << lane;
    learn_order(execution, offset);
    if (!execution.block.awaited.empty()) execution.block.end_wait(static_cast<uint32_t>(offset));
  });
  execution.warp.gives_way = ended != execution.lanes;
  write_predicate(execution, Role::kP, ended);
  if (ended != 0 || !may_wait(execution, addresses, b)) return;
  PhaseWait wait;
  wait.lanes = execution.lanes;
  wait.offset = static_cast<uint32_t>(offset);
  wait.parity = b[first_lane(execution)] >> 31 != 0;
  wait.predicate = execution.operand(Role::kP).index;
  execution.block.wait_for_phase(execution.warp_index, wait);
}

/// Writes B to the barrier and the old word to D. The operands are uniform, so one lane does it.
void exchange(Execution& execution) {
  const unsigned lane = first_lane(execution);
  const LaneAddresses& addresses = resolve_addresses(execution);
  const Access access = locate(execution, Space::kShared, addresses[lane], kBytes, lane);
  const uint64_t before = word_at(access);
  const SourceOperand low(execution, Role::kB, 0), high(execution, Role::kB, 1);
  const uint64_t word = uint64_t{high[lane]} << 32 | low[lane];
  access.storage->write(access.offset, &word, kBytes);
  execution.block.told.erase(static_cast<uint32_t>(access.offset));
  CopyRow row;
  row.is_copy = false;
  row.offset = static_cast<uint32_t>(access.offset);
  row.word = word;
  execution.block.asynchronous = row.packed();
  execution.asynchronous = &execution.block.asynchronous;
  for (unsigned i = 0; i < 2; ++i) {
    set_result(
        execution, [&](unsigned) { return static_cast<uint32_t>(before >> (32 * i)); }, i);
  }
}

/// .CCTL: the barrier's bytes become plain memory again; they are kept as such anyway.
void forget(Execution& execution) {
  std::map<uint32_t, uint32_t>& told = execution.block.told;
  if (form_says(execution.instruction, ".IVALL")) return told.clear();
  const LaneAddresses& addresses = resolve_addresses(execution);
  for_each_lane(execution.lanes, [&](unsigned lane) {
    told.erase(static_cast<uint32_t>(shared_offset(addresses[lane])));
  });
}

void syncs(Execution& execution) {
  if (form_says(execution.instruction, ".EXCH")) return exchange(execution);
  forget(execution);
}

/// Arrivals after the warp's pending loads to shared memory; handled like copies.
void arrive_behind_loads(Execution& execution, const LaneAddresses& addresses,
                         const BarrierChange& each) {
  for_each_barrier(execution.lanes, addresses, [&](LaneMask lanes) {
    const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
    const Access access = barrier_of(execution, addresses, first);
    const int count = __builtin_popcount(lanes);
    BulkCopy copy;
    copy.way = BulkCopy::Way::kAfterLoads;
    copy.change = {each.arrivals * count, each.bytes * count};
    copy.receivers.push_back({execution.block.index, static_cast<uint32_t>(access.offset)});
    tell_order(execution, execution.block.rank, access.offset);
    tell_order_of_loads(execution, access.offset);
    begin_copy(execution, copy);
    for_each_lane(lanes, [&](unsigned lane) {
      BarrierWord word;
      word.kind =
          each.bytes != 0 ? BarrierWord::Kind::kByteOfLoads : BarrierWord::Kind::kAfterLoads;
      word.number = 1;
      word.address = static_cast<uint32_t>(addresses[lane]);
      note_word(execution, lane, word);
    });
  });
}

/// ARRIVES: an arrival, or (.TRANSCNT) the byte that SYNCS.ARRIVE.A0T1 has made expected. Up to
/// sm_89 the code itself reads the barrier, so the arrival is at once.
void arrive_after_copies(Execution& execution) {
  constexpr uint8_t kByteCome = 2;  // value of the field arrives
  const bool is_byte = execution.instruction[Mod::k_arrives] == kByteCome;
  const bool is_plain = number_of(execution.instruction.arch) < 90;
  const LaneAddresses& addresses = resolve_addresses(execution);
  if (!is_plain)
    return arrive_behind_loads(execution, addresses, change_of(is_byte ? kBytesCome : kOne, 1));
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const Access access = barrier_of(execution, addresses, lane);
    const uint64_t word = after_arrival(word_at(access));
    access.storage->write(access.offset, &word, kBytes);
  });
}

}  // namespace

void add_sm70_barrier_operations(OperationTable& table) {
  entry(table, Op::kSm70_SYNCS) = {syncs};
  entry(table, Op::kSm70_SYNCS_ARRIVE) = {arrive};
  entry(table, Op::kSm70_SYNCS_PHASECHK) = {check_phase};
  entry(table, Op::kSm70_ARRIVES) = {arrive_after_copies};
}

}  // namespace shflsim::isa
