"""The one error of the statistics package."""


class StatisticsError(ValueError):
    """Input that no statistic can be drawn from: says what was found, what was expected and what to do.

    It is a ``ValueError`` because this package imports nothing of the project; callers that know the file and
    field wrap it in their own error.

    Examples
    --------
    >>> issubclass(StatisticsError, ValueError)
    True
    """
