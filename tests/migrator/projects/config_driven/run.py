import importlib
import json
import sys

import pipelines
from registry import OPERATORS
from streams import make_context


def main(path):
    with open(path) as stream:
        config = json.load(stream)
    ssc = make_context(config)
    pipeline = getattr(pipelines, config["pipeline"])(config)
    result = pipeline.build(ssc)
    for step in config["steps"]:
        function = eval(step["function"])  # expect: D605
        result = OPERATORS[step["op"]](result, function)
    for step in config["late"]:
        result = getattr(result, step["op"])(step["argument"])  # expect: D605?
    plugin = importlib.import_module("plugins." + config["plugin"])
    plugin.output(result)
    ssc.start()
    ssc.awaitTermination()


main(sys.argv[1])
