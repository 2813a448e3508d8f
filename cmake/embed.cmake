# cmake -DOUT=<file> -DROOT=<cpp> -DFILES=<list> -P embed.cmake: writes the texts of the files as an array of {name, text},
# named as they are included. Run at build time, so that a changed header is embedded anew.
set(piece_bytes 15000)  # compilers limit one string literal to 16 KB; neighbours are joined

function(append_text variable text)
  set(result "")
  string(LENGTH "${text}" left)
  while(left GREATER piece_bytes)
    string(SUBSTRING "${text}" 0 ${piece_bytes} piece)
    string(FIND "${piece}" "\n" cut REVERSE)
    math(EXPR cut "${cut} + 1")
    if(cut EQUAL 0)
      set(cut ${piece_bytes})
    endif()
    string(SUBSTRING "${text}" 0 ${cut} piece)
    string(SUBSTRING "${text}" ${cut} -1 text)
    string(LENGTH "${text}" left)
    string(APPEND result "R\"embedded(${piece})embedded\"\n")
  endwhile()
  string(APPEND result "R\"embedded(${text})embedded\"")
  set(${variable} "${result}" PARENT_SCOPE)
endfunction()

set(content "// Written by cmake/embed.cmake from the headers themselves.\n#pragma once\n\nnamespace bascule::cuda {\n
struct embedded_header { char const* name; char const* text; };\n
inline constexpr embedded_header embedded_headers[] = {\n")
foreach(file IN LISTS FILES)
  string(REGEX REPLACE "^${ROOT}/(include/)?" "" name "${file}")
  file(READ "${file}" text)
  # Sentences of the documentation stay behind: NVIDIA's compilers put them into the image of every kernel.
  string(REGEX REPLACE "\\.doc = (\"([^\"\\\\]|\\\\.)*\"[ \n]*)+" ".doc = \"\"" text "${text}")
  append_text(literal "${text}")
  string(APPEND content "{\"${name}\", ${literal}},\n")
endforeach()
string(APPEND content "};\n\n}  // namespace bascule::cuda\n")
file(WRITE "${OUT}" "${content}")
