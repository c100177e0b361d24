#pragma once

#include <string>

namespace google::protobuf {
class ServiceDescriptor;
}

namespace quadrille::contract {

/// The text a fingerprint is taken of: the steps of a service and every message they reach, with the options that mean
/// something, sorted, in a form of our own that is versioned by its first line. Comments, file names and the order of
/// declarations do not count. (Never DebugString: protobuf does not promise it is stable.)
[[nodiscard]] std::string canonical_text(const google::protobuf::ServiceDescriptor& service);

/// SHA-256 of canonical_text, lower-case hexadecimal.
[[nodiscard]] std::string fingerprint(const google::protobuf::ServiceDescriptor& service);

}  // namespace quadrille::contract
