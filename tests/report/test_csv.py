# SPDX-License-Identifier: BSD-3-Clause
"""The spreadsheet: every row, nothing rounded, empty where there is nothing, and no formula from outside."""

from __future__ import annotations

import csv
import io

import pytest

from raddle.report.csv import to_csv
from raddle.report.data import Data
from tests.stats.builders import result_row

NINE = [9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0]


def table(data: Data) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv(data))))


def test_known_rows_give_known_lines() -> None:
    rows = [
        result_row("latency", "thread", [2 * value for value in NINE], placement="one-process", processes=1),
        result_row("latency", "process", NINE),
        result_row("latency", "physical", [1.0] * 9, placement="one-process"),
    ]
    assert to_csv(Data(rows)).splitlines() == [
        "benchmark,variant,mpi,mpi_version,profile,bytes,threads,placement,processes,metric,unit,better,median,"
        "ci95_lo,ci95_hi,blocks,samples,p50,p90,p99,min,max,mad,autocorrelation,outliers,"
        "speed_to_process,speed_to_process_lo,speed_to_process_hi,"
        "best_process,speed_to_best,speed_to_best_lo,speed_to_best_hi,"
        "speed_to_physical,speed_to_physical_lo,speed_to_physical_hi,flags",
        "latency,process,mpich,5.0.2,clean,8,1,node,2,latency,us,lower,13,10,16,9,9,13,17,17,9,17,0,,0,"
        ",,,,,,,0.07692307692,0.0625,0.1,",
        "latency,thread,mpich,5.0.2,clean,8,1,one-process,1,latency,us,lower,26,20,32,9,9,26,34,34,18,34,0,,0,"
        "0.5,0.5,0.5,mpich,0.5,0.5,0.5,0.03846153846,0.03125,0.05,",
        "latency,physical,none,,clean,8,1,one-process,2,latency,us,lower,1,1,1,9,9,1,1,1,1,1,0,,0,,,,,,,,,,,",
    ]


def test_every_row_of_a_run_is_there(data: Data) -> None:
    lines = table(data)
    assert len(lines) == len(data.rows)
    assert sorted(float(line["median"]) for line in lines) == pytest.approx(
        sorted(row.median for row in data.rows), rel=1e-9
    )
    shared = [line for line in lines if line["profile"] == "shared"]
    assert shared
    assert all("oversubscribed" in line["flags"].split() for line in shared)


def test_no_interval_is_an_empty_cell(few: Data) -> None:
    assert {line["ci95_lo"] for line in table(few)} == {""}
    assert all(line["median"] and line["blocks"] == "3" for line in table(few))


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
def test_a_formula_is_not_one_any_more(start: str) -> None:
    evil = f"{start}HYPERLINK(A1)"
    [line] = table(Data([result_row("latency", "process", NINE, mpi_version=evil)]))
    assert line["mpi_version"] == f"'{evil}"


def test_commas_quotes_and_line_ends_stay_in_their_cell() -> None:
    [line] = table(Data([result_row("latency", "process", NINE, mpi_version='a,"b"\nc\rd')]))
    assert line["mpi_version"] == 'a,"b"\nc d'
