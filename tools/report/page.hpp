#pragma once

#include <string_view>

/// The sources in page/, as they were when this program was built.
namespace quadrille::report {

[[nodiscard]] std::string_view page_html();
[[nodiscard]] std::string_view page_style();
[[nodiscard]] std::string_view page_script();

}  // namespace quadrille::report
