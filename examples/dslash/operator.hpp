// SPDX-License-Identifier: BSD-3-Clause
// Dslash on the domain of a rank, the exchange with the neighbours behind the computation that needs none of it.
#pragma once

#include <vector>

#include "dslash/fields.hpp"
#include "dslash/halo.hpp"
#include "dslash/kernel.hpp"
#include "dslash/phases.hpp"

namespace dslash {

/// The threads that share a domain.
class Crew {
 public:
  Crew(int index, int count) : index_(index), count_(count) {}
  virtual ~Crew() = default;
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] bool leads() const { return index_ == 0; }
  [[nodiscard]] int count() const { return count_; }
  /// Returns when all have come.
  virtual void meet() {}

  /// This thread's part of so many things, and where it begins.
  [[nodiscard]] long first_of(long things) const { return things * index_ / count_; }
  [[nodiscard]] long last_of(long things) const { return things * (index_ + 1) / count_; }

 private:
  int index_;
  int count_;
};

class Operator {
 public:
  /// @param rank         in the grid
  /// @param directories  one for each thread that communicates: for the first of the crew, who does it for all of them,
  ///                     or for every one, who then exchange a part of each face
  Operator(int rank, const Domain& domain, std::vector<Link> links, const std::vector<Directory>& directories);
  ~Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  [[nodiscard]] const Domain& domain() const { return domain_; }
  [[nodiscard]] long sites() const { return kernel_.sites(); }

  /// out = D in, on the sites of the domain; what each phase takes is added to `times`. All of a crew call it, and when
  /// one returns all of `out` is there.
  void apply(const Spinor* in, Spinor* out, Crew& crew, Times& times);

 private:
  Domain domain_;
  Kernel kernel_;
  FaceBuffers out_;
  FaceBuffers in_;
  Faces beyond_{};
  std::vector<Halo> halos_;
};

}  // namespace dslash
