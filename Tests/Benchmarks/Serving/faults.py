"""Names what can go wrong."""


class NotMeasured(Exception):
    """Says why something could not be measured."""
