//===- Simulator.cpp - Event simulation of all ranks ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Estimate/Simulator.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <tuple>

using namespace kiln::estimate;
using namespace llvm;

namespace {
/// Runs callbacks in the order of their times; at equal times, in the order of their
/// insertion.
class EventQueue {
public:
  void at(double time, std::function<void()> action) {
    events.push({time, count++, std::move(action)});
  }
  void run() {
    while (!events.empty()) {
      Event event = events.top();
      events.pop();
      now = event.time;
      event.action();
    }
  }
  double now = 0;

private:
  struct Event {
    double time;
    uint64_t number;
    std::function<void()> action;
    bool operator<(const Event &other) const {
      return std::tie(time, number) > std::tie(other.time, other.number);
    }
  };
  std::priority_queue<Event> events;
  uint64_t count = 0;
};

/// Records tracks and spans of a timeline; spans only on request.
class Recorder {
public:
  Recorder(Timeline &timeline, bool isOn) : timeline(timeline), isOn(isOn) {}
  unsigned track(const Twine &name) {
    timeline.tracks.push_back(name.str());
    return static_cast<unsigned>(timeline.tracks.size() - 1);
  }
  void add(unsigned track, const Twine &name, double begin, double end) {
    timeline.seconds = std::max(timeline.seconds, end);
    if (isOn)
      timeline.spans.push_back({track, name.str(), begin, end});
  }

private:
  Timeline &timeline;
  bool isOn;
};

/// One direction of a device's link, or of a node's network adapter.
struct Channel {
  unsigned track = 0;
  double isFree = 0; ///< time from which on it is free
};

/// All links. A transfer occupies an outgoing channel of its source and an incoming one
/// of its destination for the time of its bytes, and arrives one latency later.
class Fabric {
public:
  Fabric(const Topology &topology, int64_t ranks, Recorder &recorder);

  /// Returns the arrival time of a transfer that is ready at `ready`.
  double send(double ready, int64_t from, int64_t to, double bytes, bool isSplit,
              StringRef name);

private:
  struct Pair {
    Channel out, in;
  };
  Pair &adapter(int64_t node, int64_t number) {
    return adapters[node * topology.adapters + number];
  }
  double occupy(double ready, Channel &out, Channel &in, double seconds, StringRef name);

  const Topology &topology;
  Recorder &recorder;
  std::vector<Pair> devices, adapters;
};
} // namespace

Fabric::Fabric(const Topology &topology, int64_t ranks, Recorder &recorder)
    : topology(topology), recorder(recorder) {
  auto make = [&](const Twine &name) {
    Pair pair;
    pair.out.track = recorder.track(name + " out");
    pair.in.track = recorder.track(name + " in");
    return pair;
  };
  for (int64_t rank = 0; ranks > 1 && rank < ranks; ++rank)
    devices.push_back(make("rank " + Twine(rank) + " " + topology.node.name));
  int64_t nodes = (ranks + topology.devicesPerNode - 1) / topology.devicesPerNode;
  for (int64_t i = 0; nodes > 1 && i < nodes * topology.adapters; ++i)
    adapters.push_back(make("node " + Twine(i / topology.adapters) + " " +
                            topology.network.name + " " + Twine(i % topology.adapters)));
}

double Fabric::occupy(double ready, Channel &out, Channel &in, double seconds,
                      StringRef name) {
  double begin = std::max({ready, out.isFree, in.isFree});
  out.isFree = in.isFree = begin + seconds;
  recorder.add(out.track, name, begin, begin + seconds);
  recorder.add(in.track, name, begin, begin + seconds);
  return begin + seconds;
}

double Fabric::send(double ready, int64_t from, int64_t to, double bytes, bool isSplit,
                    StringRef name) {
  int64_t perNode = topology.devicesPerNode;
  int64_t source = from / perNode, destination = to / perNode;
  if (source == destination)
    return occupy(ready, devices[from].out, devices[to].in, bytes / topology.node.rate,
                  name) +
           topology.node.latency;
  double rate = topology.network.rate;
  if (!isSplit) {
    int64_t number = from % perNode % topology.adapters;
    return occupy(ready, adapter(source, number).out,
                  adapter(destination, to % perNode % topology.adapters).in, bytes / rate,
                  name) +
           topology.network.latency;
  }
  double last = ready;
  for (int64_t i = 0; i < topology.adapters; ++i)
    last =
        std::max(last, occupy(ready, adapter(source, i).out, adapter(destination, i).in,
                              bytes / double(topology.adapters) / rate, name));
  return last + topology.network.latency;
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

namespace {
/// Action of the list that the ranks of a stage execute in order, once per run.
struct Action {
  enum class Kind { Compute, Meet, Join, Send, Receive };
  Kind kind = Kind::Compute;
  double seconds = 0;    ///< Compute
  unsigned step = 0;     ///< Compute, Meet, Join: index of the step
  unsigned handover = 0; ///< Send, Receive: index of the handover
};

class Simulation {
public:
  Simulation(const Program &program, const StagedProgram &staged, const MeshShape &mesh,
             const Topology &topology, const SimulationOptions &options)
      : program(program), staged(staged), mesh(mesh), topology(topology),
        options(options), recorder(timeline, options.recordSpans) {}
  Timeline run();

private:
  struct Rank {
    int64_t number = 0, stage = 0, place = 0;
    int64_t run = 0;
    size_t next = 0; ///< index of the next action
    unsigned track = 0, collectives = 0;
    double waitsSince = 0;
  };
  /// State of a collective; its key is stage, step and run.
  struct Meeting {
    int64_t arrived = 0;
    bool isOver = false;
    std::vector<Rank *> waiting; ///< ranks that wait for its end
    int64_t joined = 0;
  };
  using Key = std::tuple<int64_t, int64_t, int64_t>;

  std::vector<Action> actionsOf(int64_t stage) const;
  /// Continues a rank at the current time.
  void advance(Rank &rank);
  void meet(Rank &rank, const Action &action);
  void beginNext(int64_t stage);
  void end(const Key &key, const std::string &name, double began);
  bool join(Rank &rank, const Action &action);
  void send(Rank &rank, const Action &action);
  bool receive(Rank &rank, const Action &action);
  /// Runs the rounds from `index` on, then calls `done`.
  void runRounds(std::shared_ptr<std::vector<Round>> rounds, size_t index,
                 std::shared_ptr<Group> group, std::string name,
                 std::function<void(const Transfer &, double)> arrived,
                 std::function<void()> done);

  const Program &program;
  const StagedProgram &staged;
  const MeshShape &mesh;
  const Topology &topology;
  const SimulationOptions &options;
  Timeline timeline;
  Recorder recorder;
  EventQueue events;
  std::vector<Rank> ranks;
  std::vector<std::vector<Action>> actions; ///< per stage
  std::map<Key, Meeting> meetings;
  /// Per stage, the collectives at which all ranks have arrived, in order; the first one
  /// is running.
  std::vector<std::deque<Key>> queues;
  std::map<Key, double> received; ///< arrival times by handover, run, rank
  std::map<Key, Rank *> waiting;  ///< waiting ranks by the same key
  std::optional<Fabric> fabric;
};
} // namespace

std::vector<Action> Simulation::actionsOf(int64_t stage) const {
  std::vector<Action> list;
  DenseMap<unsigned, unsigned> handoverOf; // key: value
  for (auto [i, handover] : enumerate(staged.handovers))
    handoverOf[handover.value] = static_cast<unsigned>(i);
  std::multimap<unsigned, unsigned> joins; // step that waits -> collective
  auto addJoins = [&](unsigned step) {
    for (auto [it, end] = joins.equal_range(step); it != end; ++it)
      list.push_back({Action::Kind::Join, 0, it->second});
  };
  unsigned next = 0;
  for (auto [i, step] : enumerate(program.steps)) {
    unsigned number = static_cast<unsigned>(i);
    int64_t own = staged.stages[i];
    bool isMine = own == kAllStages || own == stage;
    addJoins(number);
    if (isMine) {
      for (unsigned read : step.reads)
        if (auto it = handoverOf.find(read);
            it != handoverOf.end() &&
            staged.stages[staged.handovers[it->second].step] != stage)
          list.push_back({Action::Kind::Receive, 0, number, it->second});
      if (step.kind != Step::Kind::Collective)
        list.push_back({Action::Kind::Compute,
                        secondsOf(step, topology.device) + topology.device.stepSeconds,
                        number});
      else if (mesh.tp > 1) {
        list.push_back({Action::Kind::Meet, 0, number});
        if (step.join)
          joins.emplace(step.join, number);
        else
          list.push_back({Action::Kind::Join, 0, number});
      }
    }
    for (; next < staged.handovers.size() && staged.handovers[next].step == i; ++next)
      if (own == stage)
        list.push_back({Action::Kind::Send, 0, number, next});
  }
  addJoins(static_cast<unsigned>(program.steps.size()));
  return list;
}

void Simulation::runRounds(std::shared_ptr<std::vector<Round>> rounds, size_t index,
                           std::shared_ptr<Group> group, std::string name,
                           std::function<void(const Transfer &, double)> arrived,
                           std::function<void()> done) {
  if (index == rounds->size()) {
    done();
    return;
  }
  double last = events.now;
  for (const Transfer &transfer : (*rounds)[index]) {
    double time =
        fabric->send(events.now, group->ranks[transfer.from], group->ranks[transfer.to],
                     transfer.bytes, transfer.isSplit, name);
    arrived(transfer, time);
    last = std::max(last, time);
  }
  events.at(last, [=, this, done = std::move(done), arrived = std::move(arrived)] {
    runRounds(rounds, index + 1, group, name, arrived, done);
  });
}

/// Returns the rounds of all groups of a stage that run a collective; transfers are
/// between places in the stage.
static std::vector<Round> meetingRounds(const Step &step, const MeshShape &mesh,
                                        int64_t stage, const Topology &topology,
                                        CollectiveTime &best) {
  std::vector<Round> all;
  for (const Group &group : groupsOf(step, mesh, stage, topology)) {
    best = cheapest(step.collective, step.bytes, group, topology);
    std::vector<Round> own =
        roundsOf(step.collective, best.algorithm, step.bytes, group, topology, 0);
    all.resize(std::max(all.size(), own.size()));
    for (auto [i, round] : enumerate(own))
      for (Transfer transfer : round) {
        transfer.from = group.ranks[transfer.from] - stage * mesh.tp;
        transfer.to = group.ranks[transfer.to] - stage * mesh.tp;
        all[i].push_back(transfer);
      }
  }
  return all;
}

/// Registers that a rank arrives at a collective. The last rank appends it to the stage's
/// queue.
void Simulation::meet(Rank &rank, const Action &action) {
  Key key(rank.stage, action.step, rank.run);
  if (++meetings[key].arrived < mesh.tp)
    return;
  std::deque<Key> &queue = queues[rank.stage];
  queue.push_back(key);
  if (queue.size() == 1)
    beginNext(rank.stage);
}

void Simulation::beginNext(int64_t stage) {
  Key key = queues[stage].front();
  const Step &step = program.steps[std::get<1>(key)];
  auto group = std::make_shared<Group>(tensorGroup(mesh, stage));
  CollectiveTime best;
  auto rounds = std::make_shared<std::vector<Round>>(
      meetingRounds(step, mesh, stage, topology, best));
  std::string name =
      (nameOf(step.collective) + " (" + nameOf(best.algorithm) + ") " + step.name).str();
  double began = events.now;
  events.at(began + topology.device.stepSeconds, [=, this] {
    runRounds(
        rounds, 0, group, name, [](const Transfer &, double) {},
        [=, this] { end(key, name, began); });
  });
}

/// Ends a collective: wakes the ranks that wait for it, and begins the next one.
void Simulation::end(const Key &key, const std::string &name, double began) {
  int64_t stage = std::get<0>(key);
  for (int64_t i = 0; i < mesh.tp; ++i)
    recorder.add(ranks[stage * mesh.tp + i].collectives, name, began, events.now);
  timeline.collectives += double(mesh.tp) * (events.now - began);
  Meeting &meeting = meetings[key];
  meeting.isOver = true;
  for (Rank *rank : meeting.waiting)
    events.at(events.now, [=, this] { advance(*rank); });
  queues[stage].pop_front();
  if (!queues[stage].empty())
    beginNext(stage);
}

/// Returns true if the collective has ended; otherwise the rank waits.
bool Simulation::join(Rank &rank, const Action &action) {
  Key key(rank.stage, action.step, rank.run);
  Meeting &meeting = meetings[key];
  if (!meeting.isOver) {
    rank.waitsSince = events.now;
    meeting.waiting.push_back(&rank);
    return false;
  }
  if (is_contained(meeting.waiting, &rank)) {
    const Step &step = program.steps[action.step];
    timeline.exposed += events.now - rank.waitsSince;
    recorder.add(rank.track, ("waits for " + nameOf(step.collective) + " " + step.name),
                 rank.waitsSince, events.now);
  }
  if (++meeting.joined == mesh.tp)
    meetings.erase(key);
  return true;
}

/// Sends a value to other stages. The sender's stream waits until all receivers have it;
/// a receiver waits only where it reads the value.
void Simulation::send(Rank &rank, const Action &action) {
  const Handover &given = staged.handovers[action.handover];
  double bytes = program.values[given.value].bytes;
  bool isToAll = given.to == kAllStages;
  auto group = std::make_shared<Group>(
      isToAll ? pipelineGroup(mesh, rank.place, topology)
              : pairGroup(mesh, rank.place, rank.stage, given.to, topology));
  int64_t root = isToAll ? rank.stage : 0;
  CollectiveTime best = cheapest(given.kind(), bytes, *group, topology, root);
  auto rounds = std::make_shared<std::vector<Round>>(
      roundsOf(given.kind(), best.algorithm, bytes, *group, topology, root));
  std::string name = (nameOf(given.kind()) + " (" + nameOf(best.algorithm) + ") " +
                      program.steps[action.step].name)
                         .str();
  int64_t number = rank.number, handover = action.handover, run = rank.run;
  double begin = events.now;
  auto arrived = [=, this](const Transfer &transfer, double time) {
    int64_t to = group->ranks[transfer.to];
    Key key(handover, run, to);
    received[key] = time;
    if (auto it = waiting.find(key); it != waiting.end()) {
      waiting.erase(it);
      events.at(time, [=, this] { advance(ranks[to]); });
    }
  };
  auto done = [=, this] {
    recorder.add(ranks[number].track, name, begin, events.now);
    ++ranks[number].next;
    advance(ranks[number]);
  };
  events.at(begin + topology.device.stepSeconds,
            [=, this] { runRounds(rounds, 0, group, name, arrived, done); });
}

/// Returns true if the value has arrived; otherwise the rank waits.
bool Simulation::receive(Rank &rank, const Action &action) {
  Key key(action.handover, rank.run, rank.number);
  auto it = received.find(key);
  if (it == received.end()) {
    waiting[key] = &rank;
    return false;
  }
  if (it->second <= events.now)
    return true;
  int64_t number = rank.number;
  events.at(it->second, [=, this] { advance(ranks[number]); });
  return false;
}

void Simulation::advance(Rank &rank) {
  const std::vector<Action> &list = actions[rank.stage];
  while (rank.run < options.runs) {
    if (rank.next == list.size()) {
      rank.next = 0;
      ++rank.run;
      continue;
    }
    const Action &action = list[rank.next];
    if (action.kind == Action::Kind::Meet) {
      ++rank.next;
      meet(rank, action);
      continue;
    }
    if (action.kind == Action::Kind::Join) {
      if (!join(rank, action))
        return;
      ++rank.next;
      continue;
    }
    if (action.kind == Action::Kind::Send)
      return send(rank, action);
    if (action.kind == Action::Kind::Receive) {
      if (!receive(rank, action))
        return;
      ++rank.next;
      continue;
    }
    double end = events.now + action.seconds;
    recorder.add(rank.track, program.steps[action.step].name, events.now, end);
    ++rank.next;
    int64_t number = rank.number;
    return events.at(end, [=, this] { advance(ranks[number]); });
  }
}

Timeline Simulation::run() {
  for (int64_t stage = 0; stage < mesh.pp; ++stage)
    actions.push_back(actionsOf(stage));
  queues.resize(mesh.pp);
  for (int64_t i = 0; i < mesh.ranks(); ++i)
    ranks.push_back(
        {i, i / mesh.tp, i % mesh.tp, 0, 0, recorder.track("rank " + Twine(i))});
  for (Rank &rank : ranks)
    if (mesh.tp > 1)
      rank.collectives = recorder.track("rank " + Twine(rank.number) + " collectives");
  fabric.emplace(topology, mesh.ranks(), recorder);
  for (int64_t i = 0; i < mesh.ranks(); ++i)
    events.at(0, [=, this] { advance(ranks[i]); });
  events.run();
  return std::move(timeline);
}

Timeline kiln::estimate::simulate(const Program &program, const StagedProgram &staged,
                                  const MeshShape &mesh, const Topology &topology,
                                  const SimulationOptions &options) {
  return Simulation(program, staged, mesh, topology, options).run();
}
