# Writes OUTPUT, C++ string literals of the files TEXTS with a comma behind each: cmake -DOUTPUT=... -DTEXTS=a;b -P EmbedTexts.cmake
set(literals "")
foreach(path IN LISTS TEXTS)
  file(READ ${path} text)
  string(APPEND literals "R\"KILN(${text})KILN\",\n")
endforeach()
file(WRITE ${OUTPUT} "${literals}")
