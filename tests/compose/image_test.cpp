// What compose/Dockerfile installs, against what the programs are linked with here.
#include "compose_tree.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace quadrille {
namespace {

std::set<std::string> words(const std::string& text) {
  std::istringstream input(text);
  std::set<std::string> result;
  for (std::string word; input >> word;)
    if (word != "\\") result.insert(word);
  return result;
}

/// The packages of the libraries that the programs name themselves; theirs come with them.
std::set<std::string> packages_of(const std::vector<std::string>& programs) {
  std::string files;
  for (const auto& program : programs) files += " " + (binaries() / program).string();
  // A file may be known by its path below / or below /usr, which are the same folder.
  const auto answer = run({"/bin/sh", "-c",
                           "objdump -p" + files +
                               R"sh( | awk '/NEEDED/ && /\.so/ { print $2 }' | sort -u | while read -r library; do
                 file=$(readlink -f "$(ldconfig -p | awk -v l="$library" '$1 == l { print $NF; exit }')")
                 printf '%s\n%s\n' "$file" "${file#/usr}"
               done | sort -u | xargs dpkg -S 2>/dev/null | cut -d: -f1 | sort -u)sh"});
  EXPECT_EQ(answer.exit_code, 0) << answer.output;
  return words(answer.output);
}

TEST(Image, InstallsExactlyWhatItsProgramsAreLinkedWith) {
  if (!content("/etc/debian_version").starts_with("12")) GTEST_SKIP() << "the image is Debian 12, this is not";
  std::set<std::string> linked{"ca-certificates", "curl"};
  linked.merge(packages_of({"quadrille", "shop-order", "shop-payment", "shop-inventory", "shop-shipping"}));
  for (const auto* base : {"libc6", "libgcc-s1"}) linked.erase(base);  // of every Debian
  const auto file = content(compose("Dockerfile"));
  std::smatch runtime;
  ASSERT_TRUE(std::regex_search(file, runtime, std::regex("(ca-certificates curl[^&]*)&& rm -rf"))) << file;
  EXPECT_EQ(words(runtime[1].str()), linked);
}

TEST(Image, IsBuiltWithThePackagesThatTheSetUpInstalls) {
  EXPECT_NE(content(compose("Dockerfile")).find("install -q -y --no-install-recommends \"${build_packages[@]}\""),
            std::string::npos);
  const auto list = run({"/bin/bash", "-c", ". tools/lib/setup.sh; echo \"${build_packages[@]}\""});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_TRUE(words(list.output).contains("libnats-dev")) << list.output;
}

TEST(Image, RunsAsAUserThatIsNobodyElse) {
  const auto file = content(compose("Dockerfile"));
  EXPECT_NE(file.find("\nUSER 10001\n"), std::string::npos);
  EXPECT_NE(file.find("--uid 10001"), std::string::npos);
}

}  // namespace
}  // namespace quadrille
