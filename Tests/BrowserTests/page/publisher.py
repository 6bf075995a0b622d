"""A client of the broker that publishes messages, as a gateway with many devices or with bad intentions does."""

import json
import socket


class Publisher:
    """Publishes with MQTT 3.1.1 and QoS 0; `close` waits until the broker has received everything.

    At the end of a `with`, its retained messages are removed from the broker.
    """

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        # CONNECT with a clean session, no keep-alive and the identifier that the broker chooses.
        self._send(0x10, _text("MQTT") + bytes([4, 2, 0, 0]) + _text(""))
        assert self._receive(4)[:2] == b"\x20\x02", "the broker does not accept the connection"
        self.topics = set()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.clear()
        self.close()

    def publish(self, topic, payload, retained=True):
        """Publishes a text or bytes unchanged, and any other value as JSON."""
        if not isinstance(payload, (str, bytes)):
            payload = json.dumps(payload)
        if retained:
            self.topics.add(topic)
        content = payload.encode() if isinstance(payload, str) else payload
        self._send(0x31 if retained else 0x30, _text(f"bluefleet/{topic}") + content)

    def clear(self):
        """Removes all retained messages of this publisher from the broker."""
        for topic in sorted(self.topics):
            self.publish(topic, "")
        self.topics = set()

    def wait(self):
        """Waits until the broker has received all messages."""
        self._send(0xC0, b"")
        assert self._receive(2) == b"\xd0\x00", "the broker does not answer a PINGREQ"

    def close(self):
        self.wait()
        self._send(0xE0, b"")
        self.socket.close()

    def _send(self, kind, content):
        length, rest = len(content), b""
        while True:
            length, digit = length // 128, length % 128
            rest += bytes([digit | (0x80 if length else 0)])
            if not length:
                break
        self.socket.sendall(bytes([kind]) + rest + content)

    def _receive(self, count):
        received = b""
        while len(received) < count:
            part = self.socket.recv(count - len(received))
            assert part, "the broker has closed the connection"
            received += part
        return received


def _text(text):
    content = text.encode()
    return len(content).to_bytes(2, "big") + content
