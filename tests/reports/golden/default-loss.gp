# default-loss - what the library's default loses
# gros, simulated by SimGrid SMPI
# Draws default-loss.svg and default-loss.pdf: gnuplot default-loss.gp
reset session
data = "default-loss.csv"
do for [format in "svg pdf"] {
reset
set encoding utf8
if (format eq "svg") {
    set terminal svg size 1040,266 dynamic noenhanced font "sans-serif,13" background rgb "white"
} else {
    set terminal pdfcairo size 9.45in,2.42in noenhanced font "Sans,9"
}
set output "default-loss.".format
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

set title "gros · simulated by SimGrid SMPI" textcolor rgb "#333333"
set xrange [0.5:3.5]
set yrange [0.5:3.5]
set xtics ("1 KiB" 1, "8 KiB" 2, "64 KiB" 3)
set ytics ("2" 1, "4" 2, "8" 3)
set tics scale 0
unset grid
set border 0
set xlabel "message size"
set ylabel "processes"
set bmargin at screen 0.414
set key at screen 0.52, 0.090 center center horizontal reverse Left samplen 2
is(name) = (strcol("series") eq name) ? 1 : NaN
plot data using (is("up to 2.5 %")*column("column")):(column("row")):(0.485):(0.47) with boxxyerror fs solid noborder lc rgb "#f3f3ee" title "up to 2.5 %", \
     data using (is("10 to 50 %")*column("column")):(column("row")):(0.485):(0.47) with boxxyerror fs solid noborder lc rgb "#fdbb84" title "10 to 50 %", \
     data using (is("50 to 100 %")*column("column")):(column("row")):(0.485):(0.47) with boxxyerror fs solid noborder lc rgb "#ef6548" title "50 to 100 %", \
     data using (column("column")):(column("row")):(strcol("text")):(column("ink")) with labels textcolor rgb variable notitle
unset output
}
