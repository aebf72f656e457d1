// Kernels of one stream that begin before their predecessor has ended.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" __global__ void first(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("griddepcontrol.launch_dependents;");
  if (i < n)
    values[i] = i * 3;
}

// Work that does not depend on the preceding kernel is before the wait.
extern "C" __global__ void next(const int *in, int *out, const int *weights, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int weight = i < n ? weights[i] : 0;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;");
  if (i < n)
    out[i] = in[n - 1 - i] + weight;
}
