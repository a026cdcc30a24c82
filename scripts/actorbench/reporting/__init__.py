"""The report of a run: one page that holds all it shows, to be read anywhere, at any time.

`verdicts` and `content` say what is shown, `pictures` draws the small figures, `page` puts it together.
"""
