"""A headless Chromium, spoken to over a pair of pipes (DevTools protocol, --remote-debugging-pipe)."""

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("chromium")
REASON = "chromium is missing (apt install chromium)"
_OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
_OPTIONS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
_PATIENCE = 600.0  # seconds that the browser may take for one answer


class Browser:
    """One page of a running browser; `complaints` gathers what its console and its loader say."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = to, back
        self._left = b""
        self._number = 0
        self._session: str | None = None
        self.complaints: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def open(self, page: Path, *, width: int, height: int = 900, dark: bool = False) -> None:
        """Load a page at a width in px, in the light or in the dark."""
        phone = width < 600
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=phone,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self.ask("Page.navigate", url=page.absolute().as_uri())
        deadline = time.monotonic() + _PATIENCE
        while self.run("document.readyState + location.protocol") != "completefile:":
            if time.monotonic() > deadline:
                raise TimeoutError(f"{page} does not load")
            time.sleep(0.02)

    def run(self, script: str) -> Any:  # noqa: ANN401 - whatever the script gives
        """Evaluate a script in the page; raises RuntimeError if it throws."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def screenshot(self, path: Path) -> None:
        """Take a picture of the whole page."""
        shot = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, path: Path) -> None:
        """Print the page."""
        path.write_bytes(base64.b64decode(self.ask("Page.printToPDF", printBackground=True)["data"]))

    def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """Call a method of the protocol; raises RuntimeError if it fails, TimeoutError without an answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            if answer.get("method") in (
                "Runtime.consoleAPICalled",
                "Runtime.exceptionThrown",
                "Log.entryAdded",
            ):
                self.complaints.append(json.dumps(answer["params"]))

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            if not select.select([self._back], [], [], _PATIENCE)[0]:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self._back, 1 << 16)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self._left += chunk
        message, _, self._left = self._left.partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        return answer


@contextlib.contextmanager
def headless_browser(profile: Path) -> Iterator[Browser]:
    """Start a browser with an empty profile; it ends, with all its group, with the context."""
    assert PROGRAM is not None
    child_in, to = os.pipe()
    back, child_out = os.pipe()
    # The browser reads from descriptor 3 and writes to 4.
    joined = f'exec "$0" "$@" 3<&{child_in} 4>&{child_out}'
    options = [*_OPTIONS, f"--user-data-dir={profile}", "--remote-debugging-pipe"]
    process = subprocess.Popen(
        ["bash", "-c", joined, PROGRAM, *options],
        pass_fds=(child_in, child_out),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(child_in)
    os.close(child_out)
    try:
        yield Browser(to, back)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(to)
        os.close(back)
