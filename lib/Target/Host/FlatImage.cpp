//===- FlatImage.cpp - Objects to one flat image --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlatImage.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln;
using namespace llvm;
using namespace llvm::object;

/// Functions start on a cache line.
static constexpr uint64_t kAlignment = 64;

/// Size of the terminator and the index that follow an object's unwind table. perf reads
/// the bytes after the code in memory as that table (runtime/code/jit_dump.h), so no
/// other function may be there.
static constexpr uint64_t kTableEnd = 4 + 20, kTableAlignment = 8;

static Error outside(const Twine &what, const Twine &found) {
  return makeError({ErrorCode::ImageSymbol, "", what.str(),
                    "code that is complete in itself", found.str(),
                    "report this; the kernel's LLVM IR is in --save-temps"});
}

namespace {
class Appender {
public:
  Appender(HostImage &image, const ELF64LEObjectFile &object)
      : image(image), object(object) {}
  Error run();

private:
  Error layOut(const ELFSectionRef &section);
  Error relocate(const ELFSectionRef &section);
  Error apply(const ELFRelocationRef &relocation, uint64_t sectionOffset);
  Expected<uint64_t> targetOf(const ELFRelocationRef &relocation);
  Error relocateTable(const ELFSectionRef &relocations);
  Expected<uint64_t> addressOf(const ELFSymbolRef &symbol);
  Error addEntries();

  HostImage &image;
  const ELF64LEObjectFile &object;
  DenseMap<uint64_t, uint64_t> offsets; // section index -> offset in the image
  uint64_t tableSection = 0;            // of .eh_frame; 0: there is none
  uint64_t tableOffset = 0;             // in the image's table
  uint64_t codeEnd = 0;                 // in the image
};
} // namespace

Error Appender::layOut(const ELFSectionRef &section) {
  uint64_t flags = section.getFlags();
  if (!(flags & ELF::SHF_ALLOC) || section.getSize() == 0)
    return Error::success();
  Expected<StringRef> name = section.getName();
  if (!name)
    return name.takeError();
  if ((flags & ELF::SHF_WRITE) || section.isVirtual())
    return outside("generated code has writable data", "section " + *name);
  Expected<StringRef> contents = section.getContents();
  if (!contents)
    return contents.takeError();
  if (*name == ".eh_frame") {
    tableSection = section.getIndex();
    tableOffset = image.unwindTable.size();
    image.unwindTable.insert(image.unwindTable.end(), contents->bytes_begin(),
                             contents->bytes_end());
    return Error::success();
  }
  uint64_t alignment = std::max<uint64_t>(section.getAlignment().value(),
                                          section.isText() ? kAlignment : 1);
  image.bytes.resize(alignTo(image.bytes.size(), alignment));
  offsets[section.getIndex()] = image.bytes.size();
  image.bytes.insert(image.bytes.end(), contents->bytes_begin(), contents->bytes_end());
  if (section.isText())
    codeEnd = image.bytes.size();
  return Error::success();
}

Expected<uint64_t> Appender::addressOf(const ELFSymbolRef &symbol) {
  Expected<StringRef> name = symbol.getName();
  Expected<section_iterator> section = symbol.getSection();
  Expected<uint64_t> value = symbol.getValue();
  if (!name)
    return name.takeError();
  if (!section)
    return section.takeError();
  if (!value)
    return value.takeError();
  if (*section == object.section_end() || !offsets.contains((*section)->getIndex()))
    return outside("generated code refers to a symbol outside of it", "'" + *name + "'");
  return offsets.lookup((*section)->getIndex()) + *value;
}

/// Returns the address of a relocation's symbol plus its addend.
Expected<uint64_t> Appender::targetOf(const ELFRelocationRef &relocation) {
  Expected<uint64_t> target = addressOf(*relocation.getSymbol());
  if (!target)
    return target.takeError();
  Expected<int64_t> addend = relocation.getAddend();
  if (!addend)
    return addend.takeError();
  return *target + static_cast<uint64_t>(*addend);
}

Error Appender::apply(const ELFRelocationRef &relocation, uint64_t sectionOffset) {
  Expected<uint64_t> target = targetOf(relocation);
  if (!target)
    return target.takeError();
  uint64_t place = sectionOffset + relocation.getOffset();
  int64_t value = static_cast<int64_t>(*target) - static_cast<int64_t>(place);
  switch (relocation.getType()) {
  case ELF::R_X86_64_PC32:
  case ELF::R_X86_64_PLT32:
    if (!isInt<32>(value))
      return outside("generated code is too large", Twine(value) + " bytes apart");
    support::endian::write32le(&image.bytes[place], static_cast<uint32_t>(value));
    return Error::success();
  case ELF::R_X86_64_PC64:
    support::endian::write64le(&image.bytes[place], value);
    return Error::success();
  default:
    SmallString<32> type;
    relocation.getTypeName(type);
    return outside("generated code holds an absolute address", type);
  }
}

/// Writes the functions' begin addresses in the unwind table as offsets in the image: the
/// loader decides how far from the code it places the table.
Error Appender::relocateTable(const ELFSectionRef &section) {
  for (const ELFRelocationRef relocation : section.relocations()) {
    Expected<uint64_t> target = targetOf(relocation);
    if (!target)
      return target.takeError();
    if (relocation.getType() != ELF::R_X86_64_PC32 || !isUInt<31>(*target))
      return outside("a table for unwinding refers to something else than a function",
                     Twine(*target));
    support::endian::write32le(&image.unwindTable[tableOffset + relocation.getOffset()],
                               static_cast<uint32_t>(*target));
  }
  return Error::success();
}

Error Appender::relocate(const ELFSectionRef &section) {
  Expected<section_iterator> target = section.getRelocatedSection();
  if (!target)
    return target.takeError();
  if (*target != object.section_end() && tableSection &&
      (*target)->getIndex() == tableSection)
    return relocateTable(section);
  if (*target == object.section_end() || !offsets.contains((*target)->getIndex()))
    return Error::success();
  for (const RelocationRef &relocation : section.relocations())
    if (Error error = apply(relocation, offsets.lookup((*target)->getIndex())))
      return error;
  return Error::success();
}

Error Appender::addEntries() {
  for (const ELFSymbolRef symbol : object.symbols()) {
    if (symbol.getELFType() != ELF::STT_FUNC)
      continue;
    Expected<uint64_t> address = addressOf(symbol);
    if (!address)
      return address.takeError();
    image.entries.push_back({cantFail(symbol.getName()).str(), *address});
  }
  return Error::success();
}

Error Appender::run() {
  for (const ELFSectionRef section : object.sections())
    if (Error error = layOut(section))
      return error;
  uint64_t tableBytes = image.unwindTable.size() - tableOffset;
  if (tableSection)
    image.bytes.resize(std::max<uint64_t>(
        image.bytes.size(), alignTo(codeEnd, kTableAlignment) + tableBytes + kTableEnd));
  for (const ELFSectionRef section : object.sections())
    if (Error error = relocate(section))
      return error;
  return addEntries();
}

Error host::appendObject(HostImage &image, StringRef bytes) {
  Expected<std::unique_ptr<ObjectFile>> file =
      ObjectFile::createELFObjectFile(MemoryBufferRef(bytes, "kernel"));
  if (!file)
    return file.takeError();
  auto *object = dyn_cast<ELF64LEObjectFile>(file->get());
  if (!object || object->getArch() != Triple::x86_64)
    return outside("generated code is no x86-64 object", (*file)->getFileFormatName());
  return Appender(image, *object).run();
}
