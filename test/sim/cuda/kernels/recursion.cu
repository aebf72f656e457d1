// Functions that call themselves, with a stack of their own in every thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__device__ __noinline__ void quicksort(int *values, int low, int high) {
  if (low >= high)
    return;
  int pivot = values[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (values[i] < pivot)
      ++i;
    while (values[j] > pivot)
      --j;
    if (i <= j) {
      int swap = values[i];
      values[i++] = values[j];
      values[j--] = swap;
    }
  }
  quicksort(values, low, j);
  quicksort(values, i, high);
}

__device__ int isOdd(unsigned n);
__device__ __noinline__ int isEven(unsigned n) { return n == 0 ? 1 : isOdd(n - 1); }
__device__ __noinline__ int isOdd(unsigned n) { return n == 0 ? 0 : isEven(n - 1); }

extern "C" __global__ void recurse(int *ackermanns, int *parities) {
  ackermanns[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x % 5);
  parities[threadIdx.x] = isEven(threadIdx.x);
}

// Each thread sorts its own row in local memory.
extern "C" __global__ void sort_rows(const int *in, int *out, int n) {
  int values[24];
  for (int i = 0; i < n; ++i)
    values[i] = in[threadIdx.x * n + i];
  quicksort(values, 0, n - 1);
  for (int i = 0; i < n; ++i)
    out[threadIdx.x * n + i] = values[i];
}
