import json


def load(path):
    with open(path) as stream:
        config = json.load(stream)
    config.setdefault("output", "counts")
    return config
