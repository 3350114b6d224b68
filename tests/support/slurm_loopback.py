# SPDX-License-Identifier: Apache-2.0
"""A Slurm cluster on this host's loopback, for tests: munged, slurmctld and a slurmd for each node,
all of them children of this process, with every file in one folder. It needs no root rights, no
systemd and no control groups, and leaves no process behind."""
import ctypes
import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo"]
PR_SET_CHILD_SUBREAPER = 36  # prctl(2)

# NoInAddrAny: daemons listen on 127.0.0.1 alone. cons_tres with config_overrides: a node has as many
# CPUs as it says. linuxproc and task/none: no control groups. cred_expire: seconds that a job which
# is queued again waits at least. bf_interval and sched_interval: seconds between looks at the queue.
CONFIG = """
ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=10
KillWait=2
MinJobAge=300
MaxArraySize={most_tasks}
"""


PATH = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"])


def missing_programs(others=()):
    return [name for name in [*PROGRAMS, *others] if shutil.which(name, path=PATH) is None]


def free_ports(count):
    """Ports that nobody listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for(what, holds, seconds=60, pause=0.05):
    """What `holds()` returns, as soon as that is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(pause)
    raise TimeoutError(f"{what}: not within {seconds} s")


class Process:
    """One of this host's."""

    def __init__(self, number):
        self.number = number
        self.parent, self.name, self.variables = 0, "", {}
        try:
            folder = Path(f"/proc/{number}")
            stat = (folder / "stat").read_text()
            self.name = stat[stat.index("(") + 1:stat.rindex(")")]
            self.parent = int(stat[stat.rindex(")") + 2:].split()[1])
            words = (folder / "environ").read_bytes().decode(errors="replace").split("\0")
            self.variables = dict(word.split("=", 1) for word in words if "=" in word)
        except (OSError, ValueError):
            pass  # it has ended, or is somebody else's

    def send(self, number):
        try:
            os.kill(self.number, number)
        except ProcessLookupError:
            pass


def descendants():
    """The processes below this one."""
    all_ = [Process(int(name)) for name in os.listdir("/proc") if name.isdigit()]
    found, parents = [], {os.getpid()}
    while parents:
        children = [process for process in all_ if process.parent in parents]
        found += children
        parents = {process.number for process in children}
    return found


def reap():
    """Takes leave of the children that have ended, but those that subprocess waits for."""
    for process in descendants():
        if process.parent == os.getpid() and process.name == "slurmstepd":
            try:
                os.waitpid(process.number, os.WNOHANG)
            except ChildProcessError:
                pass


class Cluster:
    def __init__(self, folder, nodes=2, cpus=2, most_tasks=1001):
        self.folder = Path(folder)
        self.nodes = [f"n{i + 1}" for i in range(nodes)]
        self.environment = {**os.environ, "PATH": PATH,
                            "SLURM_CONF": str(self.folder / "slurm.conf")}
        self._cpus, self._most_tasks = cpus, most_tasks
        self._daemons = {}

    def __enter__(self):
        # Job steps outlive the slurmd that started them: they become this process' children.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            self._write_config()
            self._start_daemons()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # Those that start others first.
        for name in ["slurmctld", *self.nodes, "munged"]:
            if name in self._daemons:
                self._daemons[name].kill()
                self._daemons[name].wait()
        while left := descendants():
            for process in left:
                process.send(signal.SIGKILL)
            for process in left:
                if process.parent == os.getpid():
                    try:
                        os.waitpid(process.number, 0)
                    except ChildProcessError:
                        pass
        self._daemons = {}

    def _write_config(self):
        port, *node_ports = free_ports(1 + len(self.nodes))
        host = socket.gethostname().split(".")[0]
        text = CONFIG.format(host=host, port=port, user=getpass.getuser(), folder=self.folder,
                             most_tasks=self._most_tasks)
        for node, its_port in zip(self.nodes, node_ports):
            text += (f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={its_port} "
                     f"CPUs={self._cpus} RealMemory=8192\n")
            (self.folder / f"spool-{node}").mkdir()
        text += "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
        (self.folder / "state").mkdir()
        (self.folder / "slurm.conf").write_text(text)
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(1024))

    def _start(self, name, *command, **variables):
        with open(self.folder / f"{name}.log", "ab") as log:
            self._daemons[name] = subprocess.Popen(
                command, env={**self.environment, **variables}, cwd=self.folder,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def _start_daemons(self):
        files = [f"--{what}-file={self.folder}/{name}" for what, name in
                 [("key", "munge.key"), ("pid", "munged.pid"), ("log", "munged.messages"),
                  ("seed", "munged.seed")]]
        self._start("munged", "munged", "--foreground", "--force",
                    f"--socket={self.folder}/munge.socket", *files)
        wait_for("munged", (self.folder / "munge.socket").exists)
        self._start("slurmctld", "slurmctld", "-D", "-f", self.environment["SLURM_CONF"])
        for node in self.nodes:
            self.start_node(node)

    def start_node(self, node):
        self._start(node, "slurmd", "-D", "-N", node, "-f", self.environment["SLURM_CONF"],
                    SLURMD_NODENAME=node)
        wait_for(f"node {node}", lambda: self.state_of(node) == "idle")

    def state_of(self, node):
        done = self.call("sinfo", "--noheader", f"--nodes={node}", "--format=%t", check=False)
        return done.strip()

    def kill_node(self, node):
        """As where its power goes: slurmd and all that it runs end at once, and tell nobody."""
        stopped = {}  # before the first one ends: none may see another's end
        while found := [each for each in self.processes_of(node) if each.number not in stopped]:
            for process in found:
                process.send(signal.SIGSTOP)
                stopped[process.number] = process
        for process in stopped.values():
            process.send(signal.SIGKILL)
        self._daemons[node].wait()
        self.call("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=killed")

    def processes_of(self, node, name=None):
        """Its slurmd, and what that runs."""
        return [process for process in descendants()
                if process.variables.get("SLURMD_NODENAME") == node
                and name in (None, process.name)]

    def call(self, *command, check=True):
        done = subprocess.run(command, env=self.environment, text=True, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if check and done.returncode != 0:
            raise RuntimeError(f"{command}: {done.stderr}")
        return done.stdout

    def clear(self):
        """Takes back all jobs that are left."""
        self.call("scancel", f"--user={getpass.getuser()}")
        self.wait_for_jobs()

    def wait_for_jobs(self, seconds=200):
        """Until none is queued or running."""
        def is_over():
            reap()
            return not self.call("squeue", "--noheader")
        wait_for("the jobs' end", is_over, seconds, pause=0.1)

    def logs(self):
        return "\n".join(f"{path.name}: {path.read_text(errors='replace')[-2000:]}"
                         for path in sorted(self.folder.glob("*.log")))
