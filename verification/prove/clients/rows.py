"""The requests of up42-py: method and path of each, by a short name."""

IDENTIFIER = r"[^/]+"
# The links of the landing page lead to the routes without a version.
STAC = "(?:/v2)?/assets/stac"

SHARED = {
    "token": ("POST", "/realms/public/protocol/openid-connect/token"),
    "userinfo": ("GET", "/realms/public/protocol/openid-connect/userinfo"),
    "collections": ("GET", "/v2/collections"),
    "scene search": ("POST", f"/catalog/hosts/{IDENTIFIER}/stac/search"),
    "quicklook": ("GET", f"/catalog/{IDENTIFIER}/image/{IDENTIFIER}/quicklook"),
    "product schema": ("GET", f"/orders/schema/{IDENTIFIER}"),
    "order estimate": ("POST", "/v2/orders/estimate"),
    "order placement": ("POST", "/v2/orders"),
    "order": ("GET", f"/v2/orders/{IDENTIFIER}"),
    "orders": ("GET", "/v2/orders"),
    "quotations": ("GET", "/v2/tasking/quotation"),
    "quotation decision": ("PATCH", f"/v2/tasking/quotation/{IDENTIFIER}"),
    "studies": ("GET", "/v2/tasking/feasibility-studies"),
    "study decision": ("PATCH", f"/v2/tasking/feasibility-studies/{IDENTIFIER}"),
    "process": ("GET", f"/v2/processing/processes/{IDENTIFIER}"),
    "licence agreement": ("GET", f"/v2/eulas/{IDENTIFIER}"),
    "input validation": ("POST", f"/v2/processing/processes/{IDENTIFIER}/validation"),
    "job cost": ("POST", f"/v2/processing/processes/{IDENTIFIER}/cost"),
    "job execution": ("POST", f"/v2/processing/processes/{IDENTIFIER}/execution"),
    "job": ("GET", f"/v2/processing/jobs/{IDENTIFIER}"),
    "jobs": ("GET", "/v2/processing/jobs"),
    "STAC landing page": ("GET", f"{STAC}/"),
    "STAC search": ("POST", f"{STAC}/search"),
    "STAC collections": ("GET", f"{STAC}/collections"),
    "STAC collection": ("GET", f"{STAC}/collections/{IDENTIFIER}"),
    "STAC items": ("GET", f"{STAC}/collections/{IDENTIFIER}/items"),
    "STAC item": ("GET", f"{STAC}/collections/{IDENTIFIER}/items/{IDENTIFIER}"),
    "item update": ("PATCH", f"{STAC}/collections/{IDENTIFIER}/items/{IDENTIFIER}"),
    "collection deletion": ("DELETE", f"{STAC}/collections/{IDENTIFIER}"),
    "file URL": ("POST", f"/api/v1/items/{IDENTIFIER}/assets/{IDENTIFIER}/download-url"),
}

NEWEST = {
    **SHARED,
    "order update": ("PATCH", f"/v2/orders/{IDENTIFIER}"),
    "order cancellation": ("POST", f"/v2/orders/{IDENTIFIER}/cancellation"),
    "order coverage": ("GET", f"/v2/coverage/orders/{IDENTIFIER}"),
    "budgets": ("GET", "/v2/budgets"),
    "budget": ("GET", f"/v2/budgets/(?!settings){IDENTIFIER}"),
    "budget usage": ("GET", f"/v2/budgets/{IDENTIFIER}/usage"),
    "budget settings": ("GET", "/v2/budgets/settings"),
    "catalogue landing page": ("GET", "/v2/catalog/"),
    "catalogue search": ("POST", "/v2/catalog/search"),
    "catalogue collections": ("GET", "/v2/catalog/collections"),
    "catalogue collection": ("GET", f"/v2/catalog/collections/{IDENTIFIER}"),
}

SECOND_GENERATION = {
    **SHARED,
    "balance": ("GET", "/v2/payments/balances"),
    "webhook events": ("GET", "/webhooks/events"),
    "webhooks": ("GET", f"/workspaces/{IDENTIFIER}/webhooks"),
    "webhook": ("GET", f"/workspaces/{IDENTIFIER}/webhooks/{IDENTIFIER}"),
    "webhook creation": ("POST", f"/workspaces/{IDENTIFIER}/webhooks"),
    "webhook update": ("PUT", f"/workspaces/{IDENTIFIER}/webhooks/{IDENTIFIER}"),
    "webhook test": ("POST", f"/workspaces/{IDENTIFIER}/webhooks/{IDENTIFIER}/tests"),
    "webhook deletion": ("DELETE", f"/workspaces/{IDENTIFIER}/webhooks/{IDENTIFIER}"),
    "assets": ("GET", "/v2/assets"),
    "asset": ("GET", f"/v2/assets/{IDENTIFIER}/metadata"),
    "asset update": ("POST", f"/v2/assets/{IDENTIFIER}/metadata"),
    "asset URL": ("POST", f"/v2/assets/{IDENTIFIER}/download-url"),
}
