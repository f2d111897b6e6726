"""Work in the background, as tasks that QGIS shows and can cancel."""

import traceback

from qgis.core import Qgis, QgsApplication, QgsFeedback, QgsMessageLog, QgsTask

from .problems import SwathError, hide_tokens

LOG = "Swath"


class Work(QgsTask):
    """Runs `function(feedback)` in a thread, then `done(result)` or `failed(error)` in the main one.

    What `can_cancel` is False for tells how it ended in any case, also when QGIS ends it.
    """

    def __init__(self, description, function, done, failed, can_cancel=True):
        super().__init__(description, QgsTask.Flag.CanCancel if can_cancel else QgsTask.Flag(0))
        self.can_cancel = can_cancel
        self.feedback = QgsFeedback()
        self.feedback.progressChanged.connect(self.setProgress)
        self._function = function
        self._done = done
        self._failed = failed
        self._result = None
        self._error = None

    def run(self):
        try:
            self._result = self._function(self.feedback)
            return True
        except SwathError as error:
            self._error = error
        except Exception:
            QgsMessageLog.logMessage(hide_tokens(traceback.format_exc()), LOG, Qgis.MessageLevel.Critical)
            self._error = SwathError(f"{self.description()} failed for a reason that the plugin does not know. The log panel “{LOG}” has the details.")
        return False

    def cancel(self):
        if self.can_cancel:
            self.feedback.cancel()
        super().cancel()

    def finished(self, succeeded):
        if succeeded:
            self._done(self._result)
        elif not self.feedback.isCanceled():
            self._failed(self._error or SwathError(f"{self.description()} was ended."))


class Runner:
    """Starts work, and holds it until it has ended. `report(error)` tells failures that no caller takes."""

    def __init__(self, report):
        self._report = report
        self._running = {}

    @property
    def is_busy(self):
        return bool(self._running)

    def run(self, description, function, done, failed=None, key=None, can_cancel=True):
        """Starts work. Work of the same `key` that still runs is cancelled: only the newest of them is wanted."""
        work = Work(description, function, done, failed or self._report, can_cancel)
        # What cannot be cancelled is kept beside the next of its key.
        name = key if key and can_cancel else id(work)
        older = self._running.pop(name, None)
        if older is not None:
            older.cancel()
        self._running[name] = work

        def forget():
            if self._running.get(name) is work:
                del self._running[name]

        work.taskCompleted.connect(forget)
        work.taskTerminated.connect(forget)
        QgsApplication.taskManager().addTask(work)
        return work

    def cancel(self, key):
        work = self._running.get(key)
        if work is not None:
            work.cancel()

    def cancel_all(self):
        """Cancels all that can be: not what spends, of which the outcome must be told."""
        for work in list(self._running.values()):
            if work.can_cancel:
                work.cancel()
