# SPDX-License-Identifier: MIT
"""A service manager's end of NOTIFY_SOCKET.

    notify_receiver.py SOCKET FILE COMMAND [ARGUMENT...]

Starts the command with NOTIFY_SOCKET set, writes each datagram to FILE as one
line, line ends in it as blanks, and exits with the command's status.  A socket
that begins with @ is an abstract one.
"""
import os
import signal
import socket
import subprocess
import sys


def main():
    name, path, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    address = "\0" + name[1:] if name.startswith("@") else name
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    receiver.bind(address)
    receiver.settimeout(0.05)
    environment = dict(os.environ, NOTIFY_SOCKET=name)
    process = subprocess.Popen(command, env=environment)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda n, _frame: process.send_signal(n))
    status = None
    with open(path, "a", encoding="utf-8") as file:
        while True:
            try:
                text = receiver.recv(65536).decode()
                file.write(text.replace("\n", " ") + "\n")
                file.flush()
            except socket.timeout:
                if status is not None:
                    break
            status = process.poll()
    return status


sys.exit(main())
