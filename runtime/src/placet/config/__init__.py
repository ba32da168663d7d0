"""`placet.toml`: one file for every door. What was written, what it comes to, and every fault at once."""

from placet.config.faults import ConfigFault, ConfigInvalid
from placet.config.loading import Config, Model, Stores, find_config, load_config
from placet.config.schema import config_schema

__all__ = [
    "Config",
    "ConfigFault",
    "ConfigInvalid",
    "Model",
    "Stores",
    "config_schema",
    "find_config",
    "load_config",
]
