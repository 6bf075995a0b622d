"""A cluster of three nodes of RabbitMQ on 127.0.0.1, which Tests/FleetFaults uses with --broker rabbitmq.

The programs are those of a tree of Debian 13 with the package rabbitmq-server, in which each node runs with chroot. It
needs root:

    mmdebstrap --variant=minbase --include=rabbitmq-server trixie /var/tmp/rabbitmq
"""

import os
import shutil
import subprocess

import rig

NAMES = ["n0@localhost", "n1@localhost", "n2@localhost"]
COOKIE = "bluefleet"
# The node that is killed, the one that always runs, and the one that is separated from both others.
KILLED, MAIN, ALONE = range(3)


class Cluster:
    """Three nodes of RabbitMQ; a client connects to the node `n` at `ports[n]`.

    `partitions` is RabbitMQ's setting cluster_partition_handling: `autoheal` restarts the nodes of the smaller side
    after a split, and `pause_minority` stops them during the split.
    """

    def __init__(self, run, tree, partitions="autoheal"):
        if not os.path.exists(f"{tree}/usr/lib/rabbitmq/bin/rabbitmq-server"):
            raise SystemExit(
                f"{tree} has no RabbitMQ: mmdebstrap --variant=minbase --include=rabbitmq-server trixie {tree}")
        self.run, self.tree = run, tree
        self.folder = f"/tmp/{os.path.basename(run.folder)}"  # in the tree
        os.makedirs(tree + self.folder)
        ports = [rig.free_port() for _ in range(7)]
        self.ports, distribution = ports[:3], ports[3:6]
        self.environment = {"HOME": self.folder, "ERL_EPMD_PORT": str(ports[6]), "ERL_EPMD_ADDRESS": "127.0.0.1"}
        self.write("plugins", "[rabbitmq_mqtt].\n")
        self.write(".erlang.cookie", COOKIE)
        os.chmod(f"{tree}{self.folder}/.erlang.cookie", 0o400)
        self.nodes = []
        for number, (name, port) in enumerate(zip(NAMES, self.ports)):
            self.write(f"{number}.conf", "\n".join([
                "listeners.tcp = none", f"mqtt.listeners.tcp.1 = 127.0.0.1:{port}", "log.console.level = warning",
                "cluster_formation.peer_discovery_backend = classic_config",
                *[f"cluster_formation.classic_config.nodes.{n + 1} = {each}" for n, each in enumerate(NAMES)],
                f"cluster_partition_handling = {partitions}", "net_ticktime = 10", ""]))
            settings = {
                "NODENAME": name, "DIST_PORT": distribution[number], "CONFIG_FILE": f"{self.folder}/{number}.conf",
                "MNESIA_BASE": f"{self.folder}/{number}", "LOG_BASE": f"{self.folder}/{number}", "LOGS": "-",
                "ENABLED_PLUGINS_FILE": f"{self.folder}/plugins",
                # One scheduler that sleeps while there is no work: three nodes share the processors with the bridges.
                "SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none",
            }
            environment = {f"RABBITMQ_{key}": str(value) for key, value in settings.items()}
            self.nodes.append(run.start(
                *self.command("/usr/lib/rabbitmq/bin/rabbitmq-server"), log=run.path(f"rabbitmq-{number}.log"),
                environment={**self.environment, **environment}))

    def remove(self):
        """Removes the folder of the nodes, after they have ended."""
        shutil.rmtree(self.tree + self.folder, ignore_errors=True)

    def write(self, name, text):
        with open(f"{self.tree}{self.folder}/{name}", "w") as file:
            file.write(text)

    def command(self, *command):
        """Returns a command that runs in the tree, with the process file system; it ends with its process group."""
        script = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, self.tree, *command]

    # MARK: Clients

    def ports_from(self, number):
        """Returns the ports of all nodes, in the order in which the client `number` tries them."""
        first = number % len(self.ports)
        return self.ports[first:] + self.ports[:first]

    # MARK: Failures

    def separate(self):
        """Separates the last node from the others: it rejects their connections, and cannot connect to them."""
        others = [name for name in NAMES if name != NAMES[ALONE]]
        self.evaluate("".join(f"erlang:set_cookie('{name}', separated)," for name in others)
                      + ",".join(f"erlang:disconnect_node('{name}')" for name in others))

    def join(self):
        """Joins the nodes again; RabbitMQ then restarts those of the smaller side (cluster_partition_handling)."""
        others = [name for name in NAMES if name != NAMES[ALONE]]
        self.evaluate("".join(f"erlang:set_cookie('{name}', {COOKIE})," for name in others)
                      + ",".join(f"net_kernel:connect_node('{name}')" for name in others))

    def evaluate(self, expression):
        """Evaluates an Erlang expression on the last node."""
        command = ["chroot", self.tree, "erl_call", "-sname", NAMES[ALONE], "-c", COOKIE, "-e"]
        answer = subprocess.run(
            command, input=f"{expression}.\n", env={**os.environ, **self.environment}, text=True, check=True,
            stdout=subprocess.PIPE).stdout
        assert answer.startswith("{ok"), f"{expression}: {answer}"
