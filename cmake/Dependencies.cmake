# SPDX-License-Identifier: Apache-2.0
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Hidden symbols keep calls between blocks direct, even inside the Python extension.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

find_program(CCACHE ccache)
if(CCACHE)
  # ccache caches the tests' precompiled headers only if it may ignore macros and the time in them. It then hashes the
  # files that were read, not the preprocessed text, in which a header with changed comments would look the same. Paths
  # are relative to the sources, so that presets with the same options share compiled files.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

# Compiler options of every block. Contraction is off so that results are bit-identical on every instruction set.
add_library(nandscape_options INTERFACE)
target_compile_options(nandscape_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -ffp-contract=off)
# Loops over cells are vectorised in every build type; for floating-point loops this requires errno and traps to be
# ignored.
set(NANDSCAPE_KERNEL_OPTIONS -O3 -fno-math-errno -fno-trapping-math)
if(NANDSCAPE_SANITIZE)
  # Checks between all operations prevent vectorisation and keep the compiler busy for minutes.
  list(REMOVE_ITEM NANDSCAPE_KERNEL_OPTIONS -O3)
  target_compile_options(nandscape_options INTERFACE -fsanitize=${NANDSCAPE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(nandscape_options INTERFACE -fsanitize=${NANDSCAPE_SANITIZE})
endif()
if(NANDSCAPE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "libFuzzer comes with Clang: set CMAKE_CXX_COMPILER to clang++, as the preset `fuzz` does")
  endif()
  target_compile_options(nandscape_options INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1)
  target_link_options(nandscape_options INTERFACE -fsanitize=address,undefined)
endif()

# A profile tells the compiler which paths a run takes. Files without one, which the training does not run, are compiled
# as usual. The names of the profile's files are relative to the build folder, so that another preset finds them. The
# headers' paths differ between the two build folders, which GCC reports as changed source locations.
if(NANDSCAPE_PROFILE STREQUAL "record")
  set(NANDSCAPE_PROFILE_OPTIONS -fprofile-generate=${PROJECT_SOURCE_DIR}/build/profile)
elseif(NANDSCAPE_PROFILE)
  set(NANDSCAPE_PROFILE_OPTIONS
    -fprofile-use=${NANDSCAPE_PROFILE} -fprofile-partial-training -Wno-missing-profile -Wno-coverage-mismatch)
endif()
if(NANDSCAPE_PROFILE)
  target_compile_options(nandscape_options INTERFACE
    ${NANDSCAPE_PROFILE_OPTIONS} -fprofile-prefix-path=${PROJECT_BINARY_DIR})
  target_link_options(nandscape_options INTERFACE ${NANDSCAPE_PROFILE_OPTIONS})
endif()

# Link-time optimisation inlines the blocks' small functions where speed matters: in the extension and the programs,
# which link nandscape_link_time_optimisation. Tests use the ordinary code in the same objects, so they link fast.
add_library(nandscape_link_time_optimisation INTERFACE)
set(NANDSCAPE_BLOCK_OPTIONS "")
if(NANDSCAPE_LTO AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT NANDSCAPE_SANITIZE)
  set(NANDSCAPE_BLOCK_OPTIONS -flto=auto -ffat-lto-objects)
  target_compile_options(nandscape_link_time_optimisation INTERFACE -flto=auto)
  target_link_options(nandscape_link_time_optimisation INTERFACE -flto=auto)
endif()

# SystemC: a CMake package upstream, pkg-config on Debian. Debian's library exports only its C++17 interface, so
# SystemC's headers are pinned to C++17 while the project itself uses C++20.
add_library(nandscape_systemc INTERFACE)
find_package(SystemCLanguage CONFIG QUIET)
if(SystemCLanguage_FOUND)
  target_link_libraries(nandscape_systemc INTERFACE SystemC::systemc)
else()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc>=2.3.3)
  target_link_libraries(nandscape_systemc INTERFACE PkgConfig::SYSTEMC)
  target_compile_definitions(nandscape_systemc INTERFACE SC_CPLUSPLUS=201703L)
endif()

find_package(Boost 1.74 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(Threads REQUIRED)
