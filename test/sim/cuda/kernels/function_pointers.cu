// Calls through pointers: tables of functions, pointers in memory, virtual functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

using Operation = int (*)(int, int);

__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ __noinline__ int larger(int a, int b) { return a > b ? a : b; }

__device__ Operation operations[] = {add, subtract, multiply, larger};

// Every lane calls another function through a pointer.
extern "C" __global__ void apply(const int *which, const int *a, const int *b, int *out,
                                 int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = operations[which[i]](a[i], b[i]);
}

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual int sides() const { return 0; }
};

struct Square : Shape {
  float side;
  __device__ Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
  __device__ int sides() const override { return 4; }
};

struct Circle : Shape {
  float radius;
  __device__ Circle(float radius) : radius(radius) {}
  __device__ float area() const override { return 3.0f * radius * radius; }
};

extern "C" __global__ void measure(const float *sizes, float *out) {
  int i = threadIdx.x;
  Square square(sizes[i]);
  Circle circle(sizes[i]);
  const Shape *shape = i % 3 ? static_cast<const Shape *>(&square) : &circle;
  out[i] = shape->area() + shape->sides();
}

struct Step {
  int (*function)(int, void *);
  int amount;
};

__device__ int advance(int value, void *data) {
  return value + static_cast<Step *>(data)->amount;
}
__device__ int doubled(int value, void *data) {
  return value * 2 + static_cast<Step *>(data)->amount;
}

extern "C" __global__ void run_steps(const int *choices, int *out, int count) {
  Step steps[8];
  for (int i = 0; i < count; ++i)
    steps[i] = {choices[i] ? doubled : advance, i + int(threadIdx.x)};
  int value = 1;
  for (int i = 0; i < count; ++i)
    value = steps[i].function(value, &steps[i]);
  out[threadIdx.x] = value;
}
