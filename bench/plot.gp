# plot.gp: two panels of bars, wall and CPU, of DIR/plot-jdkN.dat; report.py calls it with `jdk` and `dir` set.
# Columns: program, then record and replay of wall, record and replay of CPU, three each: ratio, quartiles.
set terminal svg size 900,680 font "sans-serif,13" background "white"
set output dir."/plot-jdk".jdk.".svg"
data = dir."/plot-jdk".jdk.".dat"
set style data histograms
set style histogram errorbars gap 1.5 linewidth 1
set style fill solid 0.85 noborder
set grid ytics linecolor "#dddddd"
set border 3
set tics nomirror
set yrange [0:*]
set key outside right center vertical
set errorbars linewidth 1.2 linecolor "#333333"
set ylabel "times the plain run"
set multiplot layout 2,1 title "canon, JDK ".jdk.": cost of recording and replaying"
do for [panel = 0:1] {
  first = 2 + 6 * panel
  set title (panel == 0 ? "wall time" : "CPU time (user + system, whole process tree)")
  plot data using first:first+1:first+2:xticlabels(1) title "record" linecolor "#2b6ca3", \
       data using first+3:first+4:first+5 title "replay" linecolor "#e0912f", \
       1 with lines linecolor "#555555" title "plain"
}
unset multiplot
