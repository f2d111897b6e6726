"""Serves the commands of a Python file over stdin and stdout: serve_commands.py <file> <folder for output>.

Every line on stdin is a command as JSON, `{"do": name, …}`; every line on stdout is its response, `{"error": text}` if it
failed. The file defines `COMMANDS`, a dictionary of functions (message, folder).
"""
import json
import os
import runpy
import sys
import traceback


def main(file, folder):
    # Output of libraries must not be mixed with the responses.
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
