# Turns a file into the initialiser of a C array: cmake -DFROM=file -DTO=file.inc -P bytes.cmake
file(READ ${FROM} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){16})" "\\1\n" bytes "${bytes}")
file(WRITE ${TO} "${bytes}\n")
