"""The plain platform for any HTTP API that an OpenAPI document describes."""
