"""Peers: other actor systems that do the same work; what peers/README.md asks of them, seen from the driver.

`manifest` reads what a folder of peers/ says of itself, `building` makes its programs, `describing` tells of
a run's systems. The driver knows a peer by its programs' command line and record alone.
"""
