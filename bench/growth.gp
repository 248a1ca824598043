# growth.gp: two panels over the number of threads, cost and log, of DIR/growth-jdkN.dat; report.py calls it with `jdk`
# and `dir` set. Columns: threads; record and replay with edges, record and replay with a vector clock; log bytes an
# operation with edges, with a vector clock.
set terminal svg size 900,680 font "sans-serif,13" background "white"
set output dir."/growth-jdk".jdk.".svg"
data = dir."/growth-jdk".jdk.".dat"
set logscale x 2
set grid ytics linecolor "#dddddd"
set border 3
set tics nomirror
set key outside right center vertical
set xlabel "threads"
set multiplot layout 2,1 title "canon, JDK ".jdk.": the same work with more threads"
set logscale y
set ylabel "times the plain run, wall time"
plot data using 1:2 with linespoints linewidth 2 linecolor "#2b6ca3" title "edges: record", \
     data using 1:3 with linespoints linewidth 2 linecolor "#e0912f" title "edges: replay", \
     data using 1:4 with linespoints dashtype 2 linewidth 2 linecolor "#2b6ca3" title "vector: record", \
     data using 1:5 with linespoints dashtype 2 linewidth 2 linecolor "#e0912f" title "vector: replay"
set ylabel "log bytes an operation"
plot data using 1:6 with linespoints linewidth 2 linecolor "#2b6ca3" title "edges", \
     data using 1:7 with linespoints dashtype 2 linewidth 2 linecolor "#2b6ca3" title "vector"
unset multiplot
