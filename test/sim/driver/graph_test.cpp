//===- graph_test.cpp - Explicit graphs ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "test/sim/driver/driver.h"
#include <atomic>
#include <fstream>
#include <thread>

using namespace kiln::sim::cu;

namespace {

class GraphTest : public DriverTest {
protected:
  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_OK(cu.cuGraphCreate(&graph, 0));
    a = alloc(4), b = alloc(4);
  }
  CUDA_KERNEL_NODE_PARAMS kernel(const char *name, void **parameters) {
    CUDA_KERNEL_NODE_PARAMS node = {};
    node.func = function(name);
    node.gridDimX = node.gridDimY = node.gridDimZ = 1;
    node.blockDimX = node.blockDimY = node.blockDimZ = 1;
    node.kernelParams = parameters;
    return node;
  }
  CUgraphNode addSet(CUdeviceptr to, uint32_t value,
                     std::vector<CUgraphNode> after = {}) {
    uint32_t words = 4;
    void *parameters[] = {&to, &value, &words};
    CUDA_KERNEL_NODE_PARAMS params = kernel("set", parameters);
    CUgraphNode node = nullptr;
    EXPECT_OK(
        cu.cuGraphAddKernelNode_v2(&node, graph, after.data(), after.size(), &params));
    return node;
  }
  CUgraphNode addAdd(CUdeviceptr to, CUdeviceptr from, std::vector<CUgraphNode> after) {
    uint32_t words = 4;
    void *parameters[] = {&to, &from, &words};
    CUDA_KERNEL_NODE_PARAMS params = kernel("add", parameters);
    CUgraphNode node = nullptr;
    EXPECT_OK(
        cu.cuGraphAddKernelNode_v2(&node, graph, after.data(), after.size(), &params));
    return node;
  }
  void launch() {
    EXPECT_OK(cu.cuGraphLaunch(exec, stream));
    EXPECT_OK(cu.cuStreamSynchronize(stream));
  }
  uint32_t word(CUdeviceptr at) { return read(at, 1)[0]; }
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr a = 0, b = 0;
};

} // namespace

TEST_F(GraphTest, EveryNodeTypeRuns) {
  std::atomic<int> calls = 0;
  CUevent event;
  ASSERT_OK(cu.cuEventCreate(&event, 0));
  CUgraphNode fill, copy, host, record, wait, empty, child;
  CUDA_MEMSET_NODE_PARAMS memset = {a, 0, 7, 4, 4, 1};
  ASSERT_OK(cu.cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &memset, context));
  CUDA_MEMCPY3D memcpy = {};
  memcpy.srcMemoryType = memcpy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  memcpy.srcDevice = a, memcpy.dstDevice = b;
  memcpy.WidthInBytes = 16, memcpy.Height = memcpy.Depth = 1;
  ASSERT_OK(cu.cuGraphAddMemcpyNode(&copy, graph, &fill, 1, &memcpy, context));
  CUDA_HOST_NODE_PARAMS hostParams = {
      [](void *data) { ++*static_cast<std::atomic<int> *>(data); }, &calls};
  ASSERT_OK(cu.cuGraphAddHostNode(&host, graph, &copy, 1, &hostParams));
  ASSERT_OK(cu.cuGraphAddEventRecordNode(&record, graph, &host, 1, event));
  ASSERT_OK(cu.cuGraphAddEventWaitNode(&wait, graph, &record, 1, event));
  ASSERT_OK(cu.cuGraphAddEmptyNode(&empty, graph, &wait, 1));
  CUgraph inner;
  ASSERT_OK(cu.cuGraphCreate(&inner, 0));
  std::swap(graph, inner);
  CUgraphNode innerSet = addSet(a, 100);
  std::swap(graph, inner);
  ASSERT_OK(cu.cuGraphAddChildGraphNode(&child, graph, &empty, 1, inner));
  EXPECT_OK(cu.cuGraphDestroy(inner));
  addAdd(b, a, {child});

  const CUgraphNodeType types[] = {
      CU_GRAPH_NODE_TYPE_MEMSET,     CU_GRAPH_NODE_TYPE_MEMCPY,
      CU_GRAPH_NODE_TYPE_HOST,       CU_GRAPH_NODE_TYPE_EVENT_RECORD,
      CU_GRAPH_NODE_TYPE_WAIT_EVENT, CU_GRAPH_NODE_TYPE_EMPTY,
      CU_GRAPH_NODE_TYPE_GRAPH,      CU_GRAPH_NODE_TYPE_KERNEL};
  size_t count = 8;
  CUgraphNode nodes[8];
  EXPECT_OK(cu.cuGraphGetNodes(graph, nodes, &count));
  ASSERT_EQ(count, 8u);
  for (int i = 0; i < 8; i++) {
    CUgraphNodeType type;
    EXPECT_OK(cu.cuGraphNodeGetType(nodes[i], &type));
    EXPECT_EQ(type, types[i]);
  }
  ASSERT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_OK(cu.cuGraphUpload(exec, stream));
  launch();
  EXPECT_EQ(word(b), 107u);
  EXPECT_EQ(calls, 1);
  EXPECT_OK(cu.cuEventQuery(event));
  launch();
  EXPECT_EQ(calls, 2);

  // Node parameters can be read back, and new ones reach the executable graph.
  CUDA_MEMSET_NODE_PARAMS gotFill;
  CUDA_MEMCPY3D gotCopy;
  CUDA_HOST_NODE_PARAMS gotHost;
  CUevent gotEvent;
  CUgraph gotChild;
  EXPECT_OK(cu.cuGraphMemsetNodeGetParams(fill, &gotFill));
  EXPECT_EQ(gotFill.value, 7u);
  EXPECT_OK(cu.cuGraphMemcpyNodeGetParams(copy, &gotCopy));
  EXPECT_EQ(gotCopy.dstDevice, b);
  EXPECT_OK(cu.cuGraphHostNodeGetParams(host, &gotHost));
  EXPECT_EQ(gotHost.userData, &calls);
  EXPECT_OK(cu.cuGraphEventRecordNodeGetEvent(record, &gotEvent));
  EXPECT_EQ(gotEvent, event);
  EXPECT_OK(cu.cuGraphEventWaitNodeGetEvent(wait, &gotEvent));
  EXPECT_OK(cu.cuGraphChildGraphNodeGetGraph(child, &gotChild));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphDestroy(gotChild));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphMemsetNodeGetParams(copy, &gotFill));
  gotFill.value = 9;
  EXPECT_OK(cu.cuGraphExecMemsetNodeSetParams(exec, fill, &gotFill, context));
  EXPECT_OK(cu.cuGraphExecHostNodeSetParams(exec, host, &gotHost));
  EXPECT_OK(cu.cuGraphExecEventRecordNodeSetEvent(exec, record, event));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuGraphExecMemsetNodeSetParams(exec, copy, &gotFill, context));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphDestroyNode(innerSet)); // a node of
                                                                        // `inner`
  launch();
  EXPECT_EQ(word(b), 109u);
}

TEST_F(GraphTest, KernelParametersAreCopiedAndReplaced) {
  CUgraphNode node = addSet(a, 3);
  CUDA_KERNEL_NODE_PARAMS params = {};
  ASSERT_OK(cu.cuGraphKernelNodeGetParams_v2(node, &params));
  EXPECT_EQ(params.func, function("set"));
  EXPECT_EQ(*static_cast<uint32_t *>(params.kernelParams[1]), 3u);
  ASSERT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  uint32_t value = 4, words = 4;
  void *parameters[] = {&b, &value, &words};
  params.kernelParams = parameters;
  EXPECT_OK(cu.cuGraphExecKernelNodeSetParams_v2(exec, node, &params));
  launch();
  EXPECT_EQ(word(b), 4u);
  EXPECT_OK(cu.cuMemsetD32Async(a, 0, 4, stream));
  EXPECT_OK(cu.cuGraphKernelNodeSetParams_v2(node, &params));
  params.gridDimX = 0;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphKernelNodeSetParams_v2(node, &params));
  CUkernelNodeAttrValue value2 = {};
  value2.cooperative = 1;
  EXPECT_OK(
      cu.cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value2));
  value2 = {};
  EXPECT_OK(
      cu.cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value2));
  EXPECT_EQ(value2.cooperative, 1);
  CUgraphNode other = addSet(a, 1);
  EXPECT_OK(cu.cuGraphKernelNodeCopyAttributes(other, node));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuGraphKernelNodeSetAttribute(node, CUlaunchAttributeID(50), &value2));
  unsigned enabled = 9;
  EXPECT_OK(cu.cuMemsetD32Async(b, 0, 4, stream));
  EXPECT_OK(cu.cuGraphNodeSetEnabled(exec, node, 0));
  EXPECT_OK(cu.cuGraphNodeGetEnabled(exec, node, &enabled));
  EXPECT_EQ(enabled, 0u);
  launch();
  EXPECT_EQ(word(b), 0u);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphNodeSetEnabled(exec, other, 0));
}

TEST_F(GraphTest, EdgesAndTheirData) {
  CUgraphNode one = addSet(a, 1), two = addSet(b, 2), three = addAdd(a, b, {});
  CUgraphNode from[] = {one, two}, to[] = {three, three};
  CUgraphEdgeData data[2] = {};
  data[1].from_port = 1, data[1].type = 1;
  EXPECT_OK(cu.cuGraphAddDependencies_v2(graph, from, to, data, 2));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuGraphAddDependencies_v2(graph, from, to, data, 2));
  size_t count = 0;
  EXPECT_OK(cu.cuGraphGetEdges_v2(graph, nullptr, nullptr, nullptr, &count));
  ASSERT_EQ(count, 2u);
  CUgraphNode gotFrom[4], gotTo[4];
  CUgraphEdgeData gotData[4];
  count = 4;
  EXPECT_OK(cu.cuGraphGetEdges_v2(graph, gotFrom, gotTo, gotData, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(gotFrom[1], two);
  EXPECT_EQ(gotData[1].from_port, 1);
  EXPECT_EQ(gotTo[2], nullptr);
  EXPECT_CU(CUDA_ERROR_LOSSY_QUERY, cu.cuGraphGetEdges(graph, gotFrom, gotTo, &count));
  count = 4;
  EXPECT_OK(cu.cuGraphNodeGetDependencies_v2(three, gotFrom, gotData, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_OK(cu.cuGraphNodeGetDependentNodes(one, nullptr, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_OK(cu.cuGraphGetRootNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_OK(cu.cuGraphRemoveDependencies_v2(graph, from + 1, to + 1, data + 1, 1));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuGraphRemoveDependencies_v2(graph, from + 1, to + 1, data + 1, 1));
  data[0].to_port = 1;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuGraphAddDependencies_v2(graph, from + 1, to + 1, data, 1));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphAddDependencies(graph, &one, &one, 1));
  // A cycle is detected when the graph is instantiated.
  EXPECT_OK(cu.cuGraphAddDependencies(graph, &three, &one, 1));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  CUDA_GRAPH_INSTANTIATE_PARAMS params = {};
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuGraphInstantiateWithParams(&exec, graph, &params));
  EXPECT_EQ(params.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
  EXPECT_OK(cu.cuGraphDestroyNode(one));
  EXPECT_OK(cu.cuGraphInstantiateWithParams(&exec, graph, &params));
  EXPECT_EQ(params.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphDestroyNode(one));
}

TEST_F(GraphTest, ClonesAndUpdates) {
  CUgraphNode node = addSet(a, 1), found;
  addAdd(b, a, {node});
  CUgraph clone;
  ASSERT_OK(cu.cuGraphClone(&clone, graph));
  EXPECT_OK(cu.cuGraphNodeFindInClone(&found, node, clone));
  EXPECT_NE(found, node);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphNodeFindInClone(&found, node, graph));
  ASSERT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  CUgraphExecUpdateResultInfo info;
  EXPECT_OK(cu.cuMemsetD32Async(b, 0, 4, stream));
  uint32_t value = 50, words = 4;
  void *parameters[] = {&a, &value, &words};
  CUDA_KERNEL_NODE_PARAMS params = kernel("set", parameters);
  EXPECT_OK(cu.cuGraphNodeFindInClone(&found, node, clone));
  EXPECT_OK(cu.cuGraphKernelNodeSetParams_v2(found, &params));
  EXPECT_OK(cu.cuGraphExecUpdate_v2(exec, clone, &info));
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  launch();
  EXPECT_EQ(word(b), 50u);
  EXPECT_OK(cu.cuGraphDestroyNode(found));
  EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
            cu.cuGraphExecUpdate_v2(exec, clone, &info));
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  EXPECT_OK(cu.cuGraphDestroy(clone));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphDestroy(clone));
  std::string path = testing::TempDir() + "kiln-sim.dot", line;
  EXPECT_OK(cu.cuGraphDebugDotPrint(graph, path.c_str(), 0));
  std::ifstream(path) >> line;
  EXPECT_EQ(line, "digraph");
  remove(path.c_str());
}

TEST_F(GraphTest, GenericNodes) {
  CUgraphNodeParams params = {};
  CUgraphNode fill, child;
  params.type = CU_GRAPH_NODE_TYPE_MEMSET;
  params.memset = {a, 0, 5, 4, 4, 1, nullptr};
  ASSERT_OK(cu.cuGraphAddNode_v2(&fill, graph, nullptr, nullptr, 0, &params));
  params.memset.value = 6;
  EXPECT_OK(cu.cuGraphNodeSetParams(fill, &params));
  ASSERT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  launch();
  EXPECT_EQ(word(a), 6u);
  params.memset.value = 7;
  EXPECT_OK(cu.cuGraphExecNodeSetParams(exec, fill, &params));
  launch();
  EXPECT_EQ(word(a), 7u);
  params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
            cu.cuGraphAddNode_v2(&fill, graph, nullptr, nullptr, 0, &params));
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_GRAPH;
  params.graph.graph = graph;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuGraphAddNode_v2(&child, graph, nullptr, nullptr, 0, &params));
  params.reserved2 = 1;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuGraphAddNode_v2(&child, graph, nullptr, nullptr, 0, &params));
}

TEST_F(GraphTest, DestroyedPartsAreFound) {
  CUgraphNode node = addSet(a, 1);
  ASSERT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_OK(cu.cuGraphDestroy(graph));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  CUgraphNodeType type;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphNodeGetType(node, &type));
  launch();
  EXPECT_EQ(word(a), 1u);
  // Destroyed right after its launch: the launch still completes.
  EXPECT_OK(cu.cuMemsetD32Async(a, 0, 4, stream));
  EXPECT_OK(cu.cuGraphLaunch(exec, stream));
  EXPECT_OK(cu.cuGraphExecDestroy(exec));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(word(a), 1u);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGraphLaunch(exec, stream));
  ASSERT_OK(cu.cuGraphCreate(&graph, 0));
  addSet(a, 2);
  ASSERT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_OK(cu.cuModuleUnload(module));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuGraphLaunch(exec, stream));
}

TEST_F(GraphTest, FreedPointersFaultAtTheLaunch) {
  CUgraphNode fill;
  CUDA_MEMSET_NODE_PARAMS memset = {a, 0, 7, 4, 4, 1};
  ASSERT_OK(cu.cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &memset, context));
  ASSERT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_OK(cu.cuMemFree_v2(a));
  EXPECT_OK(cu.cuGraphLaunch(exec, stream));
  EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cu.cuStreamSynchronize(stream));
}

TEST_F(GraphTest, UserObjectsLiveAsLongAsGraphsUseThem) {
  static std::atomic<int> destroyed;
  destroyed = 0;
  auto destroy = [](void *value) { destroyed += *static_cast<int *>(value); };
  int one = 1;
  CUuserObject object = nullptr, other = nullptr;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuUserObjectCreate(&object, &one, destroy, 1, 0)); // without the required
                                                                  // flag
  ASSERT_OK(cu.cuUserObjectCreate(&object, &one, destroy, 1, 1));
  ASSERT_OK(cu.cuUserObjectCreate(&other, &one, destroy, 2, 1));
  EXPECT_OK(cu.cuUserObjectRelease(other, 2));
  EXPECT_EQ(destroyed, 1);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuUserObjectRelease(other, 1));
  // The graph takes over the program's reference, and its clones get references of their
  // own.
  ASSERT_OK(cu.cuGraphRetainUserObject(graph, object, 1, 1));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuUserObjectRelease(object, 1));
  addSet(a, 1);
  CUgraph outer = nullptr;
  CUgraphNode child = nullptr;
  ASSERT_OK(cu.cuGraphCreate(&outer, 0));
  ASSERT_OK(cu.cuGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  EXPECT_OK(cu.cuGraphDestroy(graph));
  ASSERT_OK(cu.cuGraphInstantiateWithFlags(&exec, outer, 0));
  EXPECT_OK(cu.cuGraphDestroy(outer));
  EXPECT_EQ(destroyed, 1);
  // A launch in flight holds a reference too.
  std::atomic<bool> goes = false;
  auto wait = [](void *flag) {
    while (!*static_cast<std::atomic<bool> *>(flag))
      std::this_thread::yield();
  };
  ASSERT_OK(cu.cuLaunchHostFunc(stream, wait, &goes));
  ASSERT_OK(cu.cuGraphLaunch(exec, stream));
  EXPECT_OK(cu.cuGraphExecDestroy(exec));
  EXPECT_EQ(destroyed, 1);
  goes = true;
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(destroyed, 2);
}
