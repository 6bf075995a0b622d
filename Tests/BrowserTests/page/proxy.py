"""nginx with a path prefix, which compresses all responses and so holds the events of the dashboard back."""

import os

from house import rig

PROGRAM = os.path.realpath(f"{rig.TESTS}/../.build/tests/nginx/usr/sbin/nginx")


class Proxy:
    """A reverse proxy in front of the page of a house."""

    def __init__(self, house):
        assert os.access(PROGRAM, os.X_OK), f"nginx is not there (no {PROGRAM}): run config/setup --tests"
        self.port, self.folder = rig.free_port(), house.run.path("proxy")
        self.log = f"{self.folder}/access.log"
        house.run.make_folder("proxy")
        settings = house.run.write("proxy/nginx.conf", f"""
            daemon off; master_process off; pid {self.folder}/pid; error_log {self.folder}/error.log;
            events {{}}
            http {{
                access_log {self.log};
                client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/temporary;
                fastcgi_temp_path {self.folder}/1; uwsgi_temp_path {self.folder}/2; scgi_temp_path {self.folder}/3;
                server {{
                    listen 127.0.0.1:{self.port};
                    location /bluefleet/ {{
                        proxy_pass http://127.0.0.1:{house.page_port}/;
                        proxy_http_version 1.1;
                        proxy_set_header Host $http_host;
                        proxy_set_header Connection "";
                        proxy_ignore_headers X-Accel-Buffering;
                        proxy_buffering on;
                        gzip on; gzip_types text/event-stream application/json; gzip_min_length 1; gzip_proxied any;
                    }}
                }}
            }}""")
        self.program = house.run.start(PROGRAM, "-e", f"{self.folder}/error.log", "-c", settings)
        assert rig.wait(lambda: rig.answers(self.port)), f"nginx does not start: {self.folder}/error.log"

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/bluefleet/"

    def has_seen(self, text):
        """Whether the target of a completed request contains a text."""
        with open(self.log) as log:
            return text in log.read()

    def stop(self):
        self.program.kill()
