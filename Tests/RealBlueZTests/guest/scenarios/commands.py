"""The commands of bluefleet, without a running bridge."""

import json

import fleet
from bridge import GATEWAY
from command import run, running
from expectations import disconnected
from machine import Machine
from scenario import scenario

NOWHERE = "C0:00:00:00:0F:FF"
# The time limit of a command, and the time of a scan, sufficient for a slow machine.
TIMEOUT = ["--within", "60s"]
SCAN = ["scan", "--for", "6s"]


@scenario
async def scan_lists_the_peripherals(machine: Machine) -> None:
    outcome = await run(machine, *SCAN, "--json")
    found = {device["address"]: device for device in outcome.json["devices"]}
    for peripheral in machine.fleet.house:
        device = found[peripheral.address]
        assert (device["name"], device["kind"], device["rssi"]) == (peripheral.name, "random", -50), device
    text = (await run(machine, *SCAN)).output
    assert all(peripheral.address in text for peripheral in machine.fleet.house), text


@scenario
async def the_commands_read_and_write_work_without_a_bridge(machine: Machine) -> None:
    machine.fleet.specimen.reset()
    specimen, seen = machine.fleet.specimen.address, machine.journal.mark()
    value = await run(machine, "read", specimen, "181A/2A6E", "--json", *TIMEOUT)
    assert value.json["value"] == 21.53, value
    await disconnected(machine, "specimen", seen)
    await run(machine, "write", specimen, fleet.RELAY_OUTPUT, "0a0bcc", "--hex", *TIMEOUT)
    written = [e for e in machine.journal.seen("specimen", "write", after=seen) if e.uuid == fleet.RELAY_OUTPUT]
    assert [event.value for event in written] == ["0a0bcc"], [str(event) for event in written]
    text = await run(machine, "read", specimen, fleet.RELAY_OUTPUT, *TIMEOUT)
    assert "0a0bcc" in text.output.replace(" ", ""), text


@scenario
async def watch_shows_values_until_it_is_interrupted(machine: Machine) -> None:
    specimen, seen = machine.fleet.specimen, machine.journal.mark()
    async with running(machine, "watch", specimen.address, "temperature", "--json", *TIMEOUT) as output:
        await machine.journal.wait(
            "the subscription", lambda e: (e.kind, e.uuid, e.value) == ("cccd", fleet.TEMPERATURE, "0100"), seen
        )
        for value in ["d007", "6908"]:
            await specimen.notify(fleet.TEMPERATURE, value)
        shown = [json.loads(await output.readline())["value"] for _ in range(2)]
        assert shown == [20, 21.53], shown
    await disconnected(machine, "specimen", seen)
    cancelled = [e.value for e in machine.journal.seen("specimen", "cccd", after=seen) if e.uuid == fleet.TEMPERATURE]
    assert cancelled == ["0100", "0000"], cancelled


@scenario
async def the_yaml_of_inspect_is_a_valid_configuration(machine: Machine) -> None:
    specimen = machine.fleet.specimen
    specimen.reset()
    inspected = await run(machine, "inspect", specimen.address, "--json", *TIMEOUT)
    assert {service["uuid"] for service in inspected.json["services"]} >= set(specimen.services), inspected
    entry = (await run(machine, "inspect", specimen.address, "--yaml", *TIMEOUT)).output
    configuration = GATEWAY + entry
    file = machine.results / "inspected.yaml"
    file.write_text(configuration)
    await run(machine, "check", "--config", file)
    after = machine.broker.mark()
    await machine.start_bridge(configuration)
    await machine.broker.received("bluefleet/specimen/connection", {"state": "connected"}, after)
    await machine.broker.received("bluefleet/specimen/temperature", {"value": 21.53}, after)
    assert await machine.stop_bridge() == 0, "the bridge failed on its end"


@scenario
async def unknown_devices_and_characteristics_are_reported(machine: Machine) -> None:
    missing = await run(machine, "read", NOWHERE, "temperature", "--within", "3s", expecting=69)
    assert NOWHERE in missing.errors, missing
    specimen = machine.fleet.specimen.address
    missing = await run(machine, "read", specimen, "heart_rate_measurement", *TIMEOUT, expecting=69)
    assert "heart_rate_measurement" in missing.errors, missing
    await run(machine, "unpair", specimen, expecting=69)


@scenario
async def doctor_reports_a_working_system(machine: Machine) -> None:
    file = machine.results / "doctor.yaml"
    file.write_text(GATEWAY + f"devices:\n  specimen: {{address: {machine.fleet.specimen.address}}}\n")
    findings = (await run(machine, "doctor", "--json", "--config", file)).json
    states = {check["subject"]: check["state"] for check in findings["checks"]}
    for subject in ["configuration", "D-Bus", "bluetoothd", "D-Bus policy", "adapter", "scan", "broker"]:
        assert states[subject] == "ok", findings
