# SPDX-License-Identifier: BSD-3-Clause
# Predicts the time of a candidate as its time at the nearest other number of ranks, for collsel select --predictions:
#   Rscript neighbour.R points.csv > neighbour.csv
cell <- c("collective", "mpi", "mapping", "nodes", "ppn", "procs", "root", "bytes")
candidate <- c("algorithm", "segment_bytes", "fanout")

# All columns stay text, so that times and empty fields are written as they were read.
points <- read.csv(commandArgs(trailingOnly = TRUE)[1], colClasses = "character", na.strings = character())
points <- points[points$experiment == "time" & points$time_s != "", ]

# One candidate and size at all numbers of ranks.
key <- points[c("collective", "mpi", "mapping", "root", "bytes", candidate)]
alike <- split(points, do.call(paste, c(key, sep = ",")))

predicted <- function(group) {
    procs <- as.numeric(group$procs)
    nearest <- sapply(seq_along(procs), function(i) {
        others <- which(procs != procs[i])
        if (length(others)) others[which.min(abs(log(procs[others] / procs[i])))] else NA
    })
    group$seconds <- group$time_s[nearest]
    group$trained <- 0
    group[!is.na(nearest), c(cell, candidate, "seconds", "trained")]
}

write.csv(do.call(rbind, lapply(alike, predicted)), stdout(), row.names = FALSE, quote = FALSE)
