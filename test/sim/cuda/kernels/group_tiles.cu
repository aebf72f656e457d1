// Tiles and coalesced groups of cooperative groups.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

template <int Size> __device__ void tileSums(const int *in, int *sums, int *scans) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
  int i = blockIdx.x * blockDim.x + block.thread_rank();
  scans[i] = cg::exclusive_scan(tile, in[i]);
  int sum = cg::reduce(tile, in[i], cg::plus<int>());
  if (tile.thread_rank() == 0)
    sums[i / Size] = sum;
}

extern "C" __global__ void tiles_4(const int *in, int *sums, int *scans) {
  tileSums<4>(in, sums, scans);
}
extern "C" __global__ void tiles_8(const int *in, int *sums, int *scans) {
  tileSums<8>(in, sums, scans);
}
extern "C" __global__ void tiles_32(const int *in, int *sums, int *scans) {
  tileSums<32>(in, sums, scans);
}

// Active lanes append to a list, with one atomic for all of them.
extern "C" __global__ void filter(const int *in, int *out, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0)
      base = atomicAdd(count, active.size());
    base = active.shfl(base, 0);
    out[base + active.thread_rank()] = in[i];
  }
}

// Lanes with the same label sum their values.
extern "C" __global__ void by_label(const int *labels, const int *values, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cg::coalesced_group all = cg::coalesced_threads();
  cg::coalesced_group same = cg::labeled_partition(all, labels[i]);
  out[i] = cg::reduce(same, values[i], cg::plus<int>()) * 100 + int(same.size());
}
