# Time and memory over size. Called by Benchmarks/linearity with the variables `table` (CSV) and
# `picture` (SVG). Points are medians; bars reach from the least to the most of all runs.

set datafile separator comma
set terminal svg size 760,760 font "sans-serif,13" background rgb "white"
set output picture

set multiplot layout 2,1
set lmargin 10
set grid
set logscale x 4
set xrange [2**19:2**35]
set xtics ("1 MiB" 2**20, "4 MiB" 2**22, "16 MiB" 2**24, "64 MiB" 2**26, "256 MiB" 2**28, \
  "1 GiB" 2**30, "4 GiB" 2**32, "16 GiB" 2**34)
set key left top

chosen(name) = stringcolumn("program") eq name ? column("bytes") : NaN

set title "Time to merge four parts, without flushing"
set ylabel "seconds"
set logscale y 10
plot for [name in "cleave cat"] table \
  using (chosen(name)):"median_seconds":"least_seconds":"most_seconds" \
  with yerrorlines pointtype 7 pointsize 0.6 title name

set title "Peak memory"
set key right center
set ylabel "MiB"
unset logscale y
set yrange [0:*]
MiB(name) = column(name) / 2**20
plot for [name in "cleave cat"] table \
  using (chosen(name)):(MiB("median_peak_byte")):(MiB("least_peak_byte")):(MiB("most_peak_byte")) \
  with yerrorlines pointtype 7 pointsize 0.6 title name
unset multiplot
