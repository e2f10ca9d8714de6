// SPDX-License-Identifier: BSD-3-Clause
// raddle-probe: what this machine does without an MPI, which stands beside every figure measured on a node.
#include <iostream>
#include <string_view>

#include "core/launch.hpp"
#include "core/registry.hpp"
#include "probe/state.hpp"

namespace raddle::bench {
namespace {

const Register physical(Variant{"physical", "what two cores and shared memory do with this work, without an MPI",
                                Contexts::threads});

}  // namespace
}  // namespace raddle::bench

int main(int argc, char** argv) {
  using namespace raddle::bench;
  if (argc == 2 && std::string_view(argv[1]) == "--state") return probe::serve_state(std::cin, std::cout);
  return program(argc, argv, [](const Arguments& arguments) {
    LocalControl control;
    return run_launch(control, arguments, std::nullopt);
  });
}
