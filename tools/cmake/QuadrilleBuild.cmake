# How our targets are built: one function a kind of target, settings applied to our targets only.
include_guard(GLOBAL)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# Dev: optimised enough to run sagas by the hundred, cheap enough to compile, asserts on.
if(NOT CMAKE_CXX_FLAGS_DEV)  # project() has put an empty one into the cache
  set(CMAKE_CXX_FLAGS_DEV "-O1 -g1" CACHE STRING "Flags of the Dev build type" FORCE)
endif()
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Dev CACHE STRING "" FORCE)
endif()

find_program(QUADRILLE_CCACHE ccache)
if(QUADRILLE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${QUADRILLE_CCACHE})
endif()

foreach(linker mold lld)
  find_program(QUADRILLE_LINKER_${linker} NAMES ${linker} ld.${linker})
  if(QUADRILLE_LINKER_${linker})
    add_link_options(-fuse-ld=${linker})
    break()
  endif()
endforeach()

set(QUADRILLE_SANITIZE "" CACHE STRING "Sanitizers for everything, as -fsanitize= takes them")
if(QUADRILLE_SANITIZE)
  add_compile_options(-fsanitize=${QUADRILLE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${QUADRILLE_SANITIZE})
endif()

find_package(Threads REQUIRED)
find_package(Protobuf REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(pqxx REQUIRED IMPORTED_TARGET libpqxx)
pkg_check_modules(pq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(nats REQUIRED IMPORTED_TARGET libnats)
pkg_check_modules(uuid REQUIRED IMPORTED_TARGET uuid)
pkg_check_modules(httplib REQUIRED IMPORTED_TARGET cpp-httplib)
pkg_check_modules(prometheus REQUIRED IMPORTED_TARGET prometheus-cpp-core)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)

function(quadrille_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
                         -Wno-missing-field-initializers  # what a designated initializer leaves out has its default
                         -Wno-maybe-uninitialized         # g++ 12 sees ghosts in moved optionals at -O2 and under sanitizers
                         -Wno-restrict                    # g++ 12 again, for "literal" + string (GCC bug 105329)
                         -Werror)
endfunction()

# quadrille_library(NAME SOURCES ... DEPS ... PRIVATE ... [INCLUDE dir]): static library quadrille_NAME, alias
# quadrille::NAME. DEPS are what its headers need, PRIVATE what only its sources need; its own headers are below INCLUDE,
# by default framework/.
function(quadrille_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "INCLUDE" "SOURCES;DEPS;PRIVATE")
  if(NOT arg_INCLUDE)
    set(arg_INCLUDE ${PROJECT_SOURCE_DIR}/framework)
  endif()
  add_library(quadrille_${name} STATIC ${arg_SOURCES})
  add_library(quadrille::${name} ALIAS quadrille_${name})
  set_target_properties(quadrille_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(quadrille_${name} PUBLIC $<BUILD_INTERFACE:${arg_INCLUDE}>)
  target_link_libraries(quadrille_${name} PUBLIC ${arg_DEPS} PRIVATE ${arg_PRIVATE})
  quadrille_warnings(quadrille_${name})
endfunction()

# quadrille_program(NAME SOURCES ... DEPS ...)
function(quadrille_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_DEPS})
  quadrille_warnings(${name})
endfunction()

# quadrille_test(NAME SOURCES ... DEPS ... [LABELS ...] [TIMEOUT seconds]): a GoogleTest program, one CTest case each.
function(quadrille_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;DEPS;LABELS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_DEPS} GTest::gmock GTest::gtest_main)
  quadrille_warnings(${name})
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
    ENVIRONMENT_MODIFICATION "QUADRILLE_CLUSTER_TEMPLATE=set:${PROJECT_BINARY_DIR}/cluster-template")
endfunction()
