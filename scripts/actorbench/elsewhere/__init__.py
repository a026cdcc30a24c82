"""Sweeps on other machines: Slurm's nodes, or hosts by ssh.

One sweep becomes a run for each machine. The run's folder has an errand (errand.py), which jobs of an engine
(slurm.py, ssh.py) carry out: each takes whole rounds of the plan, which is made on the machine, by the
machine's own facts. Whoever watches (watching.py) reads the samples, and writes none.
"""
