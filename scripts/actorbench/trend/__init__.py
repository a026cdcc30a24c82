"""The trend: what commit after commit has cost on one machine.

`courses` lays the medians that gates and sweeps have kept (medians.py) over the commits, `steps` asks Apache
Otava where their level changed, `tables` and `pictures` show both, and `measuring` fills the history.
"""
