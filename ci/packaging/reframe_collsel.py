# SPDX-License-Identifier: BSD-3-Clause
"""A ReFrame check: has an MPI become slower since results of before?

    reframe -C site.py -c reframe_collsel.py -r -S before=/data/collsel/mine/tune -S cluster=mine

Measures the study on the partition's machine (`collsel measure`, which submits its own jobs where the cluster file names a
partition of Slurm), then runs `collsel compare --exit-status`. The sanity check fails where a collective's default is slower
than before by more than `threshold` percent for sure, and names the cells. Each collective's worst change is a performance
variable. Written after the ReFrame 4 documentation; not run by its authors under ReFrame itself.
"""

import json

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import run_before, sanity_function, variable


def slower(text):
    """Lines for people: the cells that are slower for sure."""
    return [
        f"{r['collective']}, P = {r['procs']}, {r['bytes']} B: {r['change_pct']:+.1f} %"
        f" ({r['ran_before']} before, {r['ran_after']} after)"
        for r in json.loads(text)["rows"]
        if r["verdict"] == "slower"
    ]


def worst(text):
    """The largest change of each collective, in percent."""
    most = {}
    for r in json.loads(text)["rows"]:
        most[r["collective"]] = max(most.get(r["collective"], r["change_pct"]), r["change_pct"])
    return most


@rfm.simple_test
class CollselCompare(rfm.RunOnlyRegressionTest):
    descr = "Collectives of MPI against results of before"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    local = True
    before = variable(str, value="")  # a directory of results that `collsel fit` has read
    cluster = variable(str, value="local")
    study = variable(str, value="tune")
    threshold = variable(float, value=10.0)
    executable = "collsel"

    @run_before("run")
    def prepare(self):
        if not self.before:
            self.skip("want before=DIRECTORY: results to compare with")
        study = f"--cluster {self.cluster} --study {self.study} --results results"
        self.prerun_cmds = [f"collsel measure {study} -q", f"collsel fit {study} -q"]
        self.executable_opts = [
            "compare",
            self.before,
            f"results/{self.cluster}/{self.study}",
            f"--threshold={self.threshold:g}",
            "--exit-status",
            "--json",
        ]

    def answer(self):
        """What compare printed: of the stages behind the run, in which its output is there."""
        return sn.extractsingle(r"(?s)(\{.*\})", self.stdout, 1).evaluate()

    @sanity_function
    def is_no_slower(self):
        return sn.assert_eq(slower(self.answer()), [])

    @run_before("performance")
    def take_numbers(self):
        self.perf_variables = {
            name: sn.make_performance_function(sn.defer(pct), "%") for name, pct in worst(self.answer()).items()
        }
