"""The service as systemd runs it, put in place by its command: confined, watched, restarted, made safe."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.systemd.nest import UNIT, Nest, python_needs

PROGRAM, PYTHON = map(str, python_needs()[:2])
SETTINGS = '[launcher]\\nbackend = "twin"\\n[web]\\nlisten = "127.0.0.1:0"\\n'
SAFE = "nothing to make low"  # what safe-off has to say where the backend drives no pins
# What the backend of real pins does on its way to them: its library, the edges' pipe and thread, the machine's lock.
NEEDS = "import hardware.edges, hardware.lock, serial; hardware.edges.edge_thread(); hardware.lock.ChipLock('a chip')"


@pytest.mark.slow
@pytest.mark.systemd
def test_the_service_from_the_day_it_is_put_in_place_until_it_is_taken_away(tmp_path: Path) -> None:
    """One test, for one systemd: each step goes on where the one before ended."""
    with Nest(tmp_path) as nest:
        it_is_put_in_place_and_gets_ready(nest)
        it_runs_as_its_own_user_with_no_powers(nest)
        real_pins_could_be_had_where_it_is_confined(nest)
        killed_it_is_made_safe_and_started_again(nest)
        frozen_it_is_ended_by_the_watchdog_made_safe_and_started_again(nest)
        told_to_stop_it_ends_well_and_is_made_safe(nest)
        taken_away_nothing_is_left_but_its_data(nest)


def it_is_put_in_place_and_gets_ready(nest: Nest) -> None:
    nest.open_up(*python_needs())
    assert "wrote /etc/systemd/system/uno-attack.service" in nest.run(PROGRAM, "service", "install")
    nest.run("mkdir", "/etc/uno-attack")
    nest.run("sh", "-c", f"printf '{SETTINGS}' >/etc/uno-attack/uno-attack.toml")
    nest.run("systemctl", "start", UNIT)  # returns when it has said that it is ready
    port = re.findall(r"^ready http://127\.0\.0\.1:(\d+)$", nest.log(), flags=re.MULTILINE)[-1]
    fetch = f"import urllib.request as u; print(u.urlopen('http://127.0.0.1:{port}/healthz').read().decode())"
    assert json.loads(nest.run(PYTHON, "-c", fetch))["ok"]
    nest.until(lambda: nest.show("StatusText")["StatusText"] == "0 at the table, no game on, twin: ready")
    assert nest.log().count(SAFE) == 1  # before it began


def it_runs_as_its_own_user_with_no_powers(nest: Nest) -> None:
    pid = nest.show("MainPID")["MainPID"]
    status = dict(line.split(":\t", 1) for line in nest.run("cat", f"/proc/{pid}/status").splitlines() if ":\t" in line)
    assert nest.run("id", "--user", "uno-attack").strip() == status["Uid"].split()[0] != "0"
    groups = {nest.run("getent", "group", group).split(":")[0] for group in status["Groups"].split()}
    assert groups == {"uno-attack", "gpio", "dialout", "audio"}
    assert (int(status["CapEff"], 16), status["NoNewPrivs"], status["Seccomp"]) == (0, "1", "2")
    assert nest.run("stat", "--format=%U %a", "/var/lib/uno-attack/tables.sqlite").split() == ["uno-attack", "600"]


def real_pins_could_be_had_where_it_is_confined(nest: Nest) -> None:
    """Another service with the same confinement, that goes as far as the pins, of which there are none here."""
    unit = nest.run("cat", f"/etc/systemd/system/{UNIT}")
    unit = re.sub(r"^(Exec|Watchdog|Restart|Type|Timeout).*\n", "", unit, flags=re.MULTILINE)
    unit = unit.replace("[Service]\n", f'[Service]\nType=oneshot\nExecStart={PYTHON} -c "{NEEDS}"\n')
    unit = unit.replace("RuntimeDirectory=uno-attack", "RuntimeDirectory=probe").replace("%t/uno-attack", "%t/probe")
    nest.write("/etc/systemd/system/probe.service", unit)
    nest.run("systemctl", "daemon-reload")
    nest.run("systemctl", "start", "probe.service", check=False)
    assert nest.show("Result", unit="probe.service")["Result"] == "success", nest.log("probe.service")


def killed_it_is_made_safe_and_started_again(nest: Nest) -> None:
    before = nest.log().count(SAFE)
    nest.send("KILL")
    nest.runs(restarts=1)
    assert nest.log().count(SAFE) == before + 2  # after the one that was killed, and before the next


def frozen_it_is_ended_by_the_watchdog_made_safe_and_started_again(nest: Nest) -> None:
    before = nest.log().count(SAFE)
    nest.send("STOP")
    nest.runs(restarts=2)
    log = nest.log()
    assert log.count(SAFE) == before + 2
    assert "Watchdog timeout (limit 3s)!" in log
    assert "Fatal Python error: Aborted" in log  # and where every thread was


def told_to_stop_it_ends_well_and_is_made_safe(nest: Nest) -> None:
    before = nest.log().count(SAFE)
    nest.run("systemctl", "stop", UNIT)
    assert nest.show("ActiveState", "Result") == {"Result": "success", "ActiveState": "inactive"}
    log = nest.log()
    assert log.count(SAFE) == before + 1
    assert "the table is closed; it goes on where it stopped when it is started again" in log


def taken_away_nothing_is_left_but_its_data(nest: Nest) -> None:
    nest.run(PROGRAM, "service", "remove")
    assert nest.show("LoadState")["LoadState"] == "not-found"
    assert nest.run("ls", "/var/lib/uno-attack").split()
