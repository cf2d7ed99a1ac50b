# SPDX-License-Identifier: Apache-2.0
"""Opens pages in headless Chromium, and records their console messages, network requests and appearance."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any, Self

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_S = 60


def chromium() -> str | None:
    """Returns the path of an installed Chromium, or None if there is none."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class Browser:
    """A browser with one page. It is controlled by the DevTools protocol over a pipe.

    `complaints` holds the messages of the console and the log, and uncaught exceptions. `requested` holds the URLs that
    the page has requested.
    """

    def __init__(self, program: str, folder: Path, width: int = 1280, height: int = 900) -> None:
        self.complaints: list[str] = []
        self.requested: list[str] = []
        self._number = 0
        self._left = b""
        self._waiting: list[dict[str, Any]] = []
        to_read, self._commands = os.pipe()
        self._answers, to_write = os.pipe()
        # The browser expects its ends of the pipes as file descriptors 3 and 4. They are first copied to numbers from
        # 10 up, so that neither overwrites the other when they are moved to 3 and 4.
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_read, to_write)]

        def arrange() -> None:
            os.dup2(theirs[0], 3)
            os.dup2(theirs[1], 4)

        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"]
        arguments += ["--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe"]
        arguments += [f"--user-data-dir={folder}", f"--window-size={width},{height}", "about:blank"]
        self._process = subprocess.Popen(
            [program, *arguments],
            pass_fds=(3, 4),
            preexec_fn=arrange,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (to_read, to_write, *theirs):
            os.close(end)

    def __enter__(self) -> Self:
        targets = self._call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._commands)
        os.close(self._answers)

    def open(self, path: Path) -> None:
        """Opens a file and waits until the page has loaded."""
        self.call("Page.navigate", url=path.resolve().as_uri())
        self._until(lambda event: event.get("method") == "Page.loadEventFired")

    def value(self, expression: str) -> Any:
        """Returns the value of a JavaScript expression. If the value is a promise, waits until it is resolved."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def screenshot(self, path: Path) -> None:
        """Writes a screenshot of the whole page to a file."""
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(answer["data"]))

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Sends a DevTools command to the page and returns its result."""
        return self._call(method, self._session, **parameters)

    def _call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        number = self._number
        command = {"id": number, "method": method, "params": parameters}
        if session is not None:
            command["sessionId"] = session
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        answer = self._until(lambda message: message.get("id") == number)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def _until(self, wanted: Any) -> dict[str, Any]:
        for seen in self._waiting:
            if wanted(seen):
                self._waiting.remove(seen)
                return seen
        deadline = time.monotonic() + PATIENCE_S
        while True:
            message = self._next(deadline)
            self._note(message)
            if wanted(message):
                return message
            if "method" in message:
                self._waiting.append(message)

    def _next(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._answers], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"the browser has not answered within {PATIENCE_S} s"
            read = os.read(self._answers, 1 << 20)
            assert read, "the browser has ended"
            self._left += read
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)

    def _note(self, message: dict[str, Any]) -> None:
        told = message.get("params", {})
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requested.append(told["request"]["url"])
            case "Runtime.consoleAPICalled":
                words = " ".join(str(argument.get("value", argument)) for argument in told["args"])
                self.complaints.append(f"{told['type']}: {words}")
            case "Runtime.exceptionThrown":
                self.complaints.append(f"exception: {told['exceptionDetails']}")
            case "Log.entryAdded":
                self.complaints.append(f"{told['entry']['level']}: {told['entry']['text']}")
