"""The stage of one scene: the programs, a new page in the browser, and what this page must never do."""

from playwright.sync_api import expect
from publisher import Publisher
from urllib.parse import quote, urlsplit

# Each wait ends with the change that it waits for; the limit only ends a scene that has failed.
LONGEST_WAIT = 60_000
expect.set_options(timeout=LONGEST_WAIT)

# The browser resolves this name to 127.0.0.1.
HOME_ASSISTANT = "homeassistant.test"

VIEWS = ("devices", "device/relay", "device/garden/shed", "device/cellar/freezer", "nearby", "gateways", "events")


class Stage:
    """`page` is a page of a context of its own; `notes` are facts for the output, such as measured times."""

    def __init__(self, house, browser):
        self.house, self.browser = house, browser
        self.faults, self.notes, self.contexts = [], [], []
        # Scenes that stop programs let the browser report failed requests in its console.
        self.are_failed_requests_expected = False
        self.page = None

    def enter(self, fragment="devices", address=None, **options):
        """Opens a page in a context of its own, and waits until it shows its view."""
        options = {"viewport": {"width": 1280, "height": 800}, **options}
        context = self.browser.new_context(**options)
        context.set_default_timeout(LONGEST_WAIT)
        # The clicks of a user; the keyboard and scripts cause clicks without a number.
        context.add_init_script("window.clicks = 0; addEventListener('click', ({detail}) => window.clicks += Math.sign(detail), true)")
        self.contexts.append(context)
        self.page = context.new_page()
        self.page.on("console", lambda message: self._console(message))
        self.page.on("pageerror", lambda error: self.faults.append(f"error in the page: {error}"))
        self.page.on("request", lambda request: self._request(request))
        self.page.goto(f"{address or self.house.address}#{fragment}")
        return self.page

    def show(self, fragment):
        """Changes to another view of the page."""
        self.page.evaluate("fragment => location.hash = fragment", fragment)
        expect(self.page.locator("nav a[aria-current=page]")).to_have_count(1)

    def show_device(self, name):
        self.show("device/" + "/".join(quote(part, safe="") for part in name.split("/")))
        expect(self.page.locator("main h1")).to_contain_text(name)
        expect(self.page.get_by_role("heading", name="Connection")).to_be_visible()

    def row(self, name):
        """Returns the row of a device in the table of devices."""
        return self.page.locator("table tr", has=self.page.get_by_role("link", name=name, exact=True))

    def until(self, condition, argument=None):
        """Waits for a condition in JavaScript, and looks at it before each frame; `expect` looks less often."""
        frames = f"(argument) => new Promise((done) => {{ const look = () => ({condition})(argument) ? done() : " \
            "requestAnimationFrame(look); look(); })"
        self.page.evaluate(frames, argument)

    def note_clicks(self, task, most):
        """Notes the clicks since the page was opened, and fails if there are more than `most`."""
        clicks = self.page.evaluate("window.clicks")
        self.notes.append(f"{task}: {clicks} clicks")
        assert clicks <= most, f"{task} takes {clicks} clicks"

    def switch_off(self, switch):
        """Switches the relay off, which other scenes may have left on; `switch` is its button on the page."""
        publisher = self.publisher()
        publisher.publish("relay/output/set", "false", retained=False)
        publisher.wait()
        publisher.close()
        expect(switch).not_to_be_checked()

    def publisher(self):
        return Publisher(self.house.broker_port)

    def _console(self, message):
        if message.type not in ("error", "warning"):
            return
        # Browsers report that this field has no effect without TLS, except for addresses.
        if "Cross-Origin-Opener-Policy" in message.text:
            return
        if self.are_failed_requests_expected and "Failed to load resource" in message.text:
            return
        self.faults.append(f"{message.type} in the console: {message.text}")

    def _request(self, request):
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in ("127.0.0.1", HOME_ASSISTANT):
            self.faults.append(f"a request to another host: {request.url}")

    def close(self):
        for context in self.contexts:
            context.close()
