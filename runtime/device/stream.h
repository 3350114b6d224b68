// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/device/errors.h"

namespace shflsim::runtime {

class Context;

/// Work that is done now or captured.
using Work = std::function<Error(Context&)>;

/// What a node of a graph does, by the runtime's numbers.
enum class NodeKind : int {
  kKernel = 0,
  kMemcpy = 1,
  kMemset = 2,
  kHost = 3,
  kGraph = 4,
  kEmpty = 5,
  kWaitEvent = 6,
  kEventRecord = 7,
  kMemAlloc = 10,
  kMemFree = 11,
};

struct Graph;

/// What a program says of streams and nodes, by the runtime's number, as the binary interface has
/// it.
using Attributes = std::map<int, std::array<uint8_t, 64>>;

struct GraphNode {
  NodeKind kind = NodeKind::kEmpty;
  Work work;
  std::vector<GraphNode*> after;           ///< nodes that come before it
  std::shared_ptr<const void> parameters;  ///< what the program made it of, by its kind
  Graph* graph = nullptr;                  ///< whose node it is
  const GraphNode* original = nullptr;     ///< that it was copied from
  Attributes attributes = {};
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;
  std::vector<std::shared_ptr<void>> objects;  ///< that live as long as the graph
  bool is_invalid = false;                     ///< its capture has failed

  GraphNode* add(NodeKind kind, Work work, std::vector<GraphNode*> after = {});
  /// The nodes, each behind those that come before it; fewer where they form a circle.
  std::vector<const GraphNode*> ordered() const;
};

/// A graph as it was when it was instantiated. The graph may be destroyed since.
struct GraphExec {
  struct Step {
    const GraphNode* node;  ///< what it was made of, which is not followed
    NodeKind kind;
    Work work;
    std::shared_ptr<const void> parameters;
    bool is_enabled = true;
  };
  std::vector<Step> steps;
  uint64_t flags = 0;  ///< of its instantiation
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  uint64_t id = 0;
  Graph* capture = nullptr;           ///< what it is captured into; nullptr: its work is done
  std::vector<GraphNode*> last = {};  ///< captured last: the next node comes after these
  bool begins_capture = false;
  Attributes attributes = {};
};

struct Event {
  unsigned flags = 0;
  bool is_recorded = false;
  double time_us = 0;
  Graph* capture = nullptr;  ///< where it was captured
  std::vector<GraphNode*> last = {};
};

}  // namespace shflsim::runtime
