"""A tournament on a Ray cluster of two nodes, one of which is killed in the middle: is any game lost, double or different?

The nodes run on this machine (``ray.cluster_utils.Cluster``), each with processes of its own, as ``ray start`` would start them on
two machines. The agents note on which node they think. When a third of the games is on the disk, the second node is killed without
warning, workers and all; Ray does their unfinished portions again on the node that is left.

Expected: both nodes have worked, every game is in the log once, and all are equal to those of one worker without Ray. The exit code
says whether that is so. What Ray reports of the lost node goes to stderr.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro
from machine import machine_line

from skatai.agent import BaseAgent, make_agent
from skatai.arena import Tournament, read_log
from skatai.arena.tournament import LOG_NAME
from skatai.deal import deals_from_seed
from skatai.rng import Rng
from skatai.view import PlayerView


@dataclass
class Args:
    """A cluster of two nodes loses one."""

    agent: str = "pimc:worlds=2"
    """plays against rule and neural"""
    deals: int = 8
    seed: int = 1
    tables: int = 4
    """games of a portion"""
    cpus: int = 1
    """workers on each node"""


class Noting(BaseAgent):
    """Plays like an agent and leaves a file with the name of the node on which it does."""

    def __init__(self, spec: str, folder: Path) -> None:
        self.agent: Any = make_agent(spec)
        self.name = spec
        self.folder = folder
        self.noted = os.getpid()  # at home there is nothing to note

    def _note(self) -> None:
        if self.noted != os.getpid():
            import ray

            (self.folder / ray.get_runtime_context().get_node_id()).touch()
            self.noted = os.getpid()

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The agent's action."""
        return self.act_batch([view], [rng])[0]

    def act_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
        """The agent's actions."""
        self._note()
        return list(self.agent.act_batch(views, rngs))


def start_cluster(cpus: int) -> tuple[Any, Any]:
    """A head and a second node; the cluster and the second node."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    from ray.cluster_utils import Cluster

    node = {"num_cpus": cpus, "object_store_memory": 1 << 27, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    second = cluster.add_node(num_cpus=cpus, object_store_memory=1 << 27)
    cluster.wait_for_nodes()
    return cluster, second


class Killer(threading.Thread):
    """Kills a node when so many games are on the disk and the node has worked."""

    def __init__(self, cluster: Any, node: Any, log: Path, games: int, note: Path) -> None:
        super().__init__(daemon=True)
        self.cluster, self.node, self.log, self.games, self.note = cluster, node, log, games, note
        self.killed_at: int | None = None

    def _games(self) -> int:
        return self.log.read_bytes().count(b"\n") - 1 if self.log.exists() else 0

    def run(self) -> None:
        """Wait and kill."""
        while self._games() < self.games or not self.note.exists():
            time.sleep(0.02)
        self.killed_at = self._games()
        self.cluster.remove_node(self.node, allow_graceful=False)


def main(args: Args) -> int:
    """Run the check; the exit code."""
    print(machine_line())
    with tempfile.TemporaryDirectory() as folder:
        notes, out = Path(folder) / "nodes", Path(folder) / "out"
        notes.mkdir()
        fields = [Noting(args.agent, notes), "rule", "neural"]
        tournament = Tournament(fields, deals_from_seed(args.seed, args.deals), args.seed)
        expected = tournament.run()
        cluster, second = start_cluster(args.cpus)
        killer = Killer(cluster, second, out / LOG_NAME, tournament.games // 3, notes / second.node_id)
        try:
            killer.start()
            start = time.perf_counter()
            with redirect_stdout(sys.stderr):  # Ray tells at length that a node has died
                tournament.run(out, backend="ray", address=cluster.address, workers=2 * args.cpus, tables=args.tables)
            took = time.perf_counter() - start
        finally:
            cluster.shutdown()
        _, found = read_log(out / LOG_NAME)
        lines = (out / LOG_NAME).read_bytes().count(b"\n") - 1
        same = [record.same_game for record in found] == [record.same_game for record in expected.records]
        print(f"nodes that played: {len(list(notes.iterdir()))} of 2")
        print(f"second node killed after {killer.killed_at} of {tournament.games} games")
        print(f"games in the log: {lines}, different numbers: {len(found)}, {took:.1f} s")
        print(f"equal to one worker without Ray: {'yes' if same else 'NO'}")
        good = same and lines == tournament.games and killer.killed_at is not None and len(list(notes.iterdir())) == 2
        print("passed" if good else "FAILED")
        return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Args)))
