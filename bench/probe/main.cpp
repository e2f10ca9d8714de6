// SPDX-License-Identifier: BSD-3-Clause
// raddle-probe: what this machine does without an MPI, which stands beside every figure measured on a node.
#include "core/launch.hpp"
#include "core/registry.hpp"

namespace raddle::bench {
namespace {

const Register physical(Variant{"physical", "what two cores and shared memory do with this work, without an MPI",
                                Contexts::threads});

}  // namespace
}  // namespace raddle::bench

int main(int argc, char** argv) {
  using namespace raddle::bench;
  return program(argc, argv, [](const Arguments& arguments) {
    LocalControl control;
    return run_launch(control, arguments, std::nullopt);
  });
}
