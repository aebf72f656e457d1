"""Nodes whose link delays, drops and reorders packets: TAP devices of network namespaces, and a thread that carries frames between them."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import fcntl
import heapq
import itertools
import os
import random
import select
import struct
import subprocess
import threading
import time

import pytest
from test_nodes import Nodes

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000


class LossyNodes(Nodes):
    """delay: of each packet, from and to, in seconds; packets with different delays overtake each other. loss: the part that is dropped."""

    def __init__(self, count, seed, delay=(0.0, 0.0), loss=0.0):
        super().__init__(count)
        self.random, self.delay, self.loss = random.Random(seed), delay, loss
        self.taps, self.ends = [], threading.Event()
        self.carried = self.dropped = self.overtaken = 0

    def open_tap(self, i, name):
        tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        self.taps.append(tap)
        fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", f"{name}h".encode(), IFF_TAP | IFF_NO_PI))
        self.ip("link", "set", f"{name}h", "netns", name)
        for command in (f"link set {name}h name eth0", f"addr add 10.199.77.{i + 1}/24 dev eth0", "link set eth0 up", "link set lo up"):
            self.ip("-n", name, *command.split())

    def __enter__(self):
        try:
            for i, name in enumerate(self.names):
                self.ip("netns", "add", name)
                self.open_tap(i, name)
        except (OSError, subprocess.CalledProcessError) as error:
            self.__exit__()
            pytest.skip(f"this system permits no TAP devices in network namespaces: {getattr(error, 'stderr', error)}")
        self.carrier = threading.Thread(target=self.carry, daemon=True)
        self.carrier.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        if hasattr(self, "carrier"):
            self.carrier.join()
        for tap in self.taps:
            os.close(tap)
        self.taps = []
        super().__exit__()

    def cut(self):
        """From here on every packet is lost."""
        self.loss = 1.0

    def carry(self):
        on_the_way, numbers, newest = [], itertools.count(), -1
        while not self.ends.is_set():
            wait = on_the_way[0][0] - time.monotonic() if on_the_way else 0.05
            for tap in select.select(self.taps, [], [], min(max(wait, 0), 0.05))[0]:
                frame = os.read(tap, 1 << 16)
                if self.random.random() < self.loss:
                    self.dropped += 1
                else:
                    heapq.heappush(on_the_way, (time.monotonic() + self.random.uniform(*self.delay), next(numbers), tap, frame))
            while on_the_way and on_the_way[0][0] <= time.monotonic():
                _, number, source, frame = heapq.heappop(on_the_way)
                self.overtaken += number < newest
                newest = max(newest, number)
                self.carried += 1
                for tap in self.taps:
                    if tap != source:
                        self.write(tap, frame)

    def write(self, tap, frame):
        try:
            os.write(tap, frame)
        except OSError:
            self.dropped += 1  # its queue is full, or the device is not up yet
