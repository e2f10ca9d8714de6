// SPDX-License-Identifier: BSD-3-Clause
// What the ELF files of this machine's kind are marked by: numbers of the processor's supplement to the format.
#pragma once

#include <elf.h>

#include <cstdint>

namespace raddle::ranks {

#if defined(__x86_64__)
constexpr std::uint16_t elf_machine = EM_X86_64;
constexpr std::uint32_t copy_relocation = R_X86_64_COPY;
constexpr std::uint32_t slot_relocations[] = {R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT, R_X86_64_64};
#elif defined(__aarch64__)
constexpr std::uint16_t elf_machine = EM_AARCH64;
constexpr std::uint32_t copy_relocation = R_AARCH64_COPY;
constexpr std::uint32_t slot_relocations[] = {R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT, R_AARCH64_ABS64};
#else
constexpr std::uint16_t elf_machine = EM_NONE;  // no file is readable
constexpr std::uint32_t copy_relocation = 0;
constexpr std::uint32_t slot_relocations[] = {0};
#endif

}  // namespace raddle::ranks
