// SPDX-License-Identifier: BSD-3-Clause
#include "suites/dsde/sparse_ways.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/whereabouts.hpp"
#include "declared/dsde_algorithms.hpp"
#include "mpi/check.hpp"
#include "raddle/raddle.h"
#include "suites/dsde/sparse_native.hpp"

namespace raddle::bench {
namespace {

/// Raddle's call, found by name where libraddle is preloaded: this program is not linked with it.
struct SparseCalls {
  decltype(&Raddle_Sparse_attach) attach;
  decltype(&Raddle_Sparse_exchange) exchange;
  decltype(&Raddle_Sparse_free) free;
  decltype(&Raddle_Sparse_algorithm) algorithm;
};

template <typename Function>
bool find(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

/// Null where it is not preloaded.
const SparseCalls* calls() {
  static const SparseCalls calls = [] {
    SparseCalls found{};
    const bool all = find(found.attach, "Raddle_Sparse_attach") && find(found.exchange, "Raddle_Sparse_exchange") &&
                     find(found.free, "Raddle_Sparse_free") && find(found.algorithm, "Raddle_Sparse_algorithm");
    return all ? found : SparseCalls{};
  }();
  return calls.exchange != nullptr ? &calls : nullptr;
}

/// Their names, the MPI's own ones first.
std::vector<std::string> algorithm_names() {
  const Declaration about = declared::dsde_algorithms();
  return std::ranges::find(about.params, "algorithm", &Param::name)->choices;
}

class Raddled final : public SparseWay {
 public:
  Raddled(const std::string& algorithm, MPI_Comm comm, std::size_t bytes)
      : comm_(comm), adaptive_(algorithm == "auto") {
    if (!adaptive_) {  // a program that leaves it to Raddle gives no hint
      check(MPI_Info_create(&info_), "MPI_Info_create");
      check(MPI_Info_set(info_, "raddle_sparse_algorithm", algorithm.c_str()), "MPI_Info_set");
    }
    int ranks = 0;
    check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    for (int i = 0; i <= ranks; ++i) offsets_.push_back(static_cast<MPI_Count>(bytes) * i);
    where_.enter("Raddle_Sparse_attach");
    check(calls_.attach(comm), "Raddle_Sparse_attach");
  }
  ~Raddled() override {
    calls_.free(&received_);
    if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
  }
  Raddled(const Raddled&) = delete;
  Raddled& operator=(const Raddled&) = delete;

  void exchange(const std::byte* out, std::span<const int> dests) override {
    where_.enter("Raddle_Sparse_exchange");
    check(calls_.free(&received_), "Raddle_Sparse_free");
    check(calls_.exchange(out, static_cast<int>(dests.size()), dests.data(), offsets_.data(), MPI_BYTE, MPI_BYTE, info_,
                          comm_, &received_),
          "Raddle_Sparse_exchange");
  }

  [[nodiscard]] std::vector<Message> arrived() const override {
    std::vector<Message> found;
    const auto* const data = static_cast<const std::byte*>(received_.data);
    for (int i = 0; i < received_.count; ++i) {
      const auto begin = static_cast<std::size_t>(received_.offsets[i]);
      const auto end = static_cast<std::size_t>(received_.offsets[i + 1]);
      found.push_back({received_.ranks[i], {data + begin, end - begin}});
    }
    return found;
  }

  [[nodiscard]] double chosen() const override {
    const char* name = nullptr;
    if (!adaptive_) return unread;
    check(calls_.algorithm(comm_, &name), "Raddle_Sparse_algorithm");
    static const std::vector<std::string> known = algorithm_names();
    const auto found = std::ranges::find(known, std::string(name == nullptr ? "" : name));
    return found == known.end() ? unread : static_cast<double>(found - known.begin());
  }

 private:
  MPI_Comm comm_;
  bool adaptive_;
  const SparseCalls& calls_ = *calls();
  MPI_Info info_ = MPI_INFO_NULL;
  std::vector<MPI_Count> offsets_;
  Raddle_Sparse_messages received_{};
  Whereabouts& where_ = here();
};

}  // namespace

void check_sparse(const std::string& algorithm, bool endpoint) {
  if (algorithm.starts_with("native-")) return;
  if (calls() == nullptr) {
    throw Unavailable("libraddle, which has Raddle_Sparse_exchange, is not preloaded (docs/use/sparse.md)");
  }
  if (endpoint && algorithm == "rsx") throw Unavailable("rsx counts by windows of processes");
}

std::unique_ptr<SparseWay> make_sparse_way(const std::string& algorithm, MPI_Comm comm, std::size_t bytes) {
  if (algorithm.starts_with("native-")) return make_native_sparse_way(algorithm, comm, bytes);
  return std::make_unique<Raddled>(algorithm, comm, bytes);
}

}  // namespace raddle::bench
