"""nginx with a path prefix: one that compresses all responses and so holds events back, and one like Home Assistant."""

import os

from house import rig

PROGRAM = os.path.realpath(f"{rig.TESTS}/../.build/tests/nginx/usr/sbin/nginx")


# Compresses all responses, so that events wait until a buffer is full.
HOLDING = """
    proxy_ignore_headers X-Accel-Buffering;
    proxy_buffering on;
    gzip on; gzip_types text/event-stream application/json; gzip_min_length 1; gzip_proxied any;
"""
# The header fields that Home Assistant's ingress adds; it passes Host, Origin and Cookie of the browser on
# (homeassistant/components/hassio/ingress.py, supervisor/api/ingress.py).
INGRESS = """
    proxy_set_header X-Ingress-Path /api/hassio_ingress/token;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Host $http_host;
    proxy_set_header X-Forwarded-Proto http;
"""


class Proxy:
    """A reverse proxy in front of the page of a house, or of another page, at a path that ends with a slash."""

    def __init__(self, house, path="/bluefleet/", settings=HOLDING, page_port=None):
        self.path = path
        assert os.access(PROGRAM, os.X_OK), f"nginx is not there (no {PROGRAM}): run config/setup --tests"
        self.port = rig.free_port()
        name = f"proxy-{self.port}"
        self.folder = house.run.path(name)
        self.log = f"{self.folder}/access.log"
        house.run.make_folder(name)
        settings = house.run.write(f"{name}/nginx.conf", f"""
            daemon off; master_process off; pid {self.folder}/pid; error_log {self.folder}/error.log;
            events {{}}
            http {{
                access_log {self.log};
                client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/temporary;
                fastcgi_temp_path {self.folder}/1; uwsgi_temp_path {self.folder}/2; scgi_temp_path {self.folder}/3;
                server {{
                    listen 127.0.0.1:{self.port};
                    location {path} {{
                        proxy_pass http://127.0.0.1:{page_port or house.page_port}/;
                        proxy_http_version 1.1;
                        proxy_set_header Host $http_host;
                        proxy_set_header Connection "";
                        {settings}
                    }}
                    location = /favicon.ico {{ return 204; }}
                    # A page that shows the path in a frame, as Home Assistant does.
                    location = /frame {{
                        default_type text/html;
                        return 200 '<!doctype html><iframe src="{path}" width="1200" height="700"></iframe>';
                    }}
                }}
            }}""")
        self.program = house.run.start(PROGRAM, "-e", f"{self.folder}/error.log", "-c", settings)
        assert rig.wait(lambda: rig.answers(self.port)), f"nginx does not start: {self.folder}/error.log"

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}{self.path}"

    def has_seen(self, text):
        """Whether the target of a completed request contains a text."""
        with open(self.log) as log:
            return text in log.read()

    def stop(self):
        self.program.kill()
