# gamma - gamma(P)
# gros, simulated by SimGrid SMPI
# Draws gamma.svg and gamma.pdf: gnuplot gamma.gp
reset session
data = "gamma.csv"
do for [format in "svg pdf"] {
reset
set encoding utf8
if (format eq "svg") {
    set terminal svg size 1040,420 dynamic noenhanced font "sans-serif,13" background rgb "white"
} else {
    set terminal pdfcairo size 9.45in,3.82in noenhanced font "Sans,9"
}
set output "gamma.".format
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

is(s) = (strcol("series") eq s) ? 1 : NaN
set multiplot title "gros · simulated by SimGrid SMPI" textcolor rgb "#333333"
set tmargin at screen 0.84
set bmargin at screen 0.26
set xlabel "processes P, the root included"
set ylabel "γ(P)"
set lmargin at screen 0.08
set rmargin at screen 0.48
set title "few processes" offset 0,-0.5
set xrange [1.5:9]
set yrange [0:2]
plot 0.8 + 0.1*x with lines lc rgb "#9a9a95" lw 2 notitle, \
     data using (is("synchronised")*column("procs")):(column("gamma")) with points lc rgb "#0072B2" pt 7 ps 0.8 notitle, \
     data using (is("loop")*column("procs")):(column("gamma")) with points lc rgb "#D55E00" pt 1 ps 0.8 notitle, \
     data using (is("paper")*column("procs")):(column("gamma")) with points lc rgb "#333333" pt 6 ps 1.2 notitle
set lmargin at screen 0.58
set rmargin at screen 0.98
set title "all measured" offset 0,-0.5
set xrange [0:9]
set yrange [0:*]
plot 0.8 + 0.1*x with lines lc rgb "#9a9a95" lw 2 notitle, \
     data using (is("synchronised")*column("procs")):(column("gamma")) with points lc rgb "#0072B2" pt 7 ps 0.8 notitle, \
     data using (is("loop")*column("procs")):(column("gamma")) with points lc rgb "#D55E00" pt 1 ps 0.8 notitle, \
     data using (is("paper")*column("procs")):(column("gamma")) with points lc rgb "#333333" pt 6 ps 1.2 notitle
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
plot NaN with points lc rgb "#0072B2" pt 7 ps 0.8 title "γ(P)", NaN with points lc rgb "#D55E00" pt 1 ps 0.8 title "by the paper’s loop, here", NaN with points lc rgb "#333333" pt 6 ps 1.2 title "the paper’s figures", NaN with lines lc rgb "#9a9a95" lw 2 title "linear fit"
unset multiplot
unset output
}
