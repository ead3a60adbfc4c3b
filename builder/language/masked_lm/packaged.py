"""The packaged adapter: where it is, and how it is loaded as a network."""

from pathlib import Path
from typing import TYPE_CHECKING

from contract.machine.errors import UserError
from contract.machine.hashes import hash_of_file

if TYPE_CHECKING:
    from builder.language.masked_lm.network import MaskedNetwork

ADAPTER_PATH = Path(__file__).parent / "weights" / "adapter.safetensors"
# Units are keyed by the hash of the code, which through this constant covers the weights.
ADAPTER_SHA256 = "0e783ca9922c3e6a72e86df34aa31738e421073220cf41d5b90eefda5f9441c4"


def load_packaged() -> "MaskedNetwork":
    """Return the packaged network, ready to fill gaps."""
    from safetensors.torch import load_file

    from builder.language.masked_lm.network import new_network

    if not ADAPTER_PATH.is_file() or hash_of_file(ADAPTER_PATH) != ADAPTER_SHA256:
        raise UserError(f"{ADAPTER_PATH} is not the file this code was made for; install the package again")
    network = new_network()
    network.load_adapter(load_file(str(ADAPTER_PATH)))
    network.merge()
    return network.eval()
