//===- user_object.cpp - User objects that graphs retain ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/submit.h"
#include <algorithm>

using namespace kiln::sim;
using namespace kiln::sim::driver;

// The driver's CU_USER_OBJECT_NO_DESTRUCTOR_SYNC and CU_GRAPH_USER_OBJECT_MOVE.
static constexpr unsigned NoSyncFlag = 1, MoveFlag = 1;

static std::shared_ptr<UserObject> objectOf(CUuserObject handle) {
  if (auto object = runtime().handles.find<UserObject>(handle))
    return object;
  fail(CUDA_ERROR_INVALID_VALUE, "%p is no user object that the program holds",
       (void *)handle);
}

static void letGo(UserObject &object, unsigned count) {
  require(count && count <= object.ofProgram,
          "the program does not have so many references to the user object");
  object.ofProgram -= count;
  if (!object.ofProgram)
    runtime().handles.remove(object);
}

void calls::userObjectCreate(CUuserObject *object, void *value, CUhostFn destroy,
                             unsigned int count, unsigned int flags) {
  CUuserObject &out = output(object);
  require(destroy, "a user object has a destructor");
  require(count, "a user object begins with a reference");
  require(flags == NoSyncFlag, "the only flag of user objects is no_destructor_sync");
  auto made = std::make_shared<UserObject>();
  made->payload = value;
  made->destroy = destroy;
  made->ofProgram = count;
  out = runtime().handles.add(made);
}

void calls::userObjectRetain(CUuserObject object, unsigned int count) {
  require(count, "no reference is added");
  objectOf(object)->ofProgram += count;
}

void calls::userObjectRelease(CUuserObject handle, unsigned int count) {
  std::shared_ptr<UserObject> object = objectOf(handle);
  letGo(*object, count);
}

void calls::graphRetainUserObject(CUgraph handle, CUuserObject userObject,
                                  unsigned int count, unsigned int flags) {
  std::shared_ptr<Graph> graph = graphOf(handle);
  std::shared_ptr<UserObject> object = objectOf(userObject);
  require(flags <= MoveFlag, "there is no such flag of cuGraphRetainUserObject");
  require(count, "no reference is added");
  if (flags == MoveFlag)
    letGo(*object, count);
  graph->held.insert(graph->held.end(), count, object);
}

void calls::graphReleaseUserObject(CUgraph handle, CUuserObject userObject,
                                   unsigned int count) {
  std::shared_ptr<Graph> graph = graphOf(handle);
  std::shared_ptr<UserObject> object = objectOf(userObject);
  for (; count; --count) {
    auto found = std::find(graph->held.begin(), graph->held.end(), object);
    require(found != graph->held.end(), "the graph has no such reference");
    graph->held.erase(found);
  }
}
