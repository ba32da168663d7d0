"""Secrets of round 2: the rules were written against them."""

import base64
import json
from collections.abc import Callable
from random import Random
from typing import Any

UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = UPPER.lower()
DIGITS = "0123456789"
HEX = "0123456789abcdef"


def _pick(random: Random, length: int, letters: str = UPPER + LOWER + DIGITS) -> str:
    return "".join(random.choices(letters, k=length))


SHAPED: dict[str, Callable[[Random], str]] = {
    "aws-key": lambda r: "AKIA" + _pick(r, 16, UPPER + "234567"),
    "github-oauth": lambda r: "gho_" + _pick(r, 36),
    "github-refresh": lambda r: "ghr_" + _pick(r, 76),
    "gitlab-runner": lambda r: "glrt-" + _pick(r, 20),
    "slack-bot": lambda r: f"xoxb-{_pick(r, 12, DIGITS)}-{_pick(r, 13, DIGITS)}-{_pick(r, 24)}",
    "slack-app": lambda r: f"xapp-1-A{_pick(r, 10, UPPER)}-{_pick(r, 13, DIGITS)}-{_pick(r, 64, HEX)}",
    "model-project": lambda r: "sk-proj-" + _pick(r, 60) + "_" + _pick(r, 60),
    "model-service": lambda r: "sk-svcacct-" + _pick(r, 40),
    "google-api": lambda r: "AIza" + _pick(r, 30) + "_" + _pick(r, 4),
    "google-refresh": lambda r: "1//0" + _pick(r, 80),
    "stripe-restricted": lambda r: "rk_live_" + _pick(r, 99),
    "webhook-secret": lambda r: "whsec_" + _pick(r, 32),
    "pypi": lambda r: "pypi-AgEIcHlwaS5vcmc" + _pick(r, 120),
    "shopify": lambda r: "shpat_" + _pick(r, 32, HEX),
    "digitalocean": lambda r: "dop_v1_" + _pick(r, 64, HEX),
    "vault": lambda r: "hvs." + _pick(r, 90),
    "azure": lambda r: _pick(r, 3) + "8Q~" + _pick(r, 34),
    "alibaba": lambda r: "LTAI4" + _pick(r, 19),
    "jwt-hs": lambda r: (
        f"eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJ{_pick(r, 90)}.{_pick(r, 21)}-{_pick(r, 21)}"
    ),
    "jwe": lambda r: f"eyJhbGciOiJSU0EifQ.{_pick(r, 86)}.{_pick(r, 16)}.{_pick(r, 60)}.{_pick(r, 22)}",
    "tenant-token": lambda r: "t-g1044" + _pick(r, 36, UPPER + "234567"),
    "user-token": lambda r: f"u-{_pick(r, 22)}.{_pick(r, 30)}_{_pick(r, 20)}",
    "old-user-token": lambda r: "u-" + _pick(r, 22),
    "lark-hook": lambda r: f"https://open.larksuite.com/open-apis/bot/hook/{_pick(r, 32, HEX)}",
    "teams-hook": lambda r: (
        f"https://corp.webhook.office.com/webhookb2/{_pick(r, 36, HEX)}@{_pick(r, 36, HEX)}/IncomingWebhook/{_pick(r, 32, HEX)}"
    ),
    "openssh": lambda r: (
        f"-----BEGIN OPENSSH PRIVATE KEY-----\n{_pick(r, 70)}\n{_pick(r, 70)}\n-----END OPENSSH PRIVATE KEY-----"
    ),
    "encrypted-pem": lambda r: (
        f"-----BEGIN ENCRYPTED PRIVATE KEY-----\n{_pick(r, 64)}\n-----END ENCRYPTED PRIVATE KEY-----"
    ),
    "url-password": lambda r: f"amqp://worker:{_pick(r, 10)}-{_pick(r, 5)}@mq.example:5671/%2f",
    "url-no-user": lambda r: f"redis://:{_pick(r, 20)}@cache.example:6379/0",
    "basic": lambda r: "basic " + base64.b64encode(f"{_pick(r, 5)}:{_pick(r, 17)}".encode()).decode(),
    "bearer": lambda r: f"bearer {_pick(r, 12)}-{_pick(r, 12)}.{_pick(r, 9)}",
}
ANNOUNCED: dict[str, Callable[[Random], str]] = {
    "signs": lambda r: _pick(r, 4) + r.choice("!$%^*+?") + _pick(r, 3, DIGITS) + r.choice("!$%^*+?") + "Qx",
    "phrase": lambda r: (
        "-".join(r.choices(("correct", "horse", "battery", "staple", "purple", "otter"), k=3))
        + _pick(r, 2, DIGITS)
    ),
    "sha256": lambda r: _pick(r, 64, HEX),
    "base64url": lambda r: base64.urlsafe_b64encode(r.randbytes(33)).decode(),
}
TEXTS: dict[str, tuple[str, ...]] = {
    "en": (
        "user=report;pwd={};timeout=5",
        "Password for the shared mailbox: {}",
        "MYSQL_ROOT_PASSWORD: {}",
        "SECRET_KEY_BASE={}",
        "set the client secret to: client_secret: {}",
        "My new password is {}",
        "access key = {}",
        "curl -d 'username=svc' -d 'password={}' https://login.example",
        "https://files.example/a?sv=2022&sig={}&se=2030",
        "jwtSecret: '{}',",
        "--password={}",
        "auth_token: {}",
        "Passphrase: {}",
        "The API key was {} until yesterday.",
        "refresh token: {}",
    ),
    "zh": (
        "后台密码是：{}",
        "新密码：{}（请妥善保管）",
        "数据库口令：{}；端口：3306",
        "接口密钥 {}",
        "把令牌换成 {} 再试",
        "密码已重置为：{}",
        "服务器账号 root，密码：{}。",
        "client_secret：{}",
        "加密密钥={}",
        "【密码】{}",
    ),
}
SHAPED_TEXTS: dict[str, tuple[str, ...]] = {
    "en": ("try {} please", "KEY_FROM_MAIL={}", "[{}]", "a,{},b"),
    "zh": ("请用 {} 试试", "链接：{}", "（{}）", "旧值→{}"),
}
KEYS = (
    "passwd",
    "root_password",
    "clientSecret",
    "id_token",
    "Proxy-Authorization",
    "aws_secret_access_key",
    "cookie",
    "private_key",
    "encryptKey",
    "tenant_access_token",
    "jsapi_ticket",
    "SMTP_PASS",
    "connectionString",
    "初始密码",
    "访问令牌",
    "api_key",
    "webhook_secret",
)
CONTAINERS: dict[str, Callable[[str], Any]] = {
    "message": lambda text: {
        "items": [{"message_id": "om_1", "body": {"content": json.dumps({"text": text}, ensure_ascii=False)}}]
    },
    "list": lambda text: {"lines": ["ok", text, "done"]},
    "four-levels": lambda text: {"a": json.dumps([json.dumps([json.dumps([json.dumps([text])])])])},
    "log-with-json": lambda text: {
        "log": 'level=info msg="sent" payload=' + json.dumps({"id": 1, "text": text}) + " status=200"
    },
    "html": lambda text: {"html": f"<table><tr><td>note</td><td>{text}</td></tr></table>"},
    "csv": lambda text: {"file": f"id;note\n1;ok\n2;{text}\n3;ok"},
}
KEYED: dict[str, Callable[[str, str], Any]] = {
    "member": lambda key, value: {"app": {key: value, "name": "x"}},
    "three-levels": lambda key, value: {"x": json.dumps({"y": json.dumps({"z": json.dumps({key: value})})})},
    "rows": lambda key, value: {"rows": [["user", "svc"], [key, value]]},
    "key-value": lambda key, value: {"env": [{"key": key, "value": value}]},
    "toml": lambda key, value: {"file": f'[service]\nname = "a"\n{key} = "{value}"\n'},
    "dotenv": lambda key, value: {"file": f"NAME=a\n{key}={value}\nPORT=1"},
    "xml": lambda key, value: {"file": f'<add key="x" /><setting {key}="{value}" other="1"/>'},
    "python": lambda key, value: {"trace": f"connect(host='a', **{{'{key}': '{value}', 'port': 1}})"},
    "rich-text": lambda key, value: {"fields": {key: [{"type": "text", "text": value}]}},
    "cut-json": lambda key, value: {"log": f'{{"id": 7, "{key}": "{value}", "rest": "abc'},
}
HEADER_VALUES: dict[str, str] = {"Proxy-Authorization": "Basic {}", "cookie": "session={}; lang=zh"}
