"""Reading what programs of the user's own print: a file a format, each of which gives the fields of a record.

`formats` lists them and makes the record; nothing else in the driver knows in what form a result came.
"""
