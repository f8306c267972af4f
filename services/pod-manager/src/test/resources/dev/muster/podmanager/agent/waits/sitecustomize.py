"""Writes down each wait of a program that its own limit has ended: how many seconds it was ready to wait.

That is the same however slow the machine is. What ends by an event, before its limit, is no such wait.
"""
import os
import queue
import socket
import struct
import threading
import time


def note(seconds):
    with open(os.environ["WAITS"], "a", encoding="utf-8") as file:
        file.write("%g\n" % seconds)


def limited(call, problem, limit):
    def run(*given, **named):
        try:
            return call(*given, **named)
        except problem:
            note(limit(*given, **named))
            raise

    return run


def of_reading(connection, *_):
    seconds, micros = struct.unpack(
        "@ll", connection.getsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.calcsize("@ll"))
    )
    return seconds + micros / 1e6


def sleep(seconds, asleep=time.sleep):
    if threading.current_thread() is threading.main_thread():
        note(seconds)
    asleep(seconds)


socket.socket.recv = limited(socket.socket.recv, BlockingIOError, of_reading)
socket.socket.connect = limited(
    socket.socket.connect, socket.timeout, lambda connection, _: connection.gettimeout()
)
queue.Queue.get = limited(queue.Queue.get, queue.Empty, lambda _, timeout: timeout)
time.sleep = sleep
