// A saga that breaks a law is refused when its program starts, with what is wrong and how to mend it.
#include "contract/fingerprint.hpp"
#include "orchestrated/checkout.hpp"
#include "quadrille/error.hpp"
#include "runtime/part.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include <functional>

namespace orchestrated {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptorProto;
using google::protobuf::ServiceDescriptor;
using Change = std::function<void(const std::string& rpc, quadrille::v1::Step& step)>;

/// The checkout with other options, linked into a program all the same.
class Mistaken final : public quadrille::Participant {
 public:
  explicit Mistaken(const Change& change) {
    const checkout::CheckoutService right;
    const auto& service = right.contract();
    FileDescriptorProto file;
    file.set_name("mistaken.proto");
    file.set_package("mistaken");
    file.add_dependency(service.file()->name());
    for (int i = 0; i < service.file()->dependency_count(); ++i)
      file.add_dependency(service.file()->dependency(i)->name());
    *file.mutable_options() = service.file()->options();
    service.CopyTo(file.add_service());
    for (auto& method : *file.mutable_service(0)->mutable_method())
      if (method.options().HasExtension(quadrille::v1::step))
        change(method.name(), *method.mutable_options()->MutableExtension(quadrille::v1::step));
    service_ = pool_.BuildFile(file)->service(0);
    fingerprint_ = quadrille::contract::fingerprint(*service_);
  }
  [[nodiscard]] const ServiceDescriptor& contract() const override { return *service_; }
  [[nodiscard]] std::string_view fingerprint() const override { return fingerprint_; }
  [[nodiscard]] std::unique_ptr<quadrille::Aggregate> new_aggregate() const override { return nullptr; }
  [[nodiscard]] std::unique_ptr<google::protobuf::Message> handle(int, const google::protobuf::Message&,
                                                                  const quadrille::Aggregate&,
                                                                  quadrille::Step&) override {
    return nullptr;
  }

 private:
  DescriptorPool pool_{DescriptorPool::generated_pool()};
  const ServiceDescriptor* service_ = nullptr;
  std::string fingerprint_;
};

/// Why the program does not start; empty where it does.
std::string refusal(const Change& change) {
  Mistaken mistaken(change);
  try {
    const quadrille::runtime::Part part(mistaken);
    return {};
  } catch (const quadrille::Error& error) {
    EXPECT_EQ(error.disposition(), quadrille::Disposition::stop);
    return error.what();
  }
}

using quadrille::v1::Step;

TEST(LawsOfASaga, LetTheShopStart) {
  EXPECT_EQ(refusal([](const auto&, Step&) {}), "");
}

TEST(LawsOfASaga, AreNotChangedBySettings) {
  checkout::CheckoutService service;
  EXPECT_THROW(quadrille::runtime::Part(service, {{"TimeOut", std::chrono::milliseconds(1)}}), quadrille::Error);
}

TEST(LawsOfASaga, RefuseTwoPivots) {
  const auto why = refusal([](const auto& rpc, Step& step) {
    if (rpc == "Book") step.set_kind(quadrille::v1::PIVOT);
  });
  EXPECT_NE(why.find("mistaken.proto: QDR135: step Book is a second pivot; the first is Capture"), std::string::npos)
      << why;
}

TEST(LawsOfASaga, RefuseNoPivot) {
  const auto why = refusal([](const auto& rpc, Step& step) {
    if (rpc == "Capture") step.set_kind(quadrille::v1::QUERY);
  });
  EXPECT_NE(why.find("QDR135: the saga has no pivot"), std::string::npos) << why;
}

TEST(LawsOfASaga, RefuseACompensationAfterThePivot) {
  const auto why = refusal([](const auto& rpc, Step& step) {
    if (rpc != "Book") return;
    step.set_kind(quadrille::v1::COMPENSATABLE);
    step.set_compensated_by("Void");
  });
  EXPECT_NE(why.find("QDR136: step Book has a compensation but comes after, or beside, pivot Capture"),
            std::string::npos)
      << why;
}

TEST(LawsOfASaga, RefuseACompensationBesideThePivot) {
  const auto why = refusal([](const auto& rpc, Step& step) {
    if (rpc == "Reserve" || rpc == "Capture") step.set_group("both");
  });
  EXPECT_NE(why.find("QDR136: step Reserve has a compensation but comes after, or beside, pivot Capture"),
            std::string::npos)
      << why;
}

TEST(LawsOfASaga, RefuseAStepThatNothingUndoes) {
  const auto why = refusal([](const auto& rpc, Step& step) {
    if (rpc == "Authorize") step.clear_compensated_by();
  });
  EXPECT_NE(why.find("QDR137: step Authorize is COMPENSATABLE but nothing undoes it"), std::string::npos) << why;
}

}  // namespace
}  // namespace orchestrated
