# SPDX-License-Identifier: BSD-3-Clause
from raddle.profile.recorded import Recorded
from raddle.profile.model import PartnerWait


def partner_waits(processes: list[Recorded]) -> list[PartnerWait]:
    return []
