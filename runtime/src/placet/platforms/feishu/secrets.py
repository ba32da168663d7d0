"""What Feishu's credentials look like, and which of its names sound like secrets but are ids.

Source: example answers on the platform's pages about access tokens, event subscription and custom bots, 2026-11.
"""

from placet.contract.masking import SecretPattern, SecretShapes

__all__ = ["SHAPES"]

SHAPES = SecretShapes(
    patterns=(
        SecretPattern(
            rule="feishu_access_token",
            kind="access token",
            # Sixteen characters before the first hyphen tell a token from the address of a page (`a-list-of-things`).
            pattern=r"[atu]-[A-Za-z0-9_.]{16}[A-Za-z0-9_.\-]{4,512}",
        ),
        SecretPattern(
            rule="feishu_refresh_token", kind="refresh token", pattern=r"ur-[A-Za-z0-9_.\-]{16,512}"
        ),
        SecretPattern(
            rule="feishu_webhook",
            kind="webhook address",
            pattern=r"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/[A-Za-z0-9_\-]{8,128}",
        ),
        SecretPattern(
            rule="feishu_flow_webhook",
            kind="webhook address",
            pattern=r"[A-Za-z0-9\-.]{1,64}\.(?:feishu\.cn|larksuite\.com|larkoffice\.com)"
            r"/(?:flow/api/trigger-webhook|base/automation/webhook/event)/[A-Za-z0-9_\-]{8,128}",
        ),
    ),
    keys=(
        "app_secret",
        "app_ticket",
        "jsapi_ticket",
        "ticket",
        "encrypt_key",
        "verification_token",
        "tenant_access_token",
        "user_access_token",
        "app_access_token",
        "refresh_token",
        "suite_ticket",
        "helpdesk_token",
    ),
    identifiers=(
        "app_token",
        "base_token",
        "board_token",
        "wiki_token",
        "parent_wiki_token",
        "minute_token",
        "file_token",
        "file_tokens",
        "folder_token",
        "folder_tokens",
        "float_image_token",
        "image_token",
        "doc_token",
        "docs_token",
        "docx_token",
        "document_token",
        "bitable_token",
        "mindnote_token",
        "slides_token",
        "sheet_token",
        "spreadsheet_token",
        "spreadsheettoken",
        "node_token",
        "origin_node_token",
        "parent_node_token",
        "target_parent_token",
        "obj_token",
        "origin_obj_token",
        "parent_token",
        "refer_token",
        "preview_tokens",
        "source_token",
        "media_token",
        "whiteboard_token",
        "icon_token",
        "cover_token",
        "transfer_key",
        "tenant_key",
        "target_tenant_key",
    ),
)
