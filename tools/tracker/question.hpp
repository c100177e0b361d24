#pragma once

#include "http/http_message.hpp"
#include "quadrille/error.hpp"

#include <string>
#include <string_view>
#include <vector>

/// What a request may ask. Whatever is not understood is refused and named: a misspelt word must not be taken for
/// silence.
namespace quadrille::tracker {

/// Throws Error(park) that names a parameter other than these, or what is no text (UTF-8 without NUL).
void check_question(const http::Request& request, const std::vector<std::string_view>& parameters);

/// A parameter that is 1 or 0; false where there is none. Throws Error(park) for another value.
[[nodiscard]] bool asked_for(const http::Request& request, const std::string& parameter);

/// Throws Error(park) that names the parameter or field and lists the classes.
[[nodiscard]] ReasonClass reason_class_called(const std::string& parameter, const std::string& name);

/// Throws Error(park): parameter NAME: 'VALUE' is not WANTED.
[[noreturn]] void refuse_value(const std::string& parameter, const std::string& value, const std::string& wanted);

/// `a, b or c`
[[nodiscard]] std::string either(const std::vector<std::string_view>& words);

}  // namespace quadrille::tracker
