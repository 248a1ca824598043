head -c 1500000 /dev/urandom >in/source.bin
