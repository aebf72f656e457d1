// Memory that threads allocate, pass on and free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

struct Node {
  int value;
  Node *next;
};

// A linked list per thread; the sums show that no two threads share a node.
extern "C" __global__ void lists(int *out, int length) {
  Node *head = nullptr;
  for (int i = 0; i < length; ++i) {
    Node *node = static_cast<Node *>(malloc(sizeof(Node)));
    if (!node) {
      out[threadIdx.x] = -1;
      return;
    }
    node->value = threadIdx.x * 100 + i;
    node->next = head;
    head = node;
  }
  int sum = 0;
  while (head) {
    sum += head->value;
    Node *next = head->next;
    free(head);
    head = next;
  }
  out[threadIdx.x] = sum;
}

// One thread allocates for the block.
extern "C" __global__ void shared_buffer(int *out) {
  __shared__ int *buffer;
  if (threadIdx.x == 0)
    buffer = new int[blockDim.x];
  __syncthreads();
  buffer[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    delete[] buffer;
}
