"""Run by the Python of an environment with label-studio-sdk: checks a hand-out and rates every task.

Arguments: the labelling configuration, the tasks, the file to write. Prints how many tasks and annotations are valid.
"""

import json
import sys
from pathlib import Path


def main(config: Path, tasks: Path, out: Path) -> None:
    from label_studio_sdk.label_interface import LabelInterface

    interface = LabelInterface(config.read_text(encoding="utf-8"))
    interface.validate()
    control = interface.get_control("rating")
    rated, valid = [], 0
    for number, task in enumerate(json.loads(tasks.read_text(encoding="utf-8")), start=1):
        choice = list(control.labels)[number % len(control.labels)]
        result = [json.loads(control.label(label=choice).to_json())]
        valid += bool(interface.validate_task(task)) and bool(interface.validate_annotation({"result": result}))
        rated.append({"id": number, "data": task["data"], "annotations": [{"id": number, "result": result}]})
    out.write_text(json.dumps(rated), encoding="utf-8")
    print(json.dumps({"tasks": len(rated), "valid": valid}))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
