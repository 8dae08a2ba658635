"""Processes by a name that is theirs alone: a process id is given to another program once its own has ended."""

import os
import socket

import psutil


def process_name(pid: int | None = None) -> str:
    """Host, process id and start of this process, or of another one of this machine."""
    process = psutil.Process(os.getpid() if pid is None else pid)
    return f"{socket.gethostname()}/{process.pid}/{process.create_time():.2f}"


def is_on_this_host(name: str) -> bool:
    return name.rpartition("/")[0].rpartition("/")[0] == socket.gethostname()


def is_running(name: str) -> bool:
    """Whether a process of this machine still runs. One that ended and was not collected yet does not."""
    pid = int(name.split("/")[-2])
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE and process_name(pid) == name
    except psutil.Error:
        return False


def is_child(pid: int, of: int) -> bool:
    """Whether a process runs whose parent is that one."""
    try:
        process = psutil.Process(pid)
        return bool(process.ppid() == of and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False
