#!/bin/sh
# visit.sh REQUESTS PORT: asks the Shop for pages over eight connections that stay open, then to stop.
ab -q -k -c 8 -n "$1" "http://127.0.0.1:$2/books" && ab -q -n 1 "http://127.0.0.1:$2/stop"
