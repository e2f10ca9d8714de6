// SPDX-License-Identifier: BSD-3-Clause
#include "platform/errors.hpp"

#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "platform/must.hpp"
#include "platform/settings.hpp"

namespace raddle::platform {

int error_with(int error_class, std::string_view text) {
  // MPIs have few to give. Destructors of the program may ask.
  static auto& codes = *new std::map<std::pair<int, std::string>, int>;
  const std::lock_guard lock(table_of_errors());
  const auto [found, fresh] = codes.try_emplace({error_class, std::string(text)}, error_class);
  if (fresh && PMPI_Add_error_code(error_class, &found->second) == MPI_SUCCESS)
    regardless(PMPI_Add_error_string(found->second, found->first.second.substr(0, MPI_MAX_ERROR_STRING - 1).c_str()));
  return found->second;
}

int add_error_class(const char* text) {
  int made = MPI_ERR_OTHER;
  const std::lock_guard lock(table_of_errors());
  if (PMPI_Add_error_class(&made) != MPI_SUCCESS) return MPI_ERR_OTHER;
  regardless(PMPI_Add_error_string(made, text));
  return made;
}

namespace {

/// The text goes where there is no memory for it.
int with_text_of(const std::exception& error, int error_class, const char* before = "Raddle: ") {
  try {
    return error_with(error_class, std::string(before) + error.what());
  } catch (const std::bad_alloc&) {
    return error_class;
  }
}

}  // namespace

int code_of_caught() {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure.code;
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  } catch (const SettingsError& error) {
    return with_text_of(error, MPI_ERR_OTHER, "");
  } catch (const HintError& error) {
    return with_text_of(error, error.unknown ? MPI_ERR_INFO_KEY : MPI_ERR_INFO_VALUE);
  } catch (const std::exception& error) {
    return with_text_of(error, MPI_ERR_INTERN);
  }
}

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  return PMPI_Error_class(code, &error_class) == MPI_SUCCESS ? error_class : MPI_ERR_OTHER;
}

}  // namespace raddle::platform
