//===- gdb_interface.cpp - Kernels by name in gdb -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/gdb_interface.h"
#include "runtime/code/append.h"
#include <cstring>
#include <elf.h>
#include <memory>

using namespace kiln::rt;

// Names, types and order of the members are prescribed by gdb.
extern "C" {
struct jit_code_entry {
  jit_code_entry *next_entry, *prev_entry;
  const char *symfile_addr;
  uint64_t symfile_size;
};
struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry *relevant_entry, *first_entry;
};
// gdb finds both symbols in the symbol table of this library, or of the program that it
// is linked into. They are not exported, as another JIT in the process may have its own.
__attribute__((used)) jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
__attribute__((noinline, used)) void __jit_debug_register_code() {
  asm volatile("" ::: "memory");
}
}

namespace {
/// An entry of gdb's list of object files.
struct GdbObject : jit_code_entry {
  const CodeImage *image;
  std::string bytes;
};

/// Sections of the object, in the order of their headers.
enum Section { None, Text, Frames, Symbols, Strings, SectionCount };
} // namespace

static Elf64_Ehdr elfHeader() {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = SectionCount;
  header.e_shstrndx = Strings;
  header.e_shoff = sizeof header;
  return header;
}

std::string kiln::rt::describeCode(const CodeImage &image,
                                   std::span<const KernelSymbol> kernels) {
  std::string names("\0.text\0.eh_frame\0.symtab\0.strtab\0", 33);
  std::string symbols(sizeof(Elf64_Sym), '\0');
  auto add = [&](const std::string &name, uint64_t offset, uint64_t size) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<uint32_t>(names.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = Text;
    symbol.st_value = offset;
    symbol.st_size = size;
    appendBytes(symbols, symbol);
    names.append(name.c_str(), name.size() + 1);
  };
  for (const KernelSymbol &kernel : kernels) {
    add(kernel.name, kernel.offset, kernel.size);
    // A second symbol for gdb's `break`, where the colon in a kernel's other name would
    // end a file name. Its size is 0, so that gdb shows the other name in backtraces.
    add("kiln_" + kernel.kernel, kernel.offset, 0);
  }
  std::span<const uint8_t> table = image.table();
  auto base = reinterpret_cast<uintptr_t>(image.data());
  uint64_t at = sizeof(Elf64_Ehdr) + SectionCount * sizeof(Elf64_Shdr);
  Elf64_Shdr sections[SectionCount] = {};
  sections[Text] = {
      1, SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, base, at, image.size(), 0, 0, 64, 0};
  sections[Symbols] = {17, SHT_SYMTAB,       0, 0, at, symbols.size(), Strings, 1,
                       8,  sizeof(Elf64_Sym)};
  at += symbols.size();
  sections[Frames] = {7,         SHT_PROGBITS,
                      SHF_ALLOC, reinterpret_cast<uintptr_t>(table.data()),
                      at,        table.size(),
                      0,         0,
                      8,         0};
  at += table.size();
  sections[Strings] = {25, SHT_STRTAB, 0, 0, at, names.size(), 0, 0, 1, 0};
  std::string object;
  appendBytes(object, elfHeader());
  appendBytes(object, sections);
  object += symbols;
  object.append(reinterpret_cast<const char *>(table.data()), table.size());
  return object + names;
}

static void tellGdb(uint32_t action, jit_code_entry *entry) {
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_register_code();
}

void kiln::rt::addToGdb(const CodeImage &image, std::span<const KernelSymbol> symbols) {
  auto object = std::make_unique<GdbObject>();
  object->image = &image;
  object->bytes = describeCode(image, symbols);
  object->symfile_addr = object->bytes.data();
  object->symfile_size = object->bytes.size();
  object->prev_entry = nullptr;
  object->next_entry = __jit_debug_descriptor.first_entry;
  if (object->next_entry)
    object->next_entry->prev_entry = object.get();
  __jit_debug_descriptor.first_entry = object.get();
  tellGdb(1, object.release());
}

void kiln::rt::removeFromGdb(const CodeImage &image) {
  jit_code_entry *entry = __jit_debug_descriptor.first_entry;
  while (entry && static_cast<GdbObject *>(entry)->image != &image)
    entry = entry->next_entry;
  if (!entry)
    return;
  std::unique_ptr<GdbObject> object(static_cast<GdbObject *>(entry));
  (entry->prev_entry ? entry->prev_entry->next_entry
                     : __jit_debug_descriptor.first_entry) = entry->next_entry;
  if (entry->next_entry)
    entry->next_entry->prev_entry = entry->prev_entry;
  tellGdb(2, entry);
}
