head -c 5000001 /dev/urandom >in/big.bin
