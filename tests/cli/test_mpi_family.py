# SPDX-License-Identifier: BSD-3-Clause
"""The data about MPIs: well formed, complete, and telling MPIs apart."""

from __future__ import annotations

from importlib.resources import files

import pytest

from raddle.errors import UserError
from raddle.launchers import LAUNCHERS
from raddle.mpi.family import Family, classify, families, family, parse

EVERY = [*families().values(), family("other")]
MINIMAL = 'name = "x"\ntitle = "X"\nlauncher = "plain"\nwheels = []\nversion_pattern = "(1)"\n'


@pytest.mark.parametrize("member", EVERY, ids=lambda member: member.name)
class TestData:
    def test_file_is_named_after_the_family(self, member: Family) -> None:
        assert files("raddle").joinpath("mpis", f"{member.name}.toml").is_file()

    def test_launcher_exists(self, member: Family) -> None:
        assert member.launcher in LAUNCHERS

    def test_wheels_are_pinned_to_one_version(self, member: Family) -> None:
        assert len({wheel.partition("==")[2] for wheel in member.wheels}) == min(len(member.wheels), 1)

    def test_templates_can_be_filled(self, member: Family) -> None:
        for variant in member.variants:
            assert "{" not in "".join(member.variant_env(variant, 2, 3).values())
        for value in member.env.values():
            assert "{" not in value.format(prefix="/p")

    def test_no_setting_is_of_both_a_profile_and_a_variant(self, member: Family) -> None:
        profiles = {name for settings in member.profiles.values() for name in settings}
        assert not profiles & {name for settings in member.variants.values() for name in settings}

    def test_a_placement_never_undoes_a_profile_or_a_variant(self, member: Family) -> None:
        placements = {name for settings in member.placements.values() for name in settings}
        others = (*member.profiles.values(), *member.variants.values())
        assert not placements & {name for settings in others for name in settings}

    @pytest.mark.parametrize("placement", ["no-shm", "netns"])
    def test_each_placement_has_settings_or_a_reason_why_not(self, member: Family, placement: str) -> None:
        assert bool(member.placement_env(placement)) == (member.supports("thread", placement) is None)

    def test_processes_are_never_in_one_process(self, member: Family) -> None:
        assert member.supports("process", "one-process")
        assert member.supports("process", "node") is None


def test_lanes() -> None:
    assert family("mpich").variant_env("lane", 2, 4) == {"MPIR_CVAR_CH4_NUM_VCIS": "2"}
    assert family("intel").variant_env("lane", 2, 4) == {
        "I_MPI_THREAD_SPLIT": "1",
        "I_MPI_THREAD_RUNTIME": "generic",
        "I_MPI_THREAD_MAX": "4",
    }
    assert family("openmpi").variant_env("lane", 2, 4) == {}
    assert family("mpich").variant_env("thread", 2, 4) == {}


def test_shared_makes_each_yield_and_clean_does_not() -> None:
    assert all(member.profile_env("shared") for member in families().values())
    assert family("mpich").profile_env("clean") == {}
    assert family("openmpi").profile_env("clean") == {"OMPI_MCA_mpi_yield_when_idle": "false"}


def test_only_simulated_placements_have_settings() -> None:
    assert family("mpich").placement_env("no-shm")["MPIR_CVAR_NOLOCAL"] == "1"
    assert "MPIR_CVAR_NOLOCAL" not in family("mpich").placement_env("netns")
    assert family("mpich").placement_env("node") == {}


@pytest.mark.parametrize(
    ("name", "variant", "placement", "can"),
    [
        ("mpich", "threadcomm", "one-process", True),
        ("openmpi", "threadcomm", "node", False),
        ("intel", "threadcomm", "node", False),
        ("intel", "lane", "one-process", False),
        ("intel", "lane", "node", True),
        ("openmpi", "lane", "one-process", True),
        ("other", "thread", "node", True),
        ("other", "thread", "no-shm", False),
    ],
)
def test_supports(name: str, variant: str, placement: str, can: bool) -> None:
    assert (family(name).supports(variant, placement) is None) == can


@pytest.mark.parametrize(
    ("library", "name", "version"),
    [
        ("MPICH Version:      5.0.2\nMPICH Release date: Fri Sep 25", "mpich", "5.0.2"),
        ("MPICH Version:      4.3.0rc1", "mpich", "4.3.0rc1"),
        ("Open MPI v5.0.11, package: Open MPI user@host Distribution, ident: 5.0.11", "openmpi", "5.0.11"),
        ("Open MPI v4.1.7a1, package: Open MPI", "openmpi", "4.1.7a1"),
        ("Intel(R) MPI Library 2021.18.1 for Linux* OS\n", "intel", "2021.18.1"),
        ("MPI VERSION    : CRAY MPICH version 8.1.28.15 (ANL base 3.4a2)", "other", "8.1.28.15"),
        ("MVAPICH2 Version      :\t2.3.7", "other", "2.3.7"),
        ("something else", "other", "unknown"),
    ],
)
def test_a_library_is_known_by_what_it_says(library: str, name: str, version: str) -> None:
    member, found = classify(library)
    assert (member.name, found) == (name, version)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UserError, match="There is no MPI 'mvapich'") as error:
        family("mvapich")
    assert error.value.hint == "Known: intel, mpich, openmpi"


def test_a_misspelt_key_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown keys: profile"):
        parse(f"{MINIMAL}[profile.shared]\nA = '1'\n")


def test_a_value_of_the_wrong_type_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"Expected `str`, got `int` - at `\$.env"):
        parse(f"{MINIMAL}[env]\nA = 1\n")
