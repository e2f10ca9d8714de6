// SPDX-License-Identifier: BSD-3-Clause
// raddle-probe: what this machine can do without MPI, the limit that stands beside every figure measured on a node.
#include "core/launch.hpp"
#include "core/registry.hpp"

namespace raddle::bench {
namespace {

const Register physical(Variant{"physical", "the machine's limit for this work: two cores and shared memory, no MPI",
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
