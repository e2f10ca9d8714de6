// SPDX-License-Identifier: BSD-3-Clause
#include "check/names.hpp"

#include <cstring>
#include <string_view>
#include <vector>

#include "check/process.hpp"
#include "profile/next.hpp"

namespace raddle::check {
namespace {

// MPI 4.1, table 11.1, and what asks for the level (section 11.6.2).
constexpr std::string_view any_time[] = {
    "MPI_Abi_get_fortran_booleans", "MPI_Abi_get_fortran_info", "MPI_Abi_get_info", "MPI_Abi_get_version",
    "MPI_Abi_set_fortran_booleans", "MPI_Abi_set_fortran_info", "MPI_Add_error_class", "MPI_Add_error_code",
    "MPI_Add_error_string", "MPI_Comm_call_errhandler", "MPI_Comm_create_errhandler", "MPI_Errhandler_create",
    "MPI_Errhandler_free", "MPI_Error_class", "MPI_Error_string", "MPI_File_call_errhandler",
    "MPI_File_create_errhandler", "MPI_Finalized", "MPI_Get_hw_resource_info", "MPI_Get_library_version",
    "MPI_Get_version", "MPI_Initialized", "MPI_Remove_error_class", "MPI_Remove_error_code", "MPI_Remove_error_string",
    "MPI_Session_call_errhandler", "MPI_Session_create_errhandler", "MPI_Win_call_errhandler",
    "MPI_Win_create_errhandler",
    // Nobody is accused for these: they end the process, compute with addresses, or begin MPI.
    "MPI_Abort", "MPI_Get_address", "MPI_Address", "MPI_Init", "MPI_Init_thread", "MPI_Finalize"};
constexpr std::string_view any_thread[] = {"MPI_Query_thread", "MPI_Is_thread_main"};

bool is_one(std::string_view name, const auto& of) {
  for (const std::string_view each : of) {
    if (each == name) return true;
  }
  return false;
}

enum : unsigned char { at_any_time = 1, by_any_thread = 2 };

unsigned char kind(const char* given) {
  const std::string_view name = given;
  const bool always = is_one(name, any_time) || name.starts_with("MPI_Info_") || name.starts_with("MPI_Session_");
  const bool begins_or_ends = name.starts_with("MPI_Init_thread") || name == "MPI_Init" || name == "MPI_Finalize";
  const bool all = (always && !begins_or_ends) || is_one(name, any_thread);
  return static_cast<unsigned char>((always ? at_any_time : 0) | (all ? by_any_thread : 0));
}

unsigned char kind(std::uint32_t function) {
  static const auto& all = *[] {
    auto* const made = new std::vector<unsigned char>;
    for (std::uint32_t each = 0; each < profile::functions; ++each) made->push_back(kind(profile::names[each]));
    return made;
  }();
  return function < all.size() ? all[function] : 3;
}

}  // namespace

bool is_for_any_thread(std::uint32_t function) { return (kind(function) & by_any_thread) != 0; }
bool is_for_any_time(std::uint32_t function) { return (kind(function) & at_any_time) != 0; }

std::uint32_t number_of(const char* name) {
  for (std::uint32_t each = 0; each < profile::functions; ++each) {
    if (std::strcmp(profile::names[each], name) == 0) return each;
  }
  return no_function;
}

void* function_named(const char* name) {
  const std::uint32_t number = number_of(name);
  if (number == no_function) return nullptr;
  void* const entry = profile::next[2 * number + 1];
  return entry == reinterpret_cast<void*>(profile::lacking[2 * number + 1]) ? nullptr : entry;
}

}  // namespace raddle::check
