// SPDX-License-Identifier: BSD-3-Clause
// The hints in an MPI_Info that are for Raddle.
#pragma once

#include <mpi.h>

#include <array>
#include <string>
#include <string_view>

#include "platform/errors.hpp"
#include "platform/settings.hpp"

namespace raddle::platform {

/// Calls with each key that begins with raddle_, and its value, which is cut short where it is longer than any valid
/// one. @throws Failure if this is no info object
template <typename Take>
void each_own_hint(MPI_Info info, Take&& take) {
  if (info == MPI_INFO_NULL) return;
  int count = 0;
  check(PMPI_Info_get_nkeys(info, &count));
  for (int i = 0; i < count; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> name{};
    check(PMPI_Info_get_nthkey(info, i, name.data()));
    const std::string key = name.data();
    if (!key.starts_with("raddle_")) continue;
    std::array<char, 32> value{};
    int found = 0;
    check(PMPI_Info_get(info, key.c_str(), static_cast<int>(value.size()) - 1, value.data(), &found));
    take(key, std::string_view(value.data()));
  }
}

/// The settings, with what the hints in `info` say instead. @throws HintError, SettingsError, Failure
inline Settings settings_with(HintScope of, MPI_Info info) {
  Settings asked = settings();
  each_own_hint(info, [&](const std::string& key, std::string_view value) { take_hint(of, key, value, asked); });
  return asked;
}

}  // namespace raddle::platform
