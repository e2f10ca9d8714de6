// SPDX-License-Identifier: BSD-3-Clause
// Functions and constants are those of the libraries' own headers, which are not needed to build this.
#include "platform/gpus.hpp"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <mutex>

namespace raddle::platform::gpus {
namespace {

// cuda.h
using CuPointerGetAttribute = int(void* data, int attribute, std::uintptr_t address);
constexpr int cu_memory_type = 2;
constexpr int cu_is_managed = 8;
constexpr unsigned cu_device = 2;

// hip_runtime_api.h
struct HipAttributes {
  int type = 0;  // its values are others from version 6 on
  int device = 0;
  void* device_pointer = nullptr;
  void* host_pointer = nullptr;
  int is_managed = 0;
  unsigned flags = 0;
  std::uint64_t more[4] = {};  // should a version have more
};
using HipPointerGetAttributes = int(HipAttributes* found, const void* address);

// ze_api.h
struct ZeContextDesc {
  int stype = 0xd;
  const void* next = nullptr;
  std::uint32_t flags = 0;
};
struct ZeAllocation {
  int stype = 0x17;
  void* next = nullptr;
  int type = 0;
  std::uint64_t id = 0;
  std::uint64_t page_size = 0;
};
constexpr int ze_device = 2;
using ZeInit = int(std::uint32_t flags);
using ZeDriverGet = int(std::uint32_t* count, void** drivers);
using ZeContextCreate = int(void* driver, const ZeContextDesc* desc, void** context);
using ZeMemGetAllocProperties = int(void* context, const void* address, ZeAllocation* found, void** device);

std::atomic<CuPointerGetAttribute*> cuda{nullptr};
std::atomic<HipPointerGetAttributes*> hip{nullptr};
std::atomic<ZeMemGetAllocProperties*> ze{nullptr};
void* ze_context = nullptr;  // there before `ze` is
std::mutex one_looks;

/// A function of a library that is loaded, and stays from then on.
template <typename Function>
Function* loaded(const char* name, std::initializer_list<const char*> libraries) {
  void* found = dlsym(RTLD_DEFAULT, name);
  for (const char* library : libraries) {
    if (found != nullptr) break;
    void* const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    found = dlsym(handle, name);
    if (found == nullptr) dlclose(handle);
  }
  return reinterpret_cast<Function*>(found);
}

/// How many the process has loaded so far, and never fewer. Their names are looked for again only when it has grown.
unsigned long long libraries_loaded() {
  unsigned long long adds = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) -> int {
        *static_cast<unsigned long long*>(found) = info->dlpi_adds;
        return 1;  // the first one tells it
      },
      &adds);
  return adds;
}

void look_for_ze() {
  const auto libraries = {"libze_loader.so.1"};
  auto* const ask = loaded<ZeMemGetAllocProperties>("zeMemGetAllocProperties", libraries);
  if (ask == nullptr) return;
  auto* const init = loaded<ZeInit>("zeInit", libraries);
  auto* const drivers = loaded<ZeDriverGet>("zeDriverGet", libraries);
  auto* const create = loaded<ZeContextCreate>("zeContextCreate", libraries);
  if (init == nullptr || drivers == nullptr || create == nullptr) return;
  std::uint32_t one = 1;
  void* driver = nullptr;
  const ZeContextDesc desc;
  if (init(0) != 0 || drivers(&one, &driver) != 0 || one == 0 || create(driver, &desc, &ze_context) != 0) return;
  ze.store(ask, std::memory_order_release);
}

bool is_cuda(CuPointerGetAttribute& ask, const void* address) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  unsigned type = 0;
  unsigned managed = 0;
  if (ask(&type, cu_memory_type, number) != 0 || type != cu_device) return false;
  return ask(&managed, cu_is_managed, number) != 0 || managed == 0;
}

bool is_hip(HipPointerGetAttributes& ask, const void* address) {
  HipAttributes found;
  if (ask(&found, address) != 0) return false;
  return found.device_pointer != nullptr && found.host_pointer == nullptr && found.is_managed == 0;
}

bool is_ze(ZeMemGetAllocProperties& ask, const void* address) {
  ZeAllocation found;
  void* device = nullptr;
  return ask(ze_context, address, &found, &device) == 0 && found.type == ze_device;
}

}  // namespace

bool look() {
  const std::unique_lock lock(one_looks, std::try_to_lock);
  static unsigned long long seen = 0;
  if (const auto now = libraries_loaded(); lock && seen != now) {
    seen = now;
    if (cuda.load() == nullptr) cuda = loaded<CuPointerGetAttribute>("cuPointerGetAttribute", {"libcuda.so.1"});
    if (hip.load() == nullptr) {
      hip = loaded<HipPointerGetAttributes>(
          "hipPointerGetAttributes", {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"});
    }
    if (ze.load() == nullptr) look_for_ze();
  }
  return cuda.load() != nullptr || hip.load() != nullptr || ze.load() != nullptr;
}

const char* owner(const void* address) {
  if (auto* const ask = cuda.load(std::memory_order_acquire); ask != nullptr && is_cuda(*ask, address)) return "CUDA";
  if (auto* const ask = hip.load(std::memory_order_acquire); ask != nullptr && is_hip(*ask, address)) return "HIP";
  if (auto* const ask = ze.load(std::memory_order_acquire); ask != nullptr && is_ze(*ask, address)) return "Level Zero";
  return nullptr;
}

}  // namespace raddle::platform::gpus
