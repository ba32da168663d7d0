"""The catalogue: what the SDK offers."""

from placet_generator.catalogue.model import Catalogue, CatalogueError, Kind, Method, Node, Place, SlotInfo

__all__ = ["Catalogue", "CatalogueError", "Kind", "Method", "Node", "Place", "SlotInfo"]
