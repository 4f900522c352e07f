// SPDX-License-Identifier: BSD-3-Clause
#include "tests/legal_calls/memory.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstring>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace legal_calls {

namespace {

template <typename T>
Element element(MPI_Datatype type) {
  return {type, sizeof(T),
          [](void* at, std::int64_t value) {
            const T typed = static_cast<T>(value);
            std::memcpy(at, &typed, sizeof typed);
          },
          [](const void* at) {
            T typed{};
            std::memcpy(&typed, at, sizeof typed);
            return static_cast<std::int64_t>(typed);
          }};
}

/// MPI_DOUBLE_INT: an element with a gap of its own, for the pair (v / 4, v % 4).
struct DoubleInt {
  double value;
  int index;
};

/// How elements lie within one item of a datatype, in elements.
struct Layout {
  std::vector<int> places{};  ///< of each element of an item
  int lower = 0;
  int extent = 1;
  auto operator<=>(const Layout&) const = default;
};

Layout layout_of(const Json& type) {
  return {.places = type.at("places"), .lower = type.at("lower"), .extent = type.at("extent")};
}

struct Made {
  Element element{};
  Layout layout{};
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// Every datatype of the program, kept until its end.
std::vector<Made>& all_made() {
  static std::vector<Made> made;
  return made;
}

MPI_Datatype commit(const Layout& layout, const Element& element) {
  const auto size = static_cast<int>(layout.places.size());
  std::vector<int> row(layout.places.size());
  std::iota(row.begin(), row.end(), 0);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (layout == Layout{row, 0, size}) {
    MPI_Type_contiguous(size, element.type, &type);
  } else {
    const auto bytes = static_cast<MPI_Aint>(element.bytes);
    MPI_Datatype tight = MPI_DATATYPE_NULL;
    MPI_Type_create_indexed_block(size, 1, layout.places.data(), element.type, &tight);
    MPI_Type_create_resized(tight, layout.lower * bytes, layout.extent * bytes, &type);
    MPI_Type_free(&tight);
  }
  MPI_Type_commit(&type);
  return type;
}

MPI_Datatype datatype_of(const Layout& layout, const Element& element) {
  for (const Made& made : all_made()) {
    if (made.element.type == element.type && made.layout == layout) return made.type;
  }
  const bool plain = layout == Layout{{0}, 0, 1};
  const MPI_Datatype type = plain ? element.type : commit(layout, element);
  all_made().push_back({element, layout, type});
  return type;
}

/// Applies `both` to every two elements that a user's operation gets.
template <typename Each>
void for_items(int items, MPI_Datatype type, Each each) {
  const auto found = std::ranges::find(all_made(), type, &Made::type);
  if (found == all_made().end()) MPI_Abort(MPI_COMM_WORLD, 5);
  for (int item = 0; item < items; ++item) each(*found, item * found->layout.extent);
}

void user_sum(void* left, void* right, int* items, MPI_Datatype* type) {
  for_items(*items, *type, [&](const Made& made, std::ptrdiff_t first) {
    for (const int place : made.layout.places) {
      const auto at = (first + place) * static_cast<std::ptrdiff_t>(made.element.bytes);
      char* const to = static_cast<char*>(right) + at;
      made.element.put(to, made.element.get(to) + made.element.get(static_cast<char*>(left) + at));
    }
  });
}

/// The map x -> a x + b, of 32 bits.
struct Affine {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  /// First this, then the other.
  [[nodiscard]] Affine then(const Affine& other) const {
    return {a * other.a, b * other.a + other.b};
  }
};

void user_affine(void* left, void* right, int* items, MPI_Datatype* type) {
  for_items(*items, *type, [&](const Made& made, std::ptrdiff_t first) {
    for (std::size_t pair = 0; pair < made.layout.places.size(); pair += 2) {
      const auto in = [&](void* buffer, std::size_t which) {
        return static_cast<int*>(buffer) + first + made.layout.places[pair + which];
      };
      const auto map = [&](void* buffer) {
        return Affine{static_cast<std::uint32_t>(*in(buffer, 0)),
                      static_cast<std::uint32_t>(*in(buffer, 1))};
      };
      const Affine both = map(left).then(map(right));
      *in(right, 0) = static_cast<int>(both.a);
      *in(right, 1) = static_cast<int>(both.b);
    }
  });
}

std::int64_t location(std::int64_t one, std::int64_t other, bool greatest) {
  if (one / 4 == other / 4) return std::min(one, other);
  return greatest ? std::max(one, other) : std::min(one, other);
}

std::int64_t apply(const std::string& op, std::int64_t one, std::int64_t other) {
  if (op == "sum" || op == "user_sum") return one + other;
  if (op == "prod") return one * other;
  if (op == "max") return std::max(one, other);
  if (op == "min") return std::min(one, other);
  if (op == "band") return one & other;
  if (op == "bor") return one | other;
  if (op == "bxor") return one ^ other;
  if (op == "land") return static_cast<std::int64_t>(one != 0 && other != 0);
  if (op == "maxloc" || op == "minloc") return location(one, other, op == "maxloc");
  throw std::invalid_argument{"no operation " + op};
}

MPI_Op made_of(MPI_User_function* function, int commutes) {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(function, commutes, &op);
  return op;
}

constexpr char kUntouched = 0x5a;
constexpr std::ptrdiff_t kGuard = 8;  ///< elements on both sides of what a call may touch

}  // namespace

Element element_of(const std::string& base) {
  if (base == "signed_char") return element<signed char>(MPI_SIGNED_CHAR);
  if (base == "short") return element<short>(MPI_SHORT);
  if (base == "int") return element<int>(MPI_INT);
  if (base == "long") return element<long>(MPI_LONG);
  if (base == "float") return element<float>(MPI_FLOAT);
  if (base == "double") return element<double>(MPI_DOUBLE);
  if (base == "double_int") {
    return {MPI_DOUBLE_INT, sizeof(DoubleInt),
            [](void* at, std::int64_t value) {
              const DoubleInt pair{static_cast<double>(value / 4), static_cast<int>(value % 4)};
              std::memcpy(at, &pair.value, sizeof pair.value);
              std::memcpy(static_cast<char*>(at) + offsetof(DoubleInt, index), &pair.index,
                          sizeof pair.index);
            },
            [](const void* at) {
              DoubleInt pair{};
              std::memcpy(&pair, at, sizeof pair);
              return static_cast<std::int64_t>(pair.value) * 4 + pair.index;
            }};
  }
  throw std::invalid_argument{"no element " + base};
}

std::int64_t Values::at(int from, int to, std::int64_t index) const {
  std::uint32_t mixed = seed * 2246822519U + static_cast<std::uint32_t>(index) * 2654435761U +
                        static_cast<std::uint32_t>(from) * 3266489917U +
                        static_cast<std::uint32_t>(to) * 668265263U;
  mixed ^= mixed >> 15;
  mixed *= 2246822519U;
  if (op == "prod") return mixed >> 30 == 0 ? 2 : 1;
  return mixed >> (op.empty() ? 25 : 28);
}

std::int64_t Values::reduced(int ranks, std::int64_t index) const {
  if (op == "user_affine") {
    const std::int64_t pair = index / 2 * 2;
    Affine all;
    for (int rank = 0; rank < ranks; ++rank) {
      all = all.then({static_cast<std::uint32_t>(at(rank, 0, pair)),
                      static_cast<std::uint32_t>(at(rank, 0, pair + 1))});
    }
    return static_cast<int>(index == pair ? all.a : all.b);
  }
  std::int64_t all = at(0, 0, index);
  for (int rank = 1; rank < ranks; ++rank) all = apply(op, all, at(rank, 0, index));
  return all;
}

MPI_Op op_of(const std::string& name) {
  static const std::map<std::string, MPI_Op> kOps{{"", MPI_OP_NULL},
                                                  {"sum", MPI_SUM},
                                                  {"prod", MPI_PROD},
                                                  {"max", MPI_MAX},
                                                  {"min", MPI_MIN},
                                                  {"band", MPI_BAND},
                                                  {"bor", MPI_BOR},
                                                  {"bxor", MPI_BXOR},
                                                  {"land", MPI_LAND},
                                                  {"maxloc", MPI_MAXLOC},
                                                  {"minloc", MPI_MINLOC},
                                                  {"user_sum", made_of(user_sum, 1)},
                                                  {"user_affine", made_of(user_affine, 0)}};
  return kOps.at(name);
}

Memory::Memory(const Json& side, const Element& element, const Values& values) : element_{element} {
  std::vector<Layout> layouts;
  for (const Json& type : side.at("types")) {
    layouts.push_back(type.is_null() ? Layout{} : layout_of(type));
    side_.types.push_back(type.is_null() ? MPI_DATATYPE_NULL
                                         : datatype_of(layouts.back(), element));
  }
  side_.counts = side.at("counts").get<std::vector<int>>();
  side_.places = side.at("places").get<std::vector<int>>();

  // A row of items: [layout, first place in its extents, items, content].
  const auto each_place = [&](const Json& rows, auto use) {
    for (const Json& row : rows) {
      const Layout& layout = layouts.at(row.at(0));
      const std::ptrdiff_t first = row.at(1).get<std::ptrdiff_t>() * layout.extent;
      const Json& content = row.at(3);
      std::int64_t index = 0;
      for (int item = 0; item < row.at(2).get<int>(); ++item) {
        for (const int place : layout.places) {
          use(first + std::ptrdiff_t{item} * layout.extent + place, content, index++);
        }
      }
    }
  };
  const auto value_of = [&](const Json& content, std::int64_t index) {
    if (content.at(0) == "fold") {
      return values.reduced(content.at(1), content.at(2).get<std::int64_t>() + index);
    }
    return values.at(content.at(1), content.at(2), content.at(3).get<std::int64_t>() + index);
  };
  std::ptrdiff_t least = 0;
  std::ptrdiff_t most = 0;
  for (const char* when : {"before", "after"}) {
    each_place(side.at(when), [&](std::ptrdiff_t at, const Json&, std::int64_t) {
      least = std::min(least, at);
      most = std::max(most, at + 1);
    });
  }
  const auto bytes = static_cast<std::ptrdiff_t>(element.bytes);
  const std::ptrdiff_t origin = kGuard - least;
  after_.resize(static_cast<std::size_t>(most + origin + kGuard));
  bytes_.assign(after_.size() * element.bytes, kUntouched);
  each_place(side.at("before"), [&](std::ptrdiff_t at, const Json& content, std::int64_t index) {
    const std::int64_t value = value_of(content, index);
    element.put(bytes_.data() + (origin + at) * bytes, value);
    after_[static_cast<std::size_t>(origin + at)] = {.touched = true, .value = value};
  });
  before_ = bytes_;
  each_place(side.at("after"), [&](std::ptrdiff_t at, const Json& content, std::int64_t index) {
    Content& after = after_[static_cast<std::size_t>(origin + at)];
    after = content.is_null() ? Content{.checked = false}
                              : Content{.touched = true, .value = value_of(content, index)};
  });
  const std::string buffer = side.at("buffer");
  if (buffer == "in_place") side_.buffer = MPI_IN_PLACE;
  if (buffer == "here") side_.buffer = bytes_.data() + origin * bytes;
}

// The buffer itself stays where it is: a library may have its address.
void Memory::reset() { std::ranges::copy(before_, bytes_.begin()); }

std::string Memory::fault() const {
  for (std::size_t at = 0; at < after_.size(); ++at) {
    const Content& expected = after_[at];
    if (!expected.checked) continue;
    const char* const here = bytes_.data() + at * element_.bytes;
    if (expected.touched && element_.get(here) == expected.value) continue;
    if (!expected.touched &&
        std::memcmp(here, before_.data() + at * element_.bytes, element_.bytes) == 0) {
      continue;
    }
    const std::string is =
        "element " + std::to_string(at) + " of the buffer is " + std::to_string(element_.get(here));
    return is + (expected.touched ? ", not " + std::to_string(expected.value)
                                  : ", though no call may touch it");
  }
  return {};
}

}  // namespace legal_calls
