// The bytes of every event that was ever released: today's programs read them, and write them again the same.
#include "quadrille/v1/options.pb.h"
#include "quadrille/v1/supervision_events.pb.h"
#include "shop/inventory/v1/inventory_events.pb.h"
#include "shop/order/v1/order_events.pb.h"
#include "shop/payment/v1/payment_events.pb.h"
#include "shop/shipping/v1/shipping_events.pb.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>

namespace quadrille {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;
using google::protobuf::Message;

std::set<const FileDescriptor*> event_files() {
  return {::shop::inventory::v1::StockReserved::descriptor()->file(),
          ::shop::order::v1::OrderPlaced::descriptor()->file(),
          ::shop::payment::v1::PaymentVoided::descriptor()->file(),
          ::shop::shipping::v1::ShipmentBooked::descriptor()->file(), v1::StepStuck::descriptor()->file()};
}

std::string to_hex(const std::string& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", byte);
    text += digits.data();
  }
  return text;
}

std::string from_hex(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return bytes;
}

/// Every field has a value that tells which one it is.
void fill(Message& message) {
  const auto* reflection = message.GetReflection();
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const auto* field = message.GetDescriptor()->field(i);
    ASSERT_FALSE(field->is_repeated()) << field->full_name() << ": teach this test repeated fields";
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_STRING:
        reflection->SetString(&message, field, field->name());
        break;
      case FieldDescriptor::CPPTYPE_UINT32:
        reflection->SetUInt32(&message, field, static_cast<std::uint32_t>(field->number()));
        break;
      case FieldDescriptor::CPPTYPE_UINT64:
        reflection->SetUInt64(&message, field, static_cast<std::uint64_t>(field->number()));
        break;
      case FieldDescriptor::CPPTYPE_INT32:
        reflection->SetInt32(&message, field, field->number());
        break;
      case FieldDescriptor::CPPTYPE_INT64:
        reflection->SetInt64(&message, field, field->number());
        break;
      case FieldDescriptor::CPPTYPE_BOOL:
        reflection->SetBool(&message, field, true);
        break;
      case FieldDescriptor::CPPTYPE_ENUM:
        reflection->SetEnumValue(&message, field, 1);
        break;
      case FieldDescriptor::CPPTYPE_MESSAGE:
        fill(*reflection->MutableMessage(&message, field));
        break;
      default:
        FAIL() << field->full_name() << ": teach this test its type";
    }
  }
}

std::unique_ptr<Message> make(const Descriptor& type) {
  return std::unique_ptr<Message>(google::protobuf::MessageFactory::generated_factory()->GetPrototype(&type)->New());
}

class GoldenEvents : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto* file : event_files())
      for (int i = 0; i < file->message_type_count(); ++i)
        if (file->message_type(i)->options().HasExtension(v1::event))
          types_[file->message_type(i)->full_name()] = file->message_type(i);
    std::ifstream input(QUADRILLE_SOURCE_DIR "/tests/wire/golden/events.txt");
    for (std::string line; std::getline(input, line);) {
      std::istringstream words(line);
      std::string type;
      std::string hex;
      if (line.starts_with('#') || !(words >> type >> hex)) continue;
      golden_.emplace(type, hex);
    }
    ASSERT_FALSE(types_.empty());
  }

  std::map<std::string, const Descriptor*> types_;
  std::multimap<std::string, std::string> golden_;  ///< hexadecimal bytes by type
};

TEST_F(GoldenEvents, EveryFileOfEventsIsHere) {
  std::set<std::string> linked;
  for (const auto* file : event_files()) linked.insert(file->name());
  const std::filesystem::path root = QUADRILLE_SOURCE_DIR "/contracts";
  for (const auto* folder : {"shop", "quadrille"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
      if (entry.path().string().ends_with("_events.proto")) {
        const auto name = std::filesystem::relative(entry.path(), root).string();
        EXPECT_TRUE(linked.contains(name)) << name << " is not among event_files()";
      }
}

TEST_F(GoldenEvents, WhatWasReleasedReadsAndWritesAsItDid) {
  for (const auto& [type, hex] : golden_) {
    ASSERT_TRUE(types_.contains(type)) << type << " is gone: events that were released stay, or are upcast";
    const auto bytes = from_hex(hex);
    const auto event = make(*types_.at(type));
    ASSERT_TRUE(event->ParseFromString(bytes)) << type;
    EXPECT_TRUE(event->GetReflection()->GetUnknownFields(*event).empty())
        << type << " has lost a field that was released: " << event->ShortDebugString();
    EXPECT_EQ(to_hex(event->SerializeAsString()), hex) << type;
  }
}

TEST_F(GoldenEvents, EveryEventOfTodayIsAmongThem) {
  for (const auto& [type, descriptor] : types_) {
    const auto event = make(*descriptor);
    fill(*event);
    const auto hex = to_hex(event->SerializeAsString());
    const auto [begin, end] = golden_.equal_range(type);
    EXPECT_TRUE(std::any_of(begin, end, [&](const auto& line) { return line.second == hex; }))
        << "add to tests/wire/golden/events.txt, and leave its other lines:\n"
        << type << " " << hex;
  }
}

}  // namespace
}  // namespace quadrille
