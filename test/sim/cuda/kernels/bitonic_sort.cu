// A sort in shared memory, and a merge of sorted runs by all blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" __global__ void sort_blocks(unsigned *keys, int n) {
  extern __shared__ unsigned values[];
  int base = blockIdx.x * 2 * blockDim.x;
  for (int i = threadIdx.x; i < 2 * blockDim.x; i += blockDim.x)
    values[i] = base + i < n ? keys[base + i] : ~0u;
  for (int size = 2; size <= 2 * blockDim.x; size *= 2)
    for (int stride = size / 2; stride; stride /= 2) {
      __syncthreads();
      int low = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), high = low + stride;
      bool up = (low & size) == 0;
      if (values[low] > values[high] == up) {
        unsigned swap = values[low];
        values[low] = values[high];
        values[high] = swap;
      }
    }
  __syncthreads();
  for (int i = threadIdx.x; i < 2 * blockDim.x; i += blockDim.x)
    if (base + i < n)
      keys[base + i] = values[i];
}

// Finds the position of each key in two sorted runs by binary search.
extern "C" __global__ void merge_runs(const unsigned *in, unsigned *out, int run, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  bool first = i / run % 2 == 0;
  int start = i / (2 * run) * 2 * run, low = first ? min(start + run, n) : start;
  int high = first ? min(start + 2 * run, n) : start + run, from = low;
  while (low < high) {
    int middle = (low + high) / 2;
    if (first ? in[middle] < in[i] : in[middle] <= in[i])
      low = middle + 1;
    else
      high = middle;
  }
  out[start + (i - (first ? start : start + run)) + (low - from)] = in[i];
}
