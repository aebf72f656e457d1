//===- library.cpp - Libraries: modules without a context -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/image.h"

using namespace kiln::sim;
using namespace kiln::sim::driver;

static std::shared_ptr<Library> loadLibrary(std::string ptx, unsigned numOptions,
                                            CUjit_option *options, void **values) {
  auto library = std::make_shared<Library>();
  JitLogs logs(numOptions, options, values);
  std::vector<std::shared_ptr<Context>> &stack = thisThread().contexts;
  Device &device =
      stack.empty() || !stack.back() ? runtime().device(0) : *stack.back()->device;
  library->checked = compile(ptx, device, &logs);
  library->image = std::move(ptx);
  runtime().handles.add(library);
  for (const std::string &name : library->checked->kernels()) {
    auto kernel = std::make_shared<Kernel>();
    kernel->library = library;
    kernel->name = name;
    runtime().handles.add(kernel);
    library->kernels[name] = kernel;
  }
  return library;
}

static std::shared_ptr<Module> moduleIn(Library &library,
                                        const std::shared_ptr<Context> &context) {
  std::shared_ptr<Module> known = library.modules[context.get()];
  if (known && known->alive() && known->context.lock() == context)
    return known;
  std::shared_ptr<Module> module = loadModule(context, library.image, nullptr);
  library.modules[context.get()] = module;
  return module;
}

static std::shared_ptr<Library> libraryOfKernel(const Kernel &kernel) {
  std::shared_ptr<Library> library = kernel.library.lock();
  if (!library || !library->alive())
    fail(CUDA_ERROR_INVALID_HANDLE, "kernel %s: its library is unloaded",
         kernel.name.c_str());
  return library;
}

std::shared_ptr<Function> driver::functionOfKernel(Kernel &kernel) {
  std::shared_ptr<Library> library = libraryOfKernel(kernel);
  return functionIn(moduleIn(*library, currentContext()), kernel.name);
}

std::shared_ptr<Function> driver::functionOnDevice(Kernel &kernel, CUdevice ordinal) {
  Device &device = runtime().device(ordinal);
  std::vector<std::shared_ptr<Context>> &stack = thisThread().contexts;
  std::shared_ptr<Context> context = device.primary;
  if (!stack.empty() && stack.back() && stack.back()->alive() &&
      stack.back()->device == &device)
    context = stack.back();
  if (!context)
    fail(CUDA_ERROR_INVALID_CONTEXT,
         "device %d has no context for the kernel's attributes", ordinal);
  return functionIn(moduleIn(*libraryOfKernel(kernel), context), kernel.name);
}

void calls::libraryLoadData(CUlibrary *library, const void *code,
                            CUjit_option *jitOptions, void **jitOptionsValues,
                            unsigned int numJitOptions, CUlibraryOption *libraryOptions,
                            void **libraryOptionValues, unsigned int numLibraryOptions) {
  CUlibrary &out = output(library);
  for (unsigned i = 0; i < numLibraryOptions; i++)
    require(libraryOptions && libraryOptions[i] == CU_LIBRARY_BINARY_IS_PRESERVED,
            "of the library options only CU_LIBRARY_BINARY_IS_PRESERVED is modelled");
  out = Handles::handle(
      *loadLibrary(ptxOfImage(code), numJitOptions, jitOptions, jitOptionsValues));
}

void calls::libraryLoadFromFile(CUlibrary *library, const char *fileName,
                                CUjit_option *jitOptions, void **jitOptionsValues,
                                unsigned int numJitOptions,
                                CUlibraryOption *libraryOptions,
                                void **libraryOptionValues,
                                unsigned int numLibraryOptions) {
  CUlibrary &out = output(library);
  require(!numLibraryOptions, "no library option is modelled for files");
  out = Handles::handle(
      *loadLibrary(ptxOfFile(fileName), numJitOptions, jitOptions, jitOptionsValues));
}

void calls::libraryUnload(CUlibrary handle) {
  std::shared_ptr<Library> library = libraryOf(handle);
  for (const auto &[context, module] : library->modules)
    if (module && module->alive())
      unloadModule(module);
  for (const auto &[name, kernel] : library->kernels)
    runtime().handles.remove(*kernel);
  runtime().handles.remove(*library);
}

void calls::libraryGetKernel(CUkernel *kernel, CUlibrary handle, const char *name) {
  std::shared_ptr<Library> library = libraryOf(handle);
  require(name, "the kernel's name is null");
  auto entry = library->kernels.find(name);
  if (entry == library->kernels.end())
    failQuietly(CUDA_ERROR_NOT_FOUND);
  output(kernel) = Handles::handle(*entry->second);
}

void calls::libraryGetKernelCount(unsigned int *count, CUlibrary lib) {
  output(count) = libraryOf(lib)->kernels.size();
}

void calls::libraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels,
                                    CUlibrary lib) {
  require(kernels || !numKernels, "the list of kernels is null");
  unsigned i = 0;
  for (const auto &[name, kernel] : libraryOf(lib)->kernels)
    if (i < numKernels)
      kernels[i++] = Handles::handle(*kernel);
}

void calls::libraryGetModule(CUmodule *mod, CUlibrary library) {
  CUmodule &out = output(mod);
  out = Handles::handle(*moduleIn(*libraryOf(library), currentContext()));
}

void calls::libraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library,
                             const char *name) {
  std::shared_ptr<Module> module = moduleIn(*libraryOf(library), currentContext());
  moduleGetGlobal(dptr, bytes, Handles::handle(*module), name);
}

void calls::libraryGetManaged(CUdeviceptr *, size_t *, CUlibrary library, const char *) {
  libraryOf(library);
  failQuietly(CUDA_ERROR_NOT_FOUND); // managed variables are not modelled
}

void calls::kernelGetFunction(CUfunction *func, CUkernel kernel) {
  CUfunction &out = output(func);
  out = Handles::handle(*functionOfKernel(*kernelOf(kernel)));
}

void calls::kernelGetLibrary(CUlibrary *lib, CUkernel kernel) {
  output(lib) = Handles::handle(*libraryOfKernel(*kernelOf(kernel)));
}

void calls::kernelGetName(const char **name, CUkernel kernel) {
  output(name) = kernelOf(kernel)->name.c_str();
}

void calls::kernelGetParamInfo(CUkernel handle, size_t paramIndex, size_t *paramOffset,
                               size_t *paramSize) {
  std::shared_ptr<Kernel> kernel = kernelOf(handle);
  const Code &code = *libraryOfKernel(*kernel)->checked;
  parameterInfo(*code.kernel(kernel->name), paramIndex, paramOffset, paramSize);
}

void calls::kernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev) {
  kernelOf(kernel);
  runtime().device(dev);
  require(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL,
          "there is no such cache configuration");
}
