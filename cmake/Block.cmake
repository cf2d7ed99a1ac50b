# SPDX-License-Identifier: Apache-2.0
# nandscape_block(NAME SOURCES ... DEPENDS ...): makes a static library of the calling folder.
#
# A block's headers are included as "NAME/header.h", and only by targets that depend on it: each block gets an include
# folder that contains only a link to the block. There is no global include path, so a forbidden dependency between
# blocks does not compile.
function(nandscape_block NAME)
  cmake_parse_arguments(BLOCK "" "" "SOURCES;DEPENDS" ${ARGN})
  nandscape_headers(${NAME})
  nandscape_part(${NAME} SOURCES ${BLOCK_SOURCES} DEPENDS nandscape_${NAME}_headers ${BLOCK_DEPENDS})
endfunction()

# nandscape_headers(NAME): exports the headers of the calling folder, for a block that consists of parts only.
function(nandscape_headers NAME)
  set(include_folder ${PROJECT_BINARY_DIR}/include/${NAME})
  file(MAKE_DIRECTORY ${include_folder})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${include_folder}/${NAME} SYMBOLIC)
  add_library(nandscape_${NAME}_headers INTERFACE)
  target_include_directories(nandscape_${NAME}_headers INTERFACE
    $<BUILD_INTERFACE:${include_folder}> $<INSTALL_INTERFACE:include/nandscape>)
  target_compile_features(nandscape_${NAME}_headers INTERFACE cxx_std_20)
  target_link_libraries(nandscape_${NAME}_headers INTERFACE $<BUILD_INTERFACE:nandscape_options>)
endfunction()

# nandscape_part(NAME SOURCES ... DEPENDS ...): adds another library to the block of the calling folder, for example for
# its SystemC modules.
function(nandscape_part NAME)
  cmake_parse_arguments(PART "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(nandscape_${NAME} STATIC ${PART_SOURCES})
  target_compile_options(nandscape_${NAME} PRIVATE ${NANDSCAPE_BLOCK_OPTIONS})
  target_link_libraries(nandscape_${NAME} PUBLIC ${PART_DEPENDS})
endfunction()
