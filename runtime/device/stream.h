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

/// The kind of a graph's node, with the runtime's numbers.
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

/// Attributes that a program sets for streams and nodes, by the runtime's numbers, as the binary
/// interface has them.
using Attributes = std::map<int, std::array<uint8_t, 64>>;

struct GraphNode {
  NodeKind kind = NodeKind::kEmpty;
  Work work;
  std::vector<GraphNode*> after;           ///< nodes that must precede it
  std::shared_ptr<const void> parameters;  ///< the program's parameters, depending on the kind
  Graph* graph = nullptr;                  ///< graph that has this node
  const GraphNode* original = nullptr;     ///< node that it is a copy of
  Attributes attributes = {};
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;
  std::vector<std::shared_ptr<void>> objects;  ///< objects that live as long as the graph
  bool is_invalid = false;                     ///< its capture failed

  GraphNode* add(NodeKind kind, Work work, std::vector<GraphNode*> after = {});
  /// The nodes in an order in which each follows its predecessors; fewer nodes if there is a cycle.
  std::vector<const GraphNode*> ordered() const;
};

/// A graph as it was when it was instantiated. The graph may be destroyed afterwards.
struct GraphExec {
  struct Step {
    const GraphNode* node;  ///< its node, which is not dereferenced
    NodeKind kind;
    Work work;
    std::shared_ptr<const void> parameters;
    bool is_enabled = true;
  };
  std::vector<Step> steps;
  uint64_t flags = 0;  ///< flags of its instantiation
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  uint64_t id = 0;
  Graph* capture = nullptr;           ///< graph of its capture; nullptr: its work is done at once
  std::vector<GraphNode*> last = {};  ///< captured last; the next node comes after these
  bool begins_capture = false;
  Attributes attributes = {};
};

struct Event {
  unsigned flags = 0;
  bool is_recorded = false;
  double time_us = 0;
  Graph* capture = nullptr;  ///< graph of its capture
  std::vector<GraphNode*> last = {};
};

}  // namespace shflsim::runtime
