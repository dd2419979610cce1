// Structs whose fields Python reads and writes as a numpy record.
#pragma once

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "points.hpp"

namespace fathom {

struct Field {
  std::string name, format;  // a numpy format, or empty for a record
  std::vector<int> shape;
  int offset;
  std::vector<Field> fields;
  int size;
};

template <class T>
struct Format {
  static void fill(Field& field) {
    if constexpr (std::is_same_v<T, Points>) {
      field.format = "u8";
      field.shape.push_back(4);
    } else if constexpr (std::is_class_v<T>) {
      field.fields = T::layout();
      field.size = sizeof(T);
    } else {
      field.format = (std::is_signed_v<T> ? "i" : "u") + std::to_string(sizeof(T));
    }
  }
};

template <class T, std::size_t N>
struct Format<std::array<T, N>> {
  static void fill(Field& field) {
    field.shape.push_back(N);
    Format<T>::fill(field);
  }
};

template <class T>
Field field_of(const char* name, int offset) {
  Field field{name, "", {}, offset, {}, 0};
  Format<T>::fill(field);
  return field;
}

#define FATHOM_DECLARE(type, name) type name;
#define FATHOM_DESCRIBE(type, name) \
  fields.push_back(field_of<decltype(Self::name)>(#name, offsetof(Self, name)));
#define FATHOM_RECORD(Type, FIELDS)          \
  FIELDS(FATHOM_DECLARE)                     \
  static std::vector<Field> layout() {       \
    using Self = Type;                       \
    std::vector<Field> fields;               \
    FIELDS(FATHOM_DESCRIBE)                  \
    return fields;                           \
  }

template <class T>
using Two = std::array<T, 2>;
template <class T>
using Six = std::array<T, 6>;

}  // namespace fathom
