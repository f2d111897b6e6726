"""What every part of the panel uses."""

from dataclasses import dataclass

from ..problems import SwathError


@dataclass(frozen=True)
class Context:
    """`iface` is that of QGIS, `session` who is signed in, `runner` the work in the background, `messages` the message bar."""

    iface: object
    session: object
    runner: object
    messages: object

    def attempt(self, action):
        """Runs an action of a person; a failure that they need to know goes to the message bar. Returns its result, or None."""
        try:
            return action()
        except SwathError as error:
            self.messages.report(error)
            return None

    def run(self, description, function, done, key=None, failed=None, can_cancel=True):
        """Runs `function(client, feedback)` in the background, signed in."""

        def start():
            client = self.session.client()
            return self.runner.run(description, lambda feedback: function(client, feedback), done, failed, key, can_cancel)

        return self.attempt(start)
