// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/block.h"

#include <algorithm>
#include <utility>

#include "isa/code/launch_layout.h"
#include "isa/codec/form.h"
#include "isa/machine/cluster.h"
#include "isa/machine/shared_barrier.h"

namespace shflsim::isa {
namespace {

/// Some operations access the registers after their last one.
constexpr unsigned kBehind = 4;

uint32_t popcount(LaneMask mask) { return static_cast<uint32_t>(__builtin_popcount(mask)); }

LaneMask lanes_of_warp(uint32_t warp, uint64_t threads) {
  const uint64_t first = uint64_t{warp} * kLanes;
  const uint64_t left = threads - first;
  return left >= kLanes ? kAllLanes : (1u << left) - 1;
}

/// True for operations on shared memory, with generic addresses, and for copies to shared memory.
bool touches_shared(const Instruction& instruction) {
  const OpFacts& of = facts(instruction.op);
  if (of.pipe == Pipe::kShared)
    return of.kind != OpKind::kBarrier && of.kind != OpKind::kBarrierState;
  switch (instruction.op) {
    case Op::kLD:
    case Op::kST:
    case Op::kATOM:
    case Op::kRED:
    case Op::kSm70_LDGSTS:
    case Op::kSm70_LD:
    case Op::kSm70_ST:
    case Op::kSm70_ATOM: return true;
    default: return false;
  }
}

}  // namespace

unsigned registers_of_lane(const Program& program, const Launch& launch) {
  unsigned used = program.registers_used();
  for (const InitialRegister& each : launch.registers) used = std::max(used, each.index + 1u);
  return std::min(used + kBehind, 260u);
}

unsigned uniform_registers_of_warp(const Program& program) {
  unsigned used = 0;
  for (const Instruction& instruction : program.code) {
    for (const Operand& operand : instruction.operands) {
      if (operand.is(Operand::Kind::kUniform) && operand.index != kRZ)
        used = std::max(used, operand.index + unsigned{operand.count});
      if (operand.has_uniform && operand.uniform != kRZ)
        used = std::max(used, operand.uniform + 1u);
    }
  }
  return used == 0 ? 0 : used + kBehind;
}

size_t shared_bytes_of_block(const Program& program, const Launch& launch) {
  const LaunchLayout& layout = launch_layout(program.arch);
  const uint64_t declared = uint64_t{program.shared_bytes} + launch.shared_bytes;
  const bool is_behind = layout.reserved_shared == 0 && uses_reserved_shared(program);
  if (is_behind) return total_shared(program.arch, declared) + reserved_shared(program.arch);
  if (declared != 0) return static_cast<size_t>(declared) + layout.reserved_shared;
  const bool touched = std::any_of(program.code.begin(), program.code.end(), touches_shared);
  return touched ? LaunchLayout::kMostStaticShared + layout.reserved_shared : 0;
}

const uint8_t* Grid::constant(unsigned bank, uint64_t offset, size_t size) const {
  if (bank >= banks.size() || offset > banks[bank].size()) return nullptr;
  return size <= banks[bank].size() - offset ? banks[bank].data() + offset : nullptr;
}

uint32_t cluster_number_of(const Grid& grid, uint32_t block) {
  const Extent& all = grid.launch.grid;
  const Extent& in = grid.cluster;
  const uint32_t x = block % all.x / in.x, y = block / all.x % all.y / in.y;
  const uint32_t z = block / all.x / all.y / in.z;
  return x + all.x / in.x * (y + all.y / in.y * z);
}

uint32_t block_of(const Extent& grid, const Extent& cluster, uint32_t number, uint32_t rank) {
  const uint32_t columns = grid.x / cluster.x, rows = grid.y / cluster.y;
  const uint32_t x = number % columns * cluster.x + rank % cluster.x;
  const uint32_t y = number / columns % rows * cluster.y + rank / cluster.x % cluster.y;
  const uint32_t z = number / columns / rows * cluster.z + rank / cluster.x / cluster.y;
  return x + grid.x * (y + grid.y * z);
}

Block::Block(const Grid& grid_of, uint32_t block_index, SmState& its_sm)
    : grid(grid_of), sm(&its_sm), index(block_index), shared(grid_of.shared_bytes) {
  const uint64_t threads = grid.launch.block.count();
  const uint32_t count = static_cast<uint32_t>((threads + kLanes - 1) / kLanes);
  warps.reserve(count);
  for (uint32_t w = 0; w < count; ++w) {
    warps.emplace_back(WarpShape{grid.registers, grid.uniform, lanes_of_warp(w, threads),
                                 grid.launch.local_bytes});
    warps.back().place.slot = w;
  }
}

void Block::join(std::shared_ptr<Cluster> its_cluster, uint32_t its_rank) {
  cluster = std::move(its_cluster);
  rank = its_rank;
  shared_base = its_rank << Cluster::kRankBit;
  cluster->put(its_rank, this);
}

bool Block::is_over() const {
  return std::all_of(warps.begin(), warps.end(),
                     [](const Warp& warp) { return warp.state == Warp::State::kDone; });
}

uint32_t Block::live_threads() const {
  uint32_t live = 0;
  for (const Warp& warp : warps) {
    if (warp.state == Warp::State::kDone) continue;
    live += is_sm70() ? popcount(warp.convergence.alive()) : kLanes;
  }
  return live;
}

/// The threads that arrive: a whole warp, whichever lanes execute. An H200 counts so, too
/// (tests/data/h200/2026-11-29, README). Without a thread count lanes that have ended are not
/// waited for.
uint32_t Block::arriving(uint32_t warp, const BarrierRequest& request) const {
  if (!is_sm70() || request.threads != 0) return kLanes;
  return popcount(warps[warp].convergence.alive());
}

void Block::set_waiting(uint32_t warp, const BarrierRequest& request) {
  Warp& waiting = warps[warp];
  waiting.state = Warp::State::kWaiting;
  waiting.barrier = request.id;
  waiting.behind_barrier = is_sm70() ? waiting.convergence.pc() : waiting.divergence.pc();
}

AccessOrder* Block::order() const { return cluster != nullptr ? cluster->order.get() : nullptr; }

void Block::fence(uint32_t warp) {
  if (order() == nullptr) return;
  constexpr AccessOrder::Place kFence{AccessOrder::Place::Kind::kFence, 0, 0};
  order()->arrive({rank, warp}, kFence);
  order()->pass({rank, warp}, kFence);
}

void Block::arrive(uint32_t warp, const BarrierRequest& request) {
  if (order() != nullptr)
    order()->arrive({rank, warp}, {AccessOrder::Place::Kind::kNamed, rank, request.id});
  Barrier& barrier = barriers_[request.id];
  barrier.arrived += arriving(warp, request);
  barrier.wanted = request.threads;
  barrier.count += popcount(request.predicate & request.executing);
  barrier.all = barrier.all && (request.executing & ~request.predicate) == 0;
  barrier.any = barrier.any || (request.executing & request.predicate) != 0;
  barrier.reduction = request.reduction;
  if (request.waits) set_waiting(warp, request);
  release_if_complete(request.id);
}

void Block::release_if_complete(uint8_t id) {
  Barrier& barrier = barriers_[id];
  const uint32_t wanted = barrier.wanted != 0 ? barrier.wanted : live_threads();
  if (barrier.arrived < wanted) return;
  const uint32_t results[] = {barrier.count, barrier.all ? ~0u : 0u, barrier.any ? ~0u : 0u, 0};
  for (Warp& warp : warps) release(warp, id, results[barrier.reduction & 3]);
  barrier = Barrier{};
}

void Block::release(Warp& warp, uint8_t id, uint32_t result) {
  if (warp.state != Warp::State::kWaiting || warp.barrier != id) return;
  warp.runs_ahead = false;
  warp.state = Warp::State::kReady;
  warp.barrier_result = result;
  if (order() == nullptr) return;
  using Kind = AccessOrder::Place::Kind;
  const AccessOrder::Warp who{rank, static_cast<uint32_t>(&warp - warps.data())};
  id == kClusterBarrier ? order()->pass(who, {Kind::kCluster, 0, 0})
                        : order()->pass(who, {Kind::kNamed, rank, id});
}

void Block::lanes_ended() {
  for (unsigned id = 0; id < barriers_.size(); ++id) {
    const bool is_waited_at = barriers_[id].arrived != 0;
    if (is_waited_at && barriers_[id].wanted == 0) release_if_complete(static_cast<uint8_t>(id));
  }
  if (cluster != nullptr) cluster->lanes_ended();
}

bool Block::is_awaited(uint64_t offset, uint64_t bytes) const {
  return std::any_of(awaited.begin(), awaited.end(), [&](const Row& row) {
    return offset < uint64_t{row.first} + row.bytes && row.first < offset + bytes;
  });
}

void Block::end_wait(uint32_t barrier) {
  const auto is_told = [barrier](const Row& row) { return row.barrier == barrier; };
  awaited.erase(std::remove_if(awaited.begin(), awaited.end(), is_told), awaited.end());
}

void Block::tell_released(uint32_t warp) const {
  if (sm->is_timed()) sm->clock->events->released(index, warp);
}

void Block::wait_for_cluster(uint32_t warp, LaneMask lanes) {
  BarrierRequest request;
  request.id = kClusterBarrier;
  request.executing = lanes;
  set_waiting(warp, request);
}

void Block::leave_cluster_barrier() {
  for (uint32_t w = 0; w < warps.size(); ++w) {
    const bool was_held = is_held(warps[w]);
    release(warps[w], kClusterBarrier, 0);
    if (was_held && !is_held(warps[w])) tell_released(w);
  }
}

void Block::wait_for_phase(uint32_t warp, const PhaseWait& wait) {
  Warp& waiting = warps[warp];
  waiting.phase_wait = wait;
  waiting.state = Warp::State::kWaiting;
  waiting.barrier = kPhase;
  waiting.behind_barrier = waiting.convergence.pc();
  ++phase_waiters_;
}

void Block::barrier_changed(uint32_t offset) {
  if (phase_waiters_ == 0) return;
  uint64_t word = 0;
  shared.read(offset, &word, sizeof word);
  const bool parity = SharedBarrier(word).parity;
  for (uint32_t w = 0; w < warps.size(); ++w) {
    const PhaseWait& wait = warps[w].phase_wait;
    if (wait.lanes != 0 && wait.offset == offset && wait.parity != parity) leave_phase(w, true);
  }
}

void Block::leave_phase(uint32_t warp, bool ended) {
  Warp& waiting = warps[warp];
  const PhaseWait wait = std::exchange(waiting.phase_wait, {});
  if (wait.lanes == 0) return;
  --phase_waiters_;
  waiting.runs_ahead = false;
  waiting.write_predicate(wait.predicate, wait.lanes, ended ? kAllLanes : 0);
  waiting.state = Warp::State::kReady;
  if (ended) end_wait(wait.offset);
  tell_released(warp);
}

}  // namespace shflsim::isa
