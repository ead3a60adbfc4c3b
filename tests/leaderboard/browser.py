"""Opens windows of the machine's own Chromium through Selenium, with what the tests do in them."""

import contextlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

# As root Chromium has no sandbox; it must not contact its maker's servers.
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--window-size=1400,1000",
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMEDRIVER = shutil.which("chromedriver")
IS_INSTALLED = CHROMIUM is not None and CHROMEDRIVER is not None
HOW_TO_INSTALL = "apt-get install -y chromium chromium-driver"


@dataclass(frozen=True, kw_only=True)
class Browser:
    """One browser window; scripts run in its page and return JSON values."""

    driver: Chrome

    def open(self, path: Path, fragment: str = "") -> None:
        """Open a file as a new page, even if only the fragment differs from the page before."""
        self.go(path.as_uri() + fragment)

    def go(self, address: str) -> None:
        """Open an address as a new page, even if only the fragment differs from the page before."""
        self.driver.get("about:blank")
        self.driver.get(address)

    def run(self, script: str, *arguments: Any) -> Any:
        """Return the value that a function body returns in the page."""
        return self.driver.execute_script(script, *arguments)

    def run_until_called(self, script: str, *arguments: Any) -> Any:
        """Return the value that a function body passes to its last argument, which is a function."""
        return self.driver.execute_async_script(script, *arguments)

    def wait(self, condition: str, seconds: float = 5) -> None:
        """Wait until an expression is true in the page."""
        WebDriverWait(self.driver, seconds, poll_frequency=0.02).until(
            lambda _: self.run(f"return Boolean({condition})"), f"never came true: {condition}"
        )

    def click(self, selector: str) -> None:
        """Click an element with the pointer; a covered or hidden element is an error."""
        self.driver.find_element(By.CSS_SELECTOR, selector).click()

    def type(self, selector: str, text: str) -> None:
        """Type into a field."""
        self.driver.find_element(By.CSS_SELECTOR, selector).send_keys(text)

    def texts(self, selector: str) -> list[str]:
        """Return the visible text of every element that is shown."""
        shown: list[str] = self.run(
            "return Array.from(document.querySelectorAll(arguments[0]))"
            ".filter(e => e.getClientRects().length).map(e => e.innerText.trim())",
            selector,
        )
        return shown

    def emulate(self, command: str, **parameters: Any) -> None:
        """Run a command of the DevTools protocol."""
        self.driver.execute_cdp_cmd(command, parameters)

    def complaints(self) -> list[str]:
        """Return the messages in the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Return the addresses that were requested since the last call."""
        entries = self.driver.get_log("performance")
        messages = [json.loads(entry["message"])["message"] for entry in entries]
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]


@contextlib.contextmanager
def browsing(*, with_scripts: bool = True) -> Iterator[Browser]:
    """Yield a new browser window of desktop size."""
    if CHROMIUM is None or CHROMEDRIVER is None:
        raise FileNotFoundError(f"no Chromium with its driver; install them: {HOW_TO_INSTALL}")
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in FLAGS:
        options.add_argument(flag)
    if not with_scripts:
        preferences = {"profile.managed_default_content_settings.javascript": 2}
        options.add_experimental_option("prefs", preferences)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # With both paths given, Selenium looks for no other browser or driver and downloads none.
    driver = Chrome(options=options, service=ChromeService(executable_path=CHROMEDRIVER))
    try:
        yield Browser(driver=driver)
    finally:
        driver.quit()
