// Measures the checker on estates nobody has. The limit beside each figure is what protobuf alone takes to build the
// descriptors of the same contracts, in the same run.
#include "checker/check.hpp"
#include "checker/load.hpp"
#include "checker/load_cached.hpp"
#include "checker/sarif.hpp"
#include "embedded/child_process.hpp"
#include "estate/estate.hpp"

#include <CLI/CLI.hpp>
#include <google/protobuf/compiler/importer.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <sys/resource.h>

namespace quadrille::bench {
namespace {

namespace fs = std::filesystem;
using google::protobuf::FileDescriptorSet;

/// Files that are only in memory, beside those on disk.
class MemoryTree final : public google::protobuf::compiler::SourceTree {
 public:
  explicit MemoryTree(const std::map<std::string, std::string>& files) : files_(files) {
    disk_.MapPath("quadrille/v1", QUADRILLE_CONTRACTS "/quadrille/v1");
    disk_.MapPath("google/protobuf", "/usr/include/google/protobuf");
  }
  google::protobuf::io::ZeroCopyInputStream* Open(const std::string& name) override {
    const auto file = files_.find(name);
    if (file == files_.end()) return disk_.Open(name);
    return new google::protobuf::io::ArrayInputStream(file->second.data(), static_cast<int>(file->second.size()));
  }

 private:
  const std::map<std::string, std::string>& files_;
  google::protobuf::compiler::DiskSourceTree disk_;
};

class Loud final : public google::protobuf::compiler::MultiFileErrorCollector {
 public:
  void AddError(const std::string& file, int line, int, const std::string& message) override {
    throw std::runtime_error(file + ":" + std::to_string(line) + ": " + message);
  }
};

void add_file(const google::protobuf::FileDescriptor& file, FileDescriptorSet& set, std::set<std::string>& added) {
  if (!added.insert(file.name()).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) add_file(*file.dependency(i), set, added);
  auto& proto = *set.add_file();
  file.CopyTo(&proto);
  file.CopySourceCodeInfoTo(&proto);
}

FileDescriptorSet compile(const estate::Estate& estate) {
  MemoryTree tree(estate.files);
  Loud errors;
  google::protobuf::compiler::Importer importer(&tree, &errors);
  FileDescriptorSet set;
  std::set<std::string> added;
  for (const auto& [name, text] : estate.files) add_file(*importer.Import(name), set, added);
  return set;
}

double seconds(std::chrono::steady_clock::duration time) { return std::chrono::duration<double>(time).count(); }

template <class Work>
double time_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return seconds(std::chrono::steady_clock::now() - start);
}

double peak_gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0 / 1024.0;
}

struct Figures {
  std::size_t participants = 0;
  std::size_t steps = 0;
  std::size_t events = 0;
  double raw = 0;    ///< protobuf alone
  double load = 0;   ///< bytes -> model
  double judge = 0;  ///< model -> findings
  double sarif = 0;  ///< findings -> SARIF
  std::size_t findings = 0;
  double memory = 0;  ///< peak of the process so far, GB
};

Figures measure(std::size_t participants, std::size_t sagas) {
  const auto bytes = compile(estate::generate(participants, {participants, sagas, 1})).SerializeAsString();
  Figures figures;
  figures.raw = time_of([&] {
    FileDescriptorSet set;
    set.ParseFromString(bytes);
    google::protobuf::DescriptorPool pool;
    for (const auto& file : set.file()) pool.BuildFile(file);
  });
  std::optional<checker::Contracts> contracts;
  figures.load = time_of([&] {
    FileDescriptorSet set;
    set.ParseFromString(bytes);
    contracts.emplace(set, "estate");
  });
  const auto& model = contracts->reading().model;
  std::vector<checker::Finding> findings;
  figures.judge = time_of([&] { findings = checker::check(contracts->reading()); });
  figures.sarif = time_of([&] { static_cast<void>(checker::as_sarif(findings, "bench")); });
  figures.participants = model.participants.size();
  for (const auto& participant : model.participants) figures.steps += participant.steps.size();
  figures.events = model.events.size();
  figures.findings = findings.size();
  figures.memory = peak_gigabytes();
  return figures;
}

/// One file of 3,000 services changes; everything else is known from the run before.
double time_of_one_change() {
  embedded::TemporaryFolder folder;
  estate::generate(3'000, {3'000, 1'750, 1}).write(folder.path());
  const auto cache = folder.path() / "cache";
  static_cast<void>(checker::read_cached({folder.path() / "estate"}, {folder.path()}, cache));
  for (const auto& entry : fs::directory_iterator(folder.path() / "estate")) {
    std::ofstream(entry.path(), std::ios::app) << "// changed\n";
    break;
  }
  return time_of([&] {
    static_cast<void>(checker::check(checker::read_cached({folder.path() / "estate"}, {folder.path()}, cache)));
  });
}

/// Slope of a line through the logarithms: 1 is linear.
double exponent(const std::vector<Figures>& all) {
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const auto& one : all) {
    const auto lx = std::log(static_cast<double>(one.steps));
    const auto ly = std::log(one.load + one.judge);
    x += lx;
    y += ly;
    xx += lx * lx;
    xy += lx * ly;
  }
  const auto n = static_cast<double>(all.size());
  return (n * xy - x * y) / (n * xx - x * x);
}

void print(const std::vector<Figures>& all) {
  std::printf("%8s %8s %8s %10s %10s %10s %10s %10s %8s\n", "services", "steps", "events", "protobuf s", "load s",
              "checks s", "SARIF s", "load/raw", "peak GB");
  for (const auto& one : all)
    std::printf("%8zu %8zu %8zu %10.3f %10.3f %10.3f %10.3f %10.2f %8.2f\n", one.participants, one.steps, one.events,
                one.raw, one.load, one.judge, one.sarif, one.load / one.raw, one.memory);
  if (all.size() > 1) std::printf("time grows with steps to the power of %.2f\n", exponent(all));
}

std::string json(const std::vector<Figures>& all) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& one : all)
    list.push_back({{"participants", one.participants},
                    {"steps", one.steps},
                    {"events", one.events},
                    {"protobuf_s", one.raw},
                    {"load_s", one.load},
                    {"checks_s", one.judge},
                    {"sarif_s", one.sarif},
                    {"peak_gb", one.memory}});
  nlohmann::ordered_json document{{"sizes", list}};
  if (all.size() > 1) document["exponent"] = exponent(all);
  return document.dump(2) + "\n";
}

int run(int argc, char** argv) {
  CLI::App app("Measures the checker on generated estates of growing size, beside what protobuf alone takes.");
  bool quick = false;
  bool as_json = false;
  std::string write;
  app.add_flag("--quick", quick, "Two small sizes");
  app.add_flag("--json", as_json, "Figures as JSON");
  app.add_option("--write", write, "Writes the .proto files of 3,000 services into this folder, and measures nothing");
  CLI11_PARSE(app, argc, argv);
  if (!write.empty()) {
    estate::generate(3'000, {3'000, 1'750, 1}).write(write);
    return 0;
  }
  std::vector<std::pair<std::size_t, std::size_t>> sizes{{100, 115}, {1'000, 580}, {3'000, 1'750}, {20'000, 11'600}};
  if (quick) sizes.resize(2);
  std::vector<Figures> all;
  for (const auto& [participants, sagas] : sizes) {
    std::cerr << "measuring " << participants << " services ...\n";
    all.push_back(measure(participants, sagas));
  }
  if (as_json)
    std::cout << json(all);
  else
    print(all);
  if (!quick && !as_json)
    std::printf("one file of 3,000 services changed, the rest from the cache: %.3f s\n", time_of_one_change());
  return 0;
}

}  // namespace
}  // namespace quadrille::bench

int main(int argc, char** argv) { return quadrille::bench::run(argc, argv); }
