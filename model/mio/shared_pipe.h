// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "model/mio/access_passes.h"
#include "model/mio/mio_arbiter.h"
#include "model/mio/mio_params.h"
#include "model/mio/operand_order.h"
#include "model/mio/operations.h"

namespace shflsim::model {

/// One pipe to all units of the MIO. A sub-partition's operand reader takes the head of its queue
/// and reads its registers one after the other into a buffer, as long as there is room. The oldest
/// request in the buffer requests its beats of the pipe: wide stores one for each word of a lane,
/// stores to global memory also one for the address. The SM grants one beat per cycle. The address
/// of a store to global memory that found its reader idle goes first, then the beat of a store that
/// has waited longest, unless another request has waited longer. Of these a shuffle waits for the
/// others for some cycles, then the sub-partition goes first whose last beat is oldest. They
/// alternate with data of stores to global memory until such a store waits for room in the store
/// buffer. Behind the pipe, operations of shared memory and shuffles take their passes, one a
/// cycle. With its last beat the operation enters a place there; until then nothing else is read.
/// Other beats take the place of a pass.
///
///   queue -> operand reader -> buffer -> beat, beat, ... -> unit
///                                                       \-> place -> pass, pass, ... -> unit
class SharedPipe final : public MioArbiter {
 public:
  SharedPipe(const sc_core::sc_module_name& name, const MioParams& params);

  const char* kind() const override { return "SharedPipe"; }
  const char* hardware() const override {
    return "operand readers, and one pipe to all shared units";
  }

  uint64_t collected(unsigned sub_partition, Cycle end) const override {
    return collected_[sub_partition] - cycles_behind(end, readers_[sub_partition].next_read);
  }
  void head_came(unsigned sub_partition, const MioHead& head, Cycle now) override;
  void came_apart(unsigned sub_partition, const MioRequest& request, Cycle now) override;
  void stop(unsigned sub_partition, Cycle now, Cycle cycles) override {
    for (MioRequest& each : specials_[sub_partition]) params_.delay(&each, now, cycles);
  }
  void product_reads(Cycle begin, Cycle end) override { passes_.product_reads(begin, end); }

 private:
  struct Reader {
    MioRequest request;
    ReadPlan plan;
    uint32_t operand = 0;  ///< the next register to be read
    uint32_t words = 0;    ///< of data for which it waits for room
    Cycle next_read = 0;
    bool is_first = false;  ///< the request found the reader idle
    bool is_early = false;  ///< the next register takes one cycle less
  };
  /// A sub-partition has two buffers: buffer s, and after the buffers of all sub-partitions one for
  /// operations that do not wait in the queue.
  static constexpr unsigned kBuffers = 2 * kSubPartitions;

  void note_beats(unsigned place);
  bool evaluate_due(Cycle now) override;
  bool move(Cycle now);
  bool grant(Cycle now);
  Cycle beat_from(unsigned place, Cycle now) const;
  void send(unsigned place, Cycle now);
  void start(unsigned sub_partition, const MioRequest& request, Cycle now);
  Cycle beside_passes(const Operation& operation, unsigned sub_partition, Cycle from) const;
  bool read(unsigned sub_partition, Cycle now);
  bool take_head(unsigned sub_partition, Cycle now);
  Cycle read_from(unsigned sub_partition, Cycle now) const;
  void take_port(unsigned sub_partition, const MioRequest& request, uint32_t place, Cycle ready);
  Operation& start_operation(unsigned place, const MioRequest& request, const ReadPlan& plan);
  void operand_done(unsigned sub_partition, Cycle ready);
  void go_past(unsigned sub_partition, Cycle ready);
  bool reads_special(unsigned sub_partition, Cycle now) const;
  void read_special(unsigned sub_partition, Cycle now);
  Cycle special_from(unsigned sub_partition) const;
  bool has_room(unsigned sub_partition) const;
  Cycle next_change(Cycle now) const;
  Cycle head_from(unsigned sub_partition, Cycle now) const;
  Cycle arrival_of(unsigned sub_partition) const;

  const MioParams params_;
  std::array<Reader, kSubPartitions> readers_;
  std::array<uint64_t, kSubPartitions> collected_{};  ///< cycles in which its reader has read
  std::array<Cycle, kSubPartitions> next_beat_{};
  std::array<Cycle, kSubPartitions> last_beat_{};
  std::array<Operations, kBuffers> buffers_;
  AccessPasses passes_;
  ReadPlans plans_;
  std::array<std::vector<MioRequest>, kSubPartitions> specials_;  ///< to be read, the oldest first
  // Bit s: sub-partition s...
  uint32_t reading_ = 0;       ///< ...reads an operation's operands
  uint32_t headed_ = 0;        ///< ...has a head in its queue
  uint32_t special_ = 0;       ///< ...has a special function to be read
  uint32_t wanting_ = 0;       ///< bit b: the front of buffer b wants a beat
  unsigned first_ = 0;         ///< the sub-partition that is asked first for a beat...
  unsigned first_reader_ = 0;  ///< ...and for room for data
  bool data_first_ = false;    ///< the last beat was none of a store's data
  bool came_at_once_ = false;  ///< an operation that reads nothing is ready in this cycle
  Cycle free_ = 0;             ///< first cycle in which the pipe takes the next beat
};

}  // namespace shflsim::model
