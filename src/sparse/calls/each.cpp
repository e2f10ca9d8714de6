// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/calls/each.hpp"

namespace raddle::sparse {

std::byte* EachSink::room(int, std::size_t bytes) {
  if (open_++ == 0) arena_.forget();
  return arena_.room((bytes + aligned - 1) / aligned * aligned);
}

void EachSink::arrived(int source, std::span<const std::byte> bytes) {
  --open_;
  const auto count = element_.count(bytes.size());
  if (!count) broken_ = true;
  if (broken_) return;
  callee_.call([&] {
    if (element_.plain()) return take(source, bytes.data(), *count);
    const Elements elements = element_.room(*count);
    element_.unpack(bytes, elements.data);
    return take(source, elements.data, *count);
  });
}

}  // namespace raddle::sparse
