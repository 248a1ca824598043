#!/bin/sh
# make_big.sh: prints Big.java: methods so long that branches across them stop reaching when code is added.
set -eu
statements() {
    i=0
    while [ $i -lt "$1" ]; do
        echo "            a = a * 31 + b; if (a < $i) b ^= a; else l += a; t[$((i % 4))] += o == null ? a : b;"
        i=$((i + 1))
    done
}
terms() {
    i=0
    while [ $i -lt "$1" ]; do
        printf ' + (t[%d] > %d ? t[1] : 2)' $((i % 4)) $((i % 9))
        [ $((i % 8)) -ne 7 ] || printf '\n                '
        i=$((i + 1))
    done
}
cat <<END
public class Big {
    final int value;
    Big(int a, int b) { value = a - b; }

    /** Loops, an if and its else, a handler and a switch, all across a long way. */
    static long far(int n, Object o) {
        int a = n, b = 1;
        long l = 0;
        int[] t = {1, 2, 3, 4};
        for (int i = 0; i < 3 && a != 77; i++) {
            if ((i & 1) == 0) {
$(statements 230)
                try {
                    if (i == 2)
                        throw new RuntimeException();
$(statements 60)
                } catch (RuntimeException e) {
                    l = -l;
                    continue;
                }
            } else {
                switch (b & 3) {
                case 0: l++; break;
                case 1: l--; break;
                default: return l;
                case 3:
$(statements 60)
                }
            }
        }
        return l + a + b;
    }

    /** A far branch while there is an uninitialised object on the stack. */
    static int stack(boolean c, int[] t, double d) {
        return (int) d + new Big(3, c ? 1$(terms 900) : 5).value;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 9; i++)
            System.out.println(far(i * 1234567, i % 2 == 0 ? null : "x"));
        System.out.println(stack(true, new int[] {2, 3, 5, 7}, 1.5) + " " + stack(false, null, 2.5));
    }
}
END
