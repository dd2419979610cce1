"""Every route of the HTTP API."""

from typing import Final

from fathom.server import admin_api, api, own_data

ROUTES: Final = (*api.ROUTES, *own_data.ROUTES, *admin_api.ROUTES)
