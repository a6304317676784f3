# fig5 - default, model-based and best selection
# gros, simulated by SimGrid SMPI
# Draws fig5.svg and fig5.pdf: gnuplot fig5.gp
reset session
data = "fig5.csv"
do for [format in "svg pdf"] {
reset
set encoding utf8
if (format eq "svg") {
    set terminal svg size 1040,470 dynamic noenhanced font "sans-serif,13" background rgb "white"
} else {
    set terminal pdfcairo size 9.45in,4.27in noenhanced font "Sans,9"
}
set output "fig5.".format
set datafile separator ","
set datafile columnheaders
set datafile missing NaN
set style line 1 lc rgb "#0072B2" pt 7 ps 0.8 lw 1.8
set style line 2 lc rgb "#D55E00" pt 9 ps 0.8 lw 1.8
set style line 3 lc rgb "#E69F00" pt 5 ps 0.8 lw 1.8
set style line 4 lc rgb "#009E73" pt 13 ps 0.8 lw 1.8
set style line 5 lc rgb "#56B4E9" pt 11 ps 0.8 lw 1.8
set style line 6 lc rgb "#7A7A7A" pt 2 ps 0.8 lw 1.8
set style line 7 lc rgb "#332288" pt 12 ps 0.8 lw 1.8
set style line 8 lc rgb "#CC79A7" pt 4 ps 0.8 lw 1.8
set style line 9 lc rgb "#882255" pt 6 ps 0.8 lw 1.8
set style line 10 lc rgb "#882255" pt 6 ps 0.8 lw 1.8
set style line 11 lc rgb "#8C8C1E" pt 8 ps 0.8 lw 1.8
set style line 12 lc rgb "#000000" pt 14 ps 0.8 lw 1.8
set style line 13 lc rgb "#444444" pt 1 ps 0.8 lw 1.8
set style line 14 lc rgb "#444444" pt 3 ps 0.8 lw 1.8
set border 3 lc rgb "#555555"
set grid lc rgb "#dddddd" lw 0.6 lt 1
set tics nomirror out scale 0.6 textcolor rgb "#333333"
set key noenhanced textcolor rgb "#222222"

pick(p,s) = (column("procs") == p && strcol("selector") eq s) ? 1 : NaN
set multiplot title "gros · simulated by SimGrid SMPI" textcolor rgb "#333333"
set tmargin at screen 0.84
set bmargin at screen 0.25
set logscale y
set xlabel "message size"
set ylabel "time"
set yrange [4.32e-05:0.001891008]
set logscale x
set xrange [819.2:81920]
set xtics ("1 KiB" 1024, "8 KiB" 8192, "64 KiB" 65536)
set ytics ("10 µs" 1e-05, "" 2e-05 1, "" 3e-05 1, "" 4e-05 1, "" 5e-05 1, "" 6e-05 1, "" 7e-05 1, "" 8e-05 1, "" 9e-05 1, "100 µs" 0.0001, "" 0.0002 1, "" 0.0003 1, "" 0.0004 1, "" 0.0005 1, "" 0.0006 1, "" 0.0007 1, "" 0.0008 1, "" 0.0009 1, "1 ms" 0.001, "" 0.002 1, "" 0.003 1, "" 0.004 1, "" 0.005 1, "" 0.006 1, "" 0.007 1, "" 0.008 1, "" 0.009 1, "10 ms" 0.01)
set lmargin at screen 0.0800
set rmargin at screen 0.3650
set title "P = 2" offset 0,-0.5
plot data using (pick(2,"best")*column("bytes")):(column("time_s")) with linespoints lc rgb "#c9c9c4" lw 8 pt 0 notitle, \
     data using (pick(2,"derived")*column("bytes")):(column("time_s")) with linespoints lc rgb "#aa3377" lw 1.8 pt 7 ps 0.7 notitle, \
     data using (pick(2,"default")*column("bytes")):(column("time_s")) with linespoints lc rgb "#1f5fa8" lw 1.8 pt 4 ps 0.9 notitle
set ytics ("" 1e-05, "" 2e-05 1, "" 3e-05 1, "" 4e-05 1, "" 5e-05 1, "" 6e-05 1, "" 7e-05 1, "" 8e-05 1, "" 9e-05 1, "" 0.0001, "" 0.0002 1, "" 0.0003 1, "" 0.0004 1, "" 0.0005 1, "" 0.0006 1, "" 0.0007 1, "" 0.0008 1, "" 0.0009 1, "" 0.001, "" 0.002 1, "" 0.003 1, "" 0.004 1, "" 0.005 1, "" 0.006 1, "" 0.007 1, "" 0.008 1, "" 0.009 1, "" 0.01)
unset ylabel
set lmargin at screen 0.3850
set rmargin at screen 0.6700
set title "P = 4" offset 0,-0.5
plot data using (pick(4,"best")*column("bytes")):(column("time_s")) with linespoints lc rgb "#c9c9c4" lw 8 pt 0 notitle, \
     data using (pick(4,"derived")*column("bytes")):(column("time_s")) with linespoints lc rgb "#aa3377" lw 1.8 pt 7 ps 0.7 notitle, \
     data using (pick(4,"default")*column("bytes")):(column("time_s")) with linespoints lc rgb "#1f5fa8" lw 1.8 pt 4 ps 0.9 notitle
set ytics ("" 1e-05, "" 2e-05 1, "" 3e-05 1, "" 4e-05 1, "" 5e-05 1, "" 6e-05 1, "" 7e-05 1, "" 8e-05 1, "" 9e-05 1, "" 0.0001, "" 0.0002 1, "" 0.0003 1, "" 0.0004 1, "" 0.0005 1, "" 0.0006 1, "" 0.0007 1, "" 0.0008 1, "" 0.0009 1, "" 0.001, "" 0.002 1, "" 0.003 1, "" 0.004 1, "" 0.005 1, "" 0.006 1, "" 0.007 1, "" 0.008 1, "" 0.009 1, "" 0.01)
set lmargin at screen 0.6900
set rmargin at screen 0.9750
set title "P = 8" offset 0,-0.5
plot data using (pick(8,"best")*column("bytes")):(column("time_s")) with linespoints lc rgb "#c9c9c4" lw 8 pt 0 notitle, \
     data using (pick(8,"derived")*column("bytes")):(column("time_s")) with linespoints lc rgb "#aa3377" lw 1.8 pt 7 ps 0.7 notitle, \
     data using (pick(8,"default")*column("bytes")):(column("time_s")) with linespoints lc rgb "#1f5fa8" lw 1.8 pt 4 ps 0.9 notitle
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen 0.100
set bmargin at screen 0.01
unset border
unset tics
unset title
unset xlabel
unset ylabel
unset grid
unset logscale
set key center center horizontal reverse Left samplen 2 maxrows 1 width -2
set xrange [0:1]
set yrange [0:1]
plot NaN with linespoints lc rgb "#c9c9c4" lw 8 pt 0 title "best algorithm", NaN with linespoints lc rgb "#aa3377" lw 1.8 pt 7 ps 0.7 title "model-based (derived)", NaN with linespoints lc rgb "#1f5fa8" lw 1.8 pt 4 ps 0.9 title "library default"
unset multiplot
unset output
}
