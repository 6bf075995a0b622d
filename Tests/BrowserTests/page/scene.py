"""The list of the scenes: functions with the decorator `scene` in the files of the folder `scenes`."""

SCENES = []


def scene(function):
    SCENES.append(function)
    return function


def title(function):
    """Returns the name of a scene: that of its function with spaces."""
    return function.__name__.replace("_", " ")
