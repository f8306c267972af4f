#!/usr/bin/env python3
"""Starts processes in the pods of one job, in place of ssh.

    agent.py serve                          in a worker: starts what the job's other pods ask for
    agent.py rsh [-l USER] HOST COMMAND …   as ssh is called: COMMAND is a line for /bin/sh there
    agent.py exec HOST -- PROGRAM ARG …     the same without a shell: the arguments as they are

Output, input and signals go through, and the remote exit code comes back: 128 + n after signal n, as
in a shell. 213 means that the other pod or its node is gone, or going, so that nobody knows how it ended
or nothing was begun: the agent could not be reached, was not heard for LEASE seconds, or takes no new
work. It is no signal's, and a program that fails on purpose hardly has it, as it may have 255. The agent
in turn ends what it started for somebody it does not hear any more, so neither end hangs on the other.
A process is its whole group there: with a caller that is gone, and with a process that a forwarded
signal ended, what it started in turn has GRACE seconds to end. Otherwise it may leave what it likes.

Both ends prove that they know the job's token (HMAC over both ends' nonces) before anything is
started; what they say after that is not encrypted, as little as what the training itself sends.

When the pod is to go, the agent takes no new work and ends when the last process has: a deletion's
grace period is the time that a leaving worker has to drain. It then ends as SIGTERM ends a process
(143): whoever did not want the pod to go sees that its work was not done. Python 3.6 or newer, and nothing else.

Environment:
    MUSTER_AGENT_TOKEN     the file with the job's token; default /etc/muster/agent/token
    MUSTER_AGENT_PORT      where agents listen, 23457 by default; MUSTER_HOSTS/ports names others
    MUSTER_AGENT_ADDRESS   where to listen; default: everywhere
    MUSTER_HOSTS           the folder with the job's host list; default /etc/muster/hosts
"""
import errno
import fcntl
import hashlib
import hmac
import json
import os
import queue
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
import traceback

LEASE = 8  # seconds without a word after which the other end counts as dead
BEAT = 2.0  # seconds between two words of an end that has nothing to say
REACH = 8.0  # seconds in which an agent must be reached and known: its pod may have just begun
STRAGGLE = 1.0  # seconds after a process's end in which what it left may still say something
LOOK = 200  # milliseconds between two looks whether it has ended
GRACE = 5.0  # seconds between a polite and the last signal to what nobody waits for any more
LOST = 213  # the exit code of a call whose other end is gone

START, INPUT, END_OF_INPUT, SIGNAL, OUTPUT, ERROR, EXIT, ALIVE, TAKEN = range(1, 10)
HEAD = struct.Struct("!BI")
LARGEST = 1 << 20
PIECE = 1 << 16
COUNT = struct.Struct("!Q")
WINDOW = 1 << 20  # bytes of input that a caller sends ahead of what the process has taken
MOST_UNREAD = 1 << 26  # bytes that an agent keeps for a caller that does not heed the window
NONCE = 32
# What a caller forwards so that its process ends; others may mean anything.
ENDING = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT}
# Options of ssh that have an argument of their own.
WITH_ARGUMENT = "BbcDEeFIiJLlmOopQRSWw"


class Gone(Exception):
    """The other end hung up, was silent for too long, or is not who it must be."""


class Peer:
    """One connection: frames of a kind and a payload, and a word now and then."""

    def __init__(self, connection):
        self.connection = connection
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Silence is death, but a full pipe is not: only what is waited for has a limit.
        self.connection.settimeout(None)
        self.waits(LEASE)
        self.sending = threading.Lock()

    def waits(self, seconds):
        """For so long at most for each piece that it reads."""
        limit = struct.pack("@ll", int(seconds), int(seconds % 1 * 1_000_000))
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)

    def send(self, kind, payload=b""):
        try:
            with self.sending:
                self.connection.sendall(HEAD.pack(kind, len(payload)) + payload)
        except OSError as problem:
            raise Gone(str(problem)) from problem

    def receive(self):
        """The next frame that says something."""
        while True:
            kind, length = HEAD.unpack(self.read(HEAD.size))
            if length > LARGEST:
                raise Gone("it sent %d bytes at once" % length)
            payload = self.read(length)
            if kind != ALIVE:
                return kind, payload

    def read(self, length):
        parts = []
        while length > 0:
            try:
                part = self.connection.recv(min(length, PIECE))
            except BlockingIOError:
                raise Gone("it was not heard for %d s" % LEASE) from None
            except OSError as problem:
                raise Gone(str(problem)) from problem
            if not part:
                raise Gone("it hung up")
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def speaks(self):
        """Waits for the other end's first byte; says whether there is one."""
        try:
            return bool(self.connection.recv(1, socket.MSG_PEEK))
        except OSError:
            return False

    def beat(self):
        """Says now and then that this end lives, until the other one is gone."""

        def run():
            try:
                while True:
                    time.sleep(BEAT)
                    self.send(ALIVE)
            except Gone:
                pass

        in_background(run)

    def tellEnd(self, code):
        """The last word to a caller, which hangs up when it has read all.

        A connection that is closed before that is reset by the next word of the caller, and what it has
        not read yet of output and of this is lost.
        """
        self.send(EXIT, struct.pack("!i", code))
        self.shut(socket.SHUT_WR)

    def awaitHangUp(self):
        try:
            while True:
                self.receive()
        except Gone:
            pass

    def hangUp(self):
        """Whoever sends or reads hears of it at once."""
        self.shut(socket.SHUT_RDWR)

    def close(self):
        self.hangUp()
        self.connection.close()

    def shut(self, how):
        try:
            self.connection.shutdown(how)
        except OSError:
            pass

    def prove(self, token, isAgent):
        """Both say a nonce, then both say what only one who knows the token can say of the two."""
        mine = os.urandom(NONCE)
        try:
            self.connection.sendall(mine)
        except OSError as problem:
            raise Gone(str(problem)) from problem
        theirs = self.read(NONCE)
        nonces = mine + theirs if isAgent else theirs + mine
        roles = (b"agent", b"caller") if isAgent else (b"caller", b"agent")
        own, others = (hmac.new(token, role + nonces, hashlib.sha256).digest() for role in roles)
        if not isAgent:
            self.connection.sendall(own)
        if not hmac.compare_digest(self.read(len(others)), others):
            raise Gone("it does not know the job's token")
        if isAgent:
            self.connection.sendall(own)


def left(until):
    return max(until - time.monotonic(), 0.1)


def connected(host, until):
    """To the first of its addresses that answers, all of them within the time."""
    problem = OSError("%s has no address" % host)
    for family, kind, protocol, _, address in addresses(host, until):
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(left(until))
            connection.connect(address)
            return connection
        except OSError as failed:
            connection.close()
            problem = failed
    raise problem


def addresses(host, until):
    """A resolver may wait for its servers for longer than anybody here does."""
    found = queue.Queue()

    def ask():
        try:
            found.put(socket.getaddrinfo(host, port_of(host), type=socket.SOCK_STREAM))
        except OSError as problem:
            found.put(problem)

    in_background(ask)
    try:
        answer = found.get(timeout=left(until))
    except queue.Empty:
        raise OSError("%s has no address yet" % host) from None
    if isinstance(answer, OSError):
        raise answer
    return answer


def in_background(run):
    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()
    except RuntimeError as problem:
        raise OSError(errno.EAGAIN, str(problem)) from problem
    return thread


def token():
    path = os.environ.get("MUSTER_AGENT_TOKEN", "/etc/muster/agent/token")
    with open(path, "rb") as file:
        secret = file.read().strip()
    if not secret:
        raise SystemExit("muster agent: %s is empty" % path)
    return secret


def port():
    return int(os.environ.get("MUSTER_AGENT_PORT", "23457"))


def port_of(host):
    """On the network of its node a pod has a port of its own."""
    path = os.path.join(os.environ.get("MUSTER_HOSTS", "/etc/muster/hosts"), "ports")
    try:
        with open(path, encoding="utf-8") as file:
            known = dict(line.split() for line in file if line.strip())
    except OSError:
        known = {}
    return int(known.get(host, port()))


def unread(stream):
    """How many bytes are in a pipe."""
    count = struct.pack("i", 0)
    return struct.unpack("i", fcntl.ioctl(stream.fileno(), termios.FIONREAD, count))[0]


def say(text):
    sys.stderr.write("muster agent: %s\n" % text)
    sys.stderr.flush()


# ---------------------------------------------------------------- the agent


class Agent:
    """Listens, and starts what is asked for."""

    def __init__(self):
        self.token = token()
        self.children = Children()
        self.changed = threading.Condition()
        self.running = 0
        self.leaving = False

    def serve(self):
        address = (os.environ.get("MUSTER_AGENT_ADDRESS", ""), port())
        family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(128)
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: in_background(self.leave))
            say("is process %d, listens on %s:%d" % (os.getpid(), address[0] or "*", address[1]))
            in_background(self.children.bury)
            in_background(lambda: self.accept(listener))
            with self.changed:
                while not self.leaving or self.running > 0:
                    self.changed.wait(1)
        say("has nothing left to do")

    def leave(self):
        with self.changed:
            self.leaving = True
            say("is to go; %d processes run" % self.running)
            self.changed.notify_all()

    def accept(self, listener):
        """For as long as it lives: one that took no calls would still look ready to a probe."""
        try:
            while True:
                self.acceptOne(listener)
        except BaseException:
            traceback.print_exc()
            os._exit(1)  # The pod is made again.

    def acceptOne(self, listener):
        connection = None
        try:
            connection, _ = listener.accept()
            in_background(lambda: self.attend(connection))
        except OSError as problem:
            # Of files, threads or memory there will be more in a moment; who hung up is no matter.
            say("a caller is not attended to: %s" % problem)
            if connection is not None:
                connection.close()
            time.sleep(0.1)

    def attend(self, connection):
        try:
            peer = Peer(connection)
        except OSError:
            connection.close()  # It is gone already.
            return
        try:
            if not peer.speaks():
                return  # A probe, which asks whether anybody listens.
            peer.prove(self.token, True)
            kind, payload = peer.receive()
            if kind != START:
                raise Gone("it asked for nothing")
            peer.beat()
            self.run(peer, json.loads(payload.decode()))
        except (Gone, ValueError, OSError) as problem:
            say("a caller is gone: %s" % problem)
        finally:
            peer.close()

    def run(self, peer, asked):
        with self.changed:
            isLate = self.leaving
            if not isLate:
                self.running += 1
        if isLate:
            peer.send(ERROR, b"muster agent: this worker is to go and takes no new work\n")
            peer.tellEnd(LOST)
            peer.awaitHangUp()
            return
        try:
            Run(peer, self.children, asked).live()
        finally:
            with self.changed:
                self.running -= 1
                self.changed.notify_all()


class Children:
    """The processes that the agent starts, and those that become its own.

    As a pod's first process it inherits whoever has lost its parent: what nobody takes note of would
    stay in the group of a process that has ended, and in the end there were no numbers left.
    """

    def __init__(self):
        self.lock = threading.Lock()
        self.starting = 0
        self.started = set()

    def start(self, argv):
        with self.lock:
            self.starting += 1
        process = None
        try:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            return process
        finally:
            with self.lock:
                self.starting -= 1
                if process is not None:
                    self.started.add(process.pid)

    def wait(self, process):
        """Its exit code. Its number is another's only when it is not known as started any more."""
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with self.lock:
            self.started.discard(process.pid)
            return process.wait()

    def bury(self):
        """Takes note of the end of those that it has not started, for as long as it lives."""
        while True:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT).si_pid
                if not self.isBuried(ended):
                    time.sleep(0.05)
            except ChildProcessError:
                time.sleep(0.5)  # There is nobody.

    def isBuried(self, ended):
        with self.lock:
            # One of those that are being started may be known by its number in a moment.
            if self.starting > 0 or ended in self.started:
                return False
            os.waitpid(ended, 0)
            return True


class Run:
    """One process that somebody asked for, and its group: all that it starts in turn."""

    def __init__(self, peer, children, asked):
        self.peer = peer
        self.children = children
        self.process = None
        self.code = None
        self.forwarded = set()
        self.over = None  # When it ended, and what it had to take with it.
        # Who reads slowly must not keep its caller from being heard: nothing waits to put here.
        self.input = queue.Queue()
        self.unread = 0
        self.counting = threading.Lock()
        argv = asked["argv"] if "argv" in asked else ["/bin/sh", "-c", asked["line"]]
        try:
            self.process = self.children.start(argv)
        except OSError as problem:
            peer.send(ERROR, ("%s: %s\n" % (argv[0], problem.strerror)).encode())
            # What a shell says of a program that is not there, or may not be run.
            peer.tellEnd(127 if isinstance(problem, FileNotFoundError) else 126)
            peer.awaitHangUp()

    def live(self):
        if self.process is None:
            return
        say("%d begins" % self.process.pid)
        threads = []
        try:
            for run in (
                self.obey,
                self.feed,
                lambda: self.tell(self.process.stdout, OUTPUT),
                lambda: self.tell(self.process.stderr, ERROR),
            ):
                threads.append(in_background(run))
        except OSError as problem:
            say("%d cannot be attended to: %s" % (self.process.pid, problem))
            self.peer.hangUp()
            self.signal(signal.SIGKILL)
        self.code = self.children.wait(self.process)
        say("%d ended with %d" % (self.process.pid, self.code))
        self.input.put(b"")
        if self.isEndedBySignal():
            self.outlast()
        self.over = time.monotonic()
        for stream in threads[2:]:
            stream.join()
        try:
            self.peer.tellEnd(128 - self.code if self.code < 0 else self.code)
        except Gone:
            pass
        for obeying in threads[:1]:
            obeying.join()

    def tell(self, stream, kind):
        """All that the process itself has said, however slowly it is read.

        What it left in the background may hold its output open: that is heard for STRAGGLE seconds.
        """
        ready = select.poll()
        ready.register(stream, select.POLLIN)
        with stream:
            while self.over is None or time.monotonic() < self.over + STRAGGLE:
                if ready.poll(LOOK) and not self.handOn(stream, kind, PIECE):
                    return
            said = unread(stream)
            while said > 0:
                said -= self.handOn(stream, kind, min(said, PIECE))

    def handOn(self, stream, kind, most):
        """Says how much it was; nobody may hear it, but who saves at its end must not die of saying so."""
        piece = os.read(stream.fileno(), most)
        try:
            if piece:
                self.peer.send(kind, piece)
        except Gone:
            pass
        return len(piece)

    def obey(self):
        try:
            while True:
                kind, payload = self.peer.receive()
                if kind == INPUT:
                    self.keep(payload)
                elif kind == END_OF_INPUT:
                    self.input.put(b"")
                elif kind == SIGNAL:
                    number = struct.unpack("!i", payload)[0]
                    self.forwarded.add(number)
                    self.signal(number)
        except Gone as problem:
            # Who is stuck in sending to it would keep this agent from leaving.
            self.peer.hangUp()
            if self.code is None:
                say("%d is ended, its caller is gone: %s" % (self.process.pid, problem))
                self.end()

    def keep(self, piece):
        with self.counting:
            self.unread += len(piece)
            if self.unread > MOST_UNREAD:
                raise Gone("it sends more than is taken")
        self.input.put(piece)

    def feed(self):
        """An empty piece is the end; one that is not read any more is dropped."""
        self.took(0)
        piece = self.input.get()
        while piece:
            try:
                self.process.stdin.write(piece)
                self.process.stdin.flush()
            except (OSError, ValueError):
                pass
            self.took(len(piece))
            piece = self.input.get()
        try:
            self.process.stdin.close()
        except OSError:
            pass

    def took(self, count):
        with self.counting:
            self.unread -= count
        try:
            self.peer.send(TAKEN, COUNT.pack(count))
        except Gone:
            pass  # Who obeys hears of it, too.

    def signal(self, number):
        """To the whole group; says whether there was anybody to hear it."""
        try:
            os.killpg(self.process.pid, number)
            return True
        except ProcessLookupError:
            return False

    def isEndedBySignal(self):
        """Whether its caller wanted an end, which is then the end of all that it has started, too."""
        return -self.code in self.forwarded or not self.forwarded.isdisjoint(ENDING)

    def end(self):
        self.signal(signal.SIGTERM)
        self.outlast()

    def outlast(self):
        """Until the group is no more, by force in the end: a shell dies at once, its work may not."""
        if not self.isGoneWithin(GRACE):
            self.signal(signal.SIGKILL)
            self.isGoneWithin(GRACE)

    def isGoneWithin(self, seconds):
        until = time.monotonic() + seconds
        while self.signal(0):
            if time.monotonic() > until:
                return False
            time.sleep(0.05)
        return True


# ---------------------------------------------------------------- the caller


class Call:
    """One process in another pod, as if it ran here."""

    FORWARDED = (
        signal.SIGTERM,
        signal.SIGINT,
        signal.SIGHUP,
        signal.SIGQUIT,
        signal.SIGUSR1,
        signal.SIGUSR2,
    )

    def __init__(self, host, asked):
        self.host = host
        self.asked = asked
        # An agent that never says what was taken knows no window.
        self.window = None
        self.changed = threading.Condition()

    def run(self):
        try:
            peer = self.reach()
            peer.send(START, json.dumps(self.asked).encode())
            for number in self.FORWARDED:
                signal.signal(number, lambda n, _: self.forward(peer, n))
            peer.beat()
            in_background(lambda: self.feed(peer))
            while True:
                kind, payload = peer.receive()
                if kind == OUTPUT:
                    self.show(sys.stdout, payload)
                elif kind == ERROR:
                    self.show(sys.stderr, payload)
                elif kind == TAKEN:
                    self.taken(COUNT.unpack(payload)[0])
                elif kind == EXIT:
                    return struct.unpack("!i", payload)[0]
        except Gone as problem:
            say("%s is lost: %s" % (self.host, problem))
            return LOST

    def reach(self):
        """A worker's agent may be a moment behind its address."""
        secret = token()
        until = time.monotonic() + REACH
        while True:
            try:
                peer = Peer(connected(self.host, until))
                peer.waits(left(until) / 2)  # It reads two pieces.
                peer.prove(secret, False)
                peer.waits(LEASE)
                return peer
            except OSError as problem:
                if time.monotonic() + 0.2 > until:
                    raise Gone(str(problem)) from problem
                time.sleep(0.2)

    @staticmethod
    def show(stream, payload):
        try:
            stream.buffer.write(payload)
            stream.buffer.flush()
        except OSError:
            pass  # Nobody reads it; how it ends still matters.

    @staticmethod
    def forward(peer, number):
        # Not from within the handler: it may have interrupted a send.
        in_background(lambda: Call.signal(peer, number))

    @staticmethod
    def signal(peer, number):
        try:
            peer.send(SIGNAL, struct.pack("!i", number))
        except Gone:
            pass

    def taken(self, count):
        with self.changed:
            self.window = (WINDOW if self.window is None else self.window) + count
            self.changed.notify_all()

    def awaitWindow(self, count):
        with self.changed:
            while self.window is not None and self.window <= 0:
                self.changed.wait()
            if self.window is not None:
                self.window -= count

    def feed(self, peer):
        try:
            while True:
                piece = self.typed()
                if not piece:
                    peer.send(END_OF_INPUT)
                    return
                self.awaitWindow(len(piece))
                peer.send(INPUT, piece)
        except Gone:
            pass

    @staticmethod
    def typed():
        try:
            return os.read(0, PIECE)
        except OSError:
            return b""  # What cannot be read has ended.


def rsh(arguments):
    """As ssh reads its arguments: options, the host, and all the rest as one line for a shell."""
    rest = list(arguments)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        option = rest.pop(0)
        if option == "--":
            break
        if len(option) == 2 and option[1] in WITH_ARGUMENT and rest:
            rest.pop(0)
    if len(rest) < 2:
        raise SystemExit("usage: rsh [OPTIONS] [USER@]HOST COMMAND …")
    host = rest[0].rpartition("@")[2]
    return Call(host, {"line": " ".join(rest[1:])}).run()


def execute(arguments):
    if len(arguments) < 3 or arguments[1] != "--":
        raise SystemExit("usage: exec HOST -- PROGRAM ARG …")
    return Call(arguments[0], {"argv": list(arguments[2:])}).run()


def open_streams():
    """Who was started without input or output must not take a connection for it."""
    while True:
        number = os.open(os.devnull, os.O_RDWR)
        if number > 2:
            os.close(number)
            break
    sys.stdout = sys.stdout or open(1, "w", closefd=False)
    sys.stderr = sys.stderr or open(2, "w", closefd=False)


def main(arguments):
    name = os.path.basename(arguments[0])
    if name in ("ssh", "rsh"):
        return rsh(arguments[1:])
    verb = arguments[1] if len(arguments) > 1 else ""
    if verb == "serve":
        Agent().serve()
        return 128 + signal.SIGTERM
    if verb == "rsh":
        return rsh(arguments[2:])
    if verb == "exec":
        return execute(arguments[2:])
    raise SystemExit("usage: agent.py serve | rsh HOST COMMAND … | exec HOST -- PROGRAM ARG …")


if __name__ == "__main__":
    open_streams()
    # Threads that wait for input or the next beat do not keep it.
    code = main(sys.argv)
    sys.stdout.flush()
    os._exit(code)
