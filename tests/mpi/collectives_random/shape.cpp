// SPDX-License-Identifier: BSD-3-Clause
#include "shape.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <numeric>

#include "core/text.hpp"

namespace raddle::collectives {
namespace {

/// Shapes that are alive, by their datatypes: what an operator is given of its elements is no more than a handle.
class Registry {
 public:
  static Registry& instance() {
    static Registry registry;
    return registry;
  }
  void add(MPI_Datatype type, const Shape* shape) {
    const std::lock_guard lock(guard_);
    shapes_[type] = shape;
  }
  void remove(MPI_Datatype type) {
    const std::lock_guard lock(guard_);
    shapes_.erase(type);
  }
  const Shape* find(MPI_Datatype type) {
    const std::lock_guard lock(guard_);
    const auto found = shapes_.find(type);
    return found == shapes_.end() ? nullptr : found->second;
  }

 private:
  std::mutex guard_;
  std::map<MPI_Datatype, const Shape*> shapes_;
};

/// A divisor of n.
std::size_t divisor(std::size_t n, Random& random) {
  std::size_t d = 1 + random.below(n);
  while (n % d != 0) --d;
  return d;
}

}  // namespace

Shape::Shape(const Element& element)
    : element_(&element), type_(element.type), extent_(static_cast<std::ptrdiff_t>(element.extent)), offsets_{0} {
  measure();
}

Shape::Shape(const Element& element, std::size_t units, Random& random)
    : element_(&element), type_(element.type), extent_(static_cast<std::ptrdiff_t>(element.extent)) {
  const std::size_t kind = random.below(4);
  if (kind == 0) vector(units, random);
  if (kind == 1) indexed(units, random);
  if (kind == 2 && units > 1) structure(units, random);
  if (offsets_.empty()) {
    how_ = "a contiguous one";
    MPI_Type_contiguous(static_cast<int>(units), element.type, &type_);
    for (std::size_t i = 0; i < units; ++i) offsets_.push_back(static_cast<std::ptrdiff_t>(i) * extent_);
    extent_ *= static_cast<std::ptrdiff_t>(units);
  }
  if (random.chance(30)) resize(random);
  MPI_Type_commit(&type_);
  own_ = true;
  measure();
  Registry::instance().add(type_, this);
}

Shape::~Shape() { forget(); }

void Shape::forget() {
  if (!own_) return;
  Registry::instance().remove(type_);
  MPI_Type_free(&type_);
  own_ = false;
}

const Shape* Shape::of(MPI_Datatype type) { return Registry::instance().find(type); }

void Shape::vector(std::size_t units, Random& random) {
  how_ = "a vector";
  const std::size_t length = divisor(units, random);
  const std::size_t blocks = units / length;
  const std::size_t stride = length + random.below(3);
  MPI_Type_vector(static_cast<int>(blocks), static_cast<int>(length), static_cast<int>(stride), element_->type, &type_);
  for (std::size_t i = 0; i < units; ++i)
    offsets_.push_back(static_cast<std::ptrdiff_t>(i / length * stride + i % length) * extent_);
  extent_ *= static_cast<std::ptrdiff_t>((blocks - 1) * stride + length);
}

/// Single elements, in another order, with gaps; the first may lie behind the address of the item.
void Shape::indexed(std::size_t units, Random& random) {
  how_ = "an indexed one";
  std::vector<std::size_t> order(units);
  std::iota(order.begin(), order.end(), 0U);
  if (random.chance(50)) random.shuffle(order);
  std::vector<int> at(units);
  const int first = static_cast<int>(random.below(3));
  int next = first;
  for (const std::size_t i : order) {
    at[i] = next;
    next += 1 + static_cast<int>(random.below(2));
  }
  const int last = *std::ranges::max_element(at);
  MPI_Type_create_indexed_block(static_cast<int>(units), 1, at.data(), element_->type, &type_);
  for (const int place : at) offsets_.push_back(place * extent_);
  extent_ *= last + 1 - first;
}

/// The second part lies before the first.
void Shape::structure(std::size_t units, Random& random) {
  how_ = "a struct of two parts";
  const auto first = static_cast<std::ptrdiff_t>(1 + random.below(units - 1));
  const std::ptrdiff_t second = static_cast<std::ptrdiff_t>(units) - first;
  const std::ptrdiff_t behind = second + static_cast<std::ptrdiff_t>(random.below(3));
  const std::array<int, 2> counts{static_cast<int>(first), static_cast<int>(second)};
  const std::array<MPI_Aint, 2> at{behind * extent_, 0};
  const std::array<MPI_Datatype, 2> types{element_->type, element_->type};
  MPI_Type_create_struct(2, counts.data(), at.data(), types.data(), &type_);
  for (std::ptrdiff_t i = 0; i < first; ++i) offsets_.push_back((behind + i) * extent_);
  for (std::ptrdiff_t i = 0; i < second; ++i) offsets_.push_back(i * extent_);
  extent_ *= behind + first;
}

/// Items further apart, and a lower bound that is not where they begin.
void Shape::resize(Random& random) {
  const auto unit = static_cast<std::ptrdiff_t>(element_->extent);
  const std::ptrdiff_t lower = (static_cast<std::ptrdiff_t>(random.below(3)) - 1) * unit;
  extent_ += static_cast<std::ptrdiff_t>(random.below(3)) * unit;
  how_ += bench::text(", lower bound ", lower, ", extent ", extent_);
  MPI_Datatype inner = type_;
  MPI_Type_create_resized(inner, lower, extent_, &type_);
  MPI_Type_free(&inner);
}

std::string Shape::describe() const {
  std::string words = how_ + ", elements at";
  for (const std::ptrdiff_t offset : offsets_) words += bench::text(" ", offset);
  return words;
}

void Shape::measure() {
  const auto [least, most] = std::ranges::minmax(offsets_);
  begin_ = least;
  end_ = most + static_cast<std::ptrdiff_t>(element_->extent);
}

}  // namespace raddle::collectives
