# What every room shares: the compiler flags, and bascule_room(), which turns a folder into a static library.
find_package(Threads REQUIRED)

# No contraction: fusing must never change a bit. No errno: a call to sqrt stays one instruction.
add_library(bascule_flags INTERFACE)
target_compile_options(bascule_flags INTERFACE -Wall -Wextra -ffp-contract=off -fno-math-errno
  $<$<BOOL:${BASCULE_WERROR}>:-Werror>)
if(BASCULE_SANITIZE)
  target_compile_options(bascule_flags INTERFACE -fsanitize=${BASCULE_SANITIZE} -fno-omit-frame-pointer -g1)
  target_link_options(bascule_flags INTERFACE -fsanitize=${BASCULE_SANITIZE})
endif()

# bascule_sources(<variable> <folder>): the .cpp files of a folder, or one empty file, so that an empty room is a library too.
function(bascule_sources variable folder)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(NOT sources)
    set(sources ${PROJECT_SOURCE_DIR}/cmake/empty.cpp)
  endif()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# bascule_room(<name> <folder>): the static library bascule_<name> (also bascule::<name>) of all sources of the folder.
function(bascule_room name folder)
  bascule_sources(sources ${folder})
  add_library(bascule_${name} STATIC ${sources})
  add_library(bascule::${name} ALIAS bascule_${name})
  set_target_properties(bascule_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(bascule_${name} PUBLIC bascule_ops PRIVATE $<BUILD_INTERFACE:bascule_flags>)
  set_property(GLOBAL APPEND PROPERTY BASCULE_INSTALLED bascule_${name})
endfunction()

# bascule_portable(<target>): a library of a wheel, which is to run where glibc is older and the C++ library is another's.
# Before glibc 2.34 the older versions of its functions lie in three libraries beside it.
function(bascule_portable target)
  if(NOT BASCULE_PORTABLE)
    return()
  endif()
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/older_glibc.cpp)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/cmake/older_glibc.cpp TARGET_DIRECTORY ${target}
    PROPERTIES COMPILE_OPTIONS -fno-builtin)
  target_link_options(${target} PRIVATE -static-libstdc++ LINKER:--exclude-libs,ALL)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_link_options(${target} PRIVATE LINKER:--push-state,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2
      -l:librt.so.1 LINKER:--pop-state)
  endif()
endfunction()
