# cmake -DOUTPUT=file.cpp -DSOURCES="a.html;b.css;c.js" -P embed.cmake: the bytes of the files as C++, each under its name.
set(arrays "")
set(entries "")
set(number 0)
foreach(file IN LISTS SOURCES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "static const char file_${number}[] = {${bytes}};\n")
  string(APPEND entries "    {\"${name}\", {file_${number}, sizeof(file_${number})}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"tracker/console_files.hpp\"\n\nnamespace quadrille::tracker {\n${arrays}
std::span<const ConsoleFile> console_files() {
  static const ConsoleFile files[] = {\n${entries}  };
  return files;
}
}  // namespace quadrille::tracker\n")
