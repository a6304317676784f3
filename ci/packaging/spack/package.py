# SPDX-License-Identifier: BSD-3-Clause
# Spack's recipe. Not tried: no Spack was at hand when it was written. Into a repository of your own: REPO/packages/collsel/package.py
from spack.package import *


class Collsel(MakefilePackage):
    """Which algorithm should each MPI collective use on a cluster: measures, models, selects, writes tuning files."""

    license("BSD-3-Clause")
    version("main", branch="main")  # spack develop collsel@main, with path= a checkout: no address is published

    variant("mpi", default=True, description="measuring programs for the MPI of the environment")
    variant("xgboost", default=False, description="learners boosting and hybrid")
    variant("libsvm", default=False, description="learner svm")
    variant("hwloc", default=True, description="this machine's cores and caches by hwloc, else by /sys")
    variant("simgrid", default=False, description="simulation (a walk needs none)")
    variant("report", default=True, description="figures by gnuplot, the page's text by pandoc, at run time")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("perl", type="build")
    depends_on("gsl")
    depends_on("libcsv")
    depends_on("inih")
    depends_on("jansson")
    depends_on("mpi", when="+mpi")
    depends_on("xgboost", when="+xgboost")
    depends_on("libsvm", when="+libsvm")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("simgrid+smpi", when="+simgrid")
    depends_on("gnuplot+cairo", type="run", when="+report")
    depends_on("pandoc", type="run", when="+report")

    @property
    def build_targets(self):
        lacks = [name for variant, name in (("xgboost", "xgboost"), ("libsvm", "svm"), ("hwloc", "hwloc"), ("simgrid", "simgrid"))
                 if self.spec.satisfies("~" + variant)]
        targets = ["WITHOUT=" + " ".join(lacks), "tool"]
        if self.spec.satisfies("+mpi"):
            family = "openmpi" if self.spec["mpi"].name == "openmpi" else "mpich"
            targets += ["measure", "CC_{0}={1}".format(family, self.spec["mpi"].mpicc)]
        return targets

    def install(self, spec, prefix):
        make("install", "PREFIX=" + prefix, *self.build_targets[:1])
