// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/fields.hpp"
#include "core/library_setting.hpp"
#include "core/mapping.hpp"

namespace breakeven {

using Json = nlohmann::ordered_json;

/// How a type is written to JSON, and read from it: objects by their fields, quantities as numbers,
/// enumerations by their names. Reading throws Json::exception or Error where the JSON is another
/// type's.
template <typename T>
struct JsonOf;

template <typename T>
[[nodiscard]] Json json_of(const T& value) {
  return JsonOf<T>::write(value);
}

template <typename T>
[[nodiscard]] T value_in(const Json& json) {
  return JsonOf<T>::read(json);
}

/// On one line. Text from outside (a host's name, a processor's) need not be UTF-8; other bytes are
/// replaced by a mark.
[[nodiscard]] inline std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// nlohmann-json rounds and wraps numbers that do not fit; here they are errors.
struct NoSuchInteger : Error {
  using Error::Error;
};

/// An object by the fields of its type, or by others.
template <typename Object>
[[nodiscard]] Json object_json(const auto& fields, const Object& object) {
  Json json = Json::object();
  for_each_field(fields, [&](const auto& field) {
    const auto& value = field.get(object);
    json[std::string{field.name}] = json_of(value);
  });
  return json;
}

template <typename Object>
[[nodiscard]] Object object_in(const auto& fields, const Json& json) {
  Object object;
  for_each_field(fields, [&]<typename F>(const F& field) {
    const Json& value = json.at(std::string{field.name});
    const auto refuse = [&](const std::string& why) {
      throw UsageError(fmt::format("'{}' is {}, {}", field.name, value.dump(), why));
    };
    try {
      field.set(object, value_in<ValueOf<Object, F>>(value));
    } catch (const NoSuchInteger&) {
      refuse("no whole number that fits");
    } catch (const Json::type_error&) {
      refuse("of another type");
    }
    if (value.is_number() && value.get<double>() < field.least) {
      refuse(fmt::format("less than {}", field.least));
    }
    if (value.is_number() && value.get<double>() > field.most) {
      refuse(fmt::format("more than {}", field.most));
    }
  });
  return object;
}

template <HasFields Object>
struct JsonOf<Object> {
  static Json write(const Object& object) {
    return object_json(fields(std::type_identity<Object>{}), object);
  }
  static Object read(const Json& json) {
    return object_in<Object>(fields(std::type_identity<Object>{}), json);
  }
};

template <typename T>
  requires std::is_arithmetic_v<T>
struct JsonOf<T> {
  static Json write(T value) { return value; }

  static T read(const Json& json) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                                  : json.is_number_integer() &&
                                                        std::in_range<T>(json.get<std::int64_t>());
      if (!fits) throw NoSuchInteger{json.dump()};
    }
    return json.get<T>();
  }
};

/// A quantity: Seconds, Bytes, Rank.
template <typename T>
  requires(std::is_class_v<T> && sizeof(T) == sizeof(T::value))
struct JsonOf<T> {
  using Number = decltype(T::value);
  static Json write(T quantity) { return quantity.value; }
  static T read(const Json& json) { return {value_in<Number>(json)}; }
};

template <typename Enum>
  requires std::is_enum_v<Enum>
struct JsonOf<Enum> {
  static Json write(Enum value) { return names(value).of(value); }
  static Enum read(const Json& json) { return names(Enum{}).parse(json.get<std::string>()); }
};

template <>
struct JsonOf<std::string> {
  static Json write(const std::string& text) { return text; }
  static std::string read(const Json& json) { return json.get<std::string>(); }
};

template <typename T, T parse(std::string_view)>
struct JsonText {
  static Json write(const T& value) { return to_text(value); }
  static T read(const Json& json) { return parse(json.get<std::string>()); }
};
template <>
struct JsonOf<Mapping> : JsonText<Mapping, Mapping::parse> {};
template <>
struct JsonOf<LibrarySettings> : JsonText<LibrarySettings, parse_library_settings> {};

/// An unknown value is null.
template <typename T>
struct JsonOf<std::optional<T>> {
  static Json write(const std::optional<T>& value) { return value ? json_of(*value) : Json{}; }
  static std::optional<T> read(const Json& json) {
    if (json.is_null()) return std::nullopt;
    return value_in<T>(json);
  }
};

template <typename T>
struct JsonOf<std::vector<T>> {
  static Json write(const std::vector<T>& values) {
    Json json = Json::array();
    for (const T& each : values) json.push_back(json_of(each));
    return json;
  }
  static std::vector<T> read(const Json& json) {
    std::vector<T> values;
    for (const Json& each : json) values.push_back(value_in<T>(each));
    return values;
  }
};

/// An object; its keys are texts, or names of enumerations.
template <typename Key, typename T>
struct JsonOf<std::map<Key, T>> {
  static Json write(const std::map<Key, T>& values) {
    Json json = Json::object();
    for (const auto& [key, value] : values)
      json[json_of(key).template get<std::string>()] = json_of(value);
    return json;
  }
  static std::map<Key, T> read(const Json& json) {
    std::map<Key, T> values;
    for (const auto& [key, value] : json.items()) values[value_in<Key>(key)] = value_in<T>(value);
    return values;
  }
};

}  // namespace breakeven
