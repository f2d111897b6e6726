"""Serves the commands of a Python file to whoever started this process: listen.py <file> <folder for answers>.

Every line on stdin is a command as JSON, `{"do": name, …}`; every line on stdout is its answer, `{"error": text}` where it
failed. The file holds `COMMANDS`, a table of functions (message, folder).
"""
import json
import os
import runpy
import sys
import traceback


def main(file, folder):
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    commands = runpy.run_path(file)["COMMANDS"]
    for line in sys.stdin:
        message = json.loads(line)
        try:
            answer = commands[message["do"]](message, folder)
        except Exception as error:
            if "SWATH_TRACE" in os.environ:
                traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:3])
