// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/about_mpi.hpp"

#include <mpi.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace raddle::bench {
namespace {

const std::array<std::pair<const char*, int>, 4> levels{{{"single", MPI_THREAD_SINGLE},
                                                         {"funneled", MPI_THREAD_FUNNELED},
                                                         {"serialized", MPI_THREAD_SERIALIZED},
                                                         {"multiple", MPI_THREAD_MULTIPLE}}};

/// Reads `count` values of MPI's type T and widens them. None if MPI refuses.
template <typename T, typename Wide>
std::optional<ControlValue> read_as(MPI_T_cvar_handle handle, int count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  if (MPI_T_cvar_read(handle, values.data()) != MPI_SUCCESS) return std::nullopt;
  if (count == 1) return static_cast<Wide>(values.front());
  return std::vector<std::int64_t>(values.begin(), values.end());
}

std::optional<ControlValue> read_value(MPI_T_cvar_handle handle, MPI_Datatype type, int count) {
  if (type == MPI_CHAR) {
    std::vector<char> text(static_cast<std::size_t>(count) + 1);
    if (MPI_T_cvar_read(handle, text.data()) != MPI_SUCCESS) return std::nullopt;
    return std::string(text.data());
  }
  if (type == MPI_C_BOOL && count == 1) {
    bool value = false;
    if (MPI_T_cvar_read(handle, &value) != MPI_SUCCESS) return std::nullopt;
    return value;
  }
  if (type == MPI_INT) return read_as<int, std::int64_t>(handle, count);
  if (type == MPI_UNSIGNED) return read_as<unsigned, std::uint64_t>(handle, count);
  if (type == MPI_UNSIGNED_LONG) return read_as<unsigned long, std::uint64_t>(handle, count);
  if (type == MPI_UNSIGNED_LONG_LONG) return read_as<unsigned long long, std::uint64_t>(handle, count);
  if (type == MPI_DOUBLE) return read_as<double, double>(handle, count);
  return std::nullopt;
}

std::map<std::string, ControlValue> control_variables() {
  std::map<std::string, ControlValue> values;
  int provided = 0;
  int count = 0;
  // Ask for no less than MPI_Init_thread did: Open MPI 5 takes this call's level for the whole library and drops its
  // locks.
  if (MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS) return values;
  MPI_T_cvar_get_num(&count);
  for (int i = 0; i < count; ++i) {
    std::array<char, 512> name{};
    int name_length = static_cast<int>(name.size());
    int verbosity = 0;
    int bind = 0;
    int scope = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    if (MPI_T_cvar_get_info(i, name.data(), &name_length, &verbosity, &type, &enumeration, nullptr, nullptr, &bind,
                            &scope) != MPI_SUCCESS)
      continue;
    if (bind != MPI_T_BIND_NO_OBJECT) continue;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int elements = 0;
    if (MPI_T_cvar_handle_alloc(i, nullptr, &handle, &elements) != MPI_SUCCESS) continue;
    if (auto value = read_value(handle, type, elements)) values.insert_or_assign(name.data(), *std::move(value));
    MPI_T_cvar_handle_free(&handle);
  }
  MPI_T_finalize();
  return values;
}

}  // namespace

int level_of(const std::string& name) {
  for (const auto& [text, level] : levels) {
    if (name == text) return level;
  }
  return MPI_THREAD_SINGLE;
}

std::string level_name(int level) {
  for (const auto& [text, value] : levels) {
    if (value == level) return text;
  }
  return "unknown (" + std::to_string(level) + ")";
}

namespace {

std::string& level_asked() {
  static std::string level;
  return level;
}

}  // namespace

const std::string& requested_level() { return level_asked(); }
void set_requested_level(const std::string& name) { level_asked() = name; }

MpiFacts about_mpi(const std::string& requested, int provided) {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
  int length = 0;
  int version = 0;
  int subversion = 0;
  MPI_Get_library_version(library.data(), &length);
  MPI_Get_version(&version, &subversion);
  return {library.data(), std::to_string(version) + '.' + std::to_string(subversion), requested, level_name(provided),
          control_variables()};
}

}  // namespace raddle::bench
