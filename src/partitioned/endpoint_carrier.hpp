// SPDX-License-Identifier: BSD-3-Clause
// Carries partitioned requests of an endpoint by its messages, with tags of Raddle's own.
#pragma once

#include "endpoints/endpoint.hpp"
#include "partitioned/carrier.hpp"

namespace raddle::partitioned {

class EndpointCarrier final : public Carrier {
 public:
  explicit EndpointCarrier(endpoints::Endpoint& endpoint);

  [[nodiscard]] int rank() const override { return endpoint_.rank(); }
  [[nodiscard]] int greatest_tag() const override { return greatest_tag_; }
  [[nodiscard]] bool reuses_tags() const override { return false; }
  [[nodiscard]] bool any_thread() const override { return true; }
  [[nodiscard]] bool may_start() const override { return true; }
  void own() override {}
  void take_turn() override {}
  [[nodiscard]] const void* shared_with(int peer) const override;
  [[nodiscard]] bool reaches(int) const override { return false; }  // the engine sends offers there: one copy as well

  void tell(int peer, const Notice& notice) override;
  bool hear(int& peer, Notice& notice) override;

  std::unique_ptr<Messages> sends(const Division& division) override;
  std::unique_ptr<Messages> receives(const Division& division) override;

 private:
  endpoints::Endpoint& endpoint_;
  int notice_tag_;
  int first_data_tag_;
  int greatest_tag_;
};

}  // namespace raddle::partitioned
