head -c 3000000 /dev/urandom >in/mapped.bin
