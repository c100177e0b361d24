# quadrille_contract(TARGET PROTOS a.proto ... [IMPORT_DIR dir] [DEPS targets...]): a library of the messages and, for
# each file that declares a participant, the header `a.quadrille.hpp` with the base class of its steps.
include_guard(GLOBAL)

# The C++ classes of .proto files, without the steps.
function(quadrille_messages target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "IMPORT_DIR" "PROTOS;DEPS")
  if(NOT arg_IMPORT_DIR)
    set(arg_IMPORT_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/generated)
  file(MAKE_DIRECTORY ${out})
  add_library(${target} STATIC ${arg_PROTOS})
  target_link_libraries(${target} PUBLIC protobuf::libprotobuf ${arg_DEPS})
  target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${out}>)
  protobuf_generate(TARGET ${target} LANGUAGE cpp IMPORT_DIRS ${arg_IMPORT_DIR} ${QUADRILLE_CONTRACTS_DIR} PROTOC_OUT_DIR ${out})
endfunction()

function(quadrille_contract target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "IMPORT_DIR" "PROTOS;DEPS")
  if(NOT arg_IMPORT_DIR)
    set(arg_IMPORT_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  quadrille_messages(${target} PROTOS ${arg_PROTOS} IMPORT_DIR ${arg_IMPORT_DIR} DEPS quadrille::api ${arg_DEPS})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/generated)
  set(headers)
  foreach(proto ${arg_PROTOS})
    get_filename_component(absolute ${proto} ABSOLUTE)
    file(RELATIVE_PATH relative ${arg_IMPORT_DIR} ${absolute})
    if(relative MATCHES "_events\\.proto$")
      continue()
    endif()
    string(REGEX REPLACE "\\.proto$" ".quadrille.hpp" header ${out}/${relative})
    add_custom_command(
      OUTPUT ${header}
      COMMAND protobuf::protoc --plugin=protoc-gen-quadrille=$<TARGET_FILE:quadrille::protoc-gen-quadrille> --quadrille_out=${out} -I ${arg_IMPORT_DIR} -I ${QUADRILLE_CONTRACTS_DIR} ${absolute}
      DEPENDS ${absolute} quadrille::protoc-gen-quadrille ${arg_PROTOS}
      COMMENT "Steps of ${relative}"
      VERBATIM)
    list(APPEND headers ${header})
  endforeach()
  target_sources(${target} PRIVATE ${headers})
endfunction()
