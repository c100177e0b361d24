#include "checker/rules.hpp"

namespace quadrille::checker {

void check_data(const Context& context) {
  for (const auto& [name, event] : context.graph.model().events) {
    if (event.key_field.empty())
      context.add("QDR170", Severity::error, event.location, name + " has no key",
                  "mark the string field that names its aggregate with [(quadrille.v1.field).key = true]");
    for (const auto& field : event.personal_fields)
      context.add("QDR172", event.is_public ? Severity::error : Severity::warning, event.location,
                  event.short_name + "." + field + " carries direct personal data in a log that is never rewritten",
                  "record a reference to where the data can be erased");
  }
}

}  // namespace quadrille::checker
