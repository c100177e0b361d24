#pragma once

#include "quadrille/casefile/v1/case.pb.h"

#include <google/protobuf/descriptor.h>

namespace quadrille::cases {

/// Replaces what contracts mark as direct personal data. Texts become pseudonyms: the same where the text was the same,
/// so that a step decides as it did, and of no use beside another case; keys too, with their streams. Other values are
/// cleared. A payload without descriptor is left out, for nothing says what it holds, and so are fields that the
/// descriptor does not know.
void redact(casefile::v1::Case& one, const google::protobuf::DescriptorPool& pool);

}  // namespace quadrille::cases
