"""Secrets of round 1: the rules were written against them."""

import base64
import json
from collections.abc import Callable
from random import Random
from typing import Any

UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = UPPER.lower()
DIGITS = "0123456789"


def _pick(random: Random, length: int, letters: str = UPPER + LOWER + DIGITS) -> str:
    return "".join(random.choices(letters, k=length))


SHAPED: dict[str, Callable[[Random], str]] = {
    "aws-session": lambda r: "ASIA" + _pick(r, 16, UPPER + "234567"),
    "github-fine": lambda r: f"github_pat_{_pick(r, 22)}_{_pick(r, 59)}",
    "github-app": lambda r: "ghs_" + _pick(r, 36),
    "gitlab": lambda r: "glpat-" + _pick(r, 20),
    "slack-user": lambda r: (
        f"xoxp-{_pick(r, 12, DIGITS)}-{_pick(r, 12, DIGITS)}-{_pick(r, 32, '0123456789abcdef')}"
    ),
    "slack-hook": lambda r: (
        f"https://hooks.slack.com/services/T{_pick(r, 8, UPPER)}/B{_pick(r, 8, UPPER)}/{_pick(r, 24)}"
    ),
    "model-ant": lambda r: "sk-ant-api03-" + _pick(r, 40) + "-" + _pick(r, 30),
    "model-old": lambda r: "sk-" + _pick(r, 48),
    "google-oauth": lambda r: "ya29." + _pick(r, 60),
    "google-client": lambda r: "GOCSPX-" + _pick(r, 28),
    "stripe": lambda r: "sk_live_" + _pick(r, 24),
    "npm": lambda r: "npm_" + _pick(r, 36),
    "sendgrid": lambda r: f"SG.{_pick(r, 22)}.{_pick(r, 43)}",
    "hub": lambda r: "hf_" + _pick(r, 34),
    "alibaba": lambda r: "LTAI5t" + _pick(r, 18),
    "tencent": lambda r: "AKID" + _pick(r, 32),
    "telegram": lambda r: f"{_pick(r, 10, DIGITS)}:AA{_pick(r, 33)}",
    "jwt-rs": lambda r: f"eyJhbGciOiJSUzI1NiJ9.{_pick(r, 120)}.{_pick(r, 342)}",
    "app-token": lambda r: "a-g1057" + _pick(r, 36, UPPER + "234567"),
    "old-tenant-token": lambda r: "t-caecc" + _pick(r, 35, "0123456789abcdef"),
    "refresh": lambda r: "ur-" + _pick(r, 40),
    "bot-hook": lambda r: (
        f"https://open.feishu.cn/open-apis/bot/v2/hook/{_pick(r, 8)}-{_pick(r, 4)}-{_pick(r, 12)}"
    ),
    "wecom-hook": lambda r: (
        f"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={_pick(r, 8)}-{_pick(r, 4)}-{_pick(r, 12)}"
    ),
    "pem": lambda r: (
        f"-----BEGIN EC PRIVATE KEY-----\n{_pick(r, 64)}\n{_pick(r, 40)}=\n-----END EC PRIVATE KEY-----"
    ),
    "url-password": lambda r: f"postgresql://svc:{_pick(r, 14)}@db.example:5432/app",
    "basic": lambda r: "Basic " + base64.b64encode(f"svc:{_pick(r, 12)}".encode()).decode(),
    "bearer": lambda r: "Bearer " + _pick(r, 40),
}
ANNOUNCED: dict[str, Callable[[Random], str]] = {
    "mixed": lambda r: _pick(r, 5) + "#" + _pick(r, 4, DIGITS) + "Zz",
    "digits": lambda r: _pick(r, 8, DIGITS),
    "base64": lambda r: base64.b64encode(r.randbytes(24)).decode(),
    "uuid": lambda r: "-".join(_pick(r, length, "0123456789abcdef") for length in (8, 4, 4, 4, 12)),
}
TEXTS: dict[str, tuple[str, ...]] = {
    "en": (
        "Login with user svc and passwd={}",
        "export DB_PASSWORD={}",
        "Your temporary password: {}\nPlease change it after the first login.",
        "secret_key => {}",
        "app secret: {}",
        "encrypt_key: {} (rotate monthly)",
        "https://api.example/v1/items?limit=20&api_key={}&sort=asc",
        "Server=tcp:db.example;Database=app;User ID=svc;Password={};Encrypt=true",
        "X-Api-Key: {}",
        "The root password is {}, keep it safe.",
        "spring.datasource.password={}",
        '--set auth.password="{}"',
        "privateKey: '{}'",
        "access_token={}",
    ),
    "zh": (
        "登录密码：{}，首次登录后请修改",
        "管理员的初始密码是{}。",
        "应用密钥：{}",
        "Wi-Fi 密码为：{}",
        "验证码：{}，五分钟内有效",
        "已将口令重置为{}",
        "账号 svc 密码 {}",
        "访问令牌：{}",
        "私钥（请保密）：{}",
        "app_secret：{}",
    ),
}
SHAPED_TEXTS: dict[str, tuple[str, ...]] = {
    "en": (
        "I put the credential here for now: {} - remove later",
        "export VALUE={}",
        '("{}", 3)',
        "new={};old=none",
    ),
    "zh": ("先记一下：{}", "凭据在这里「{}」用完删除", "参数是{}，谢谢"),
}
KEYS = (
    "db_password",
    "appSecret",
    "refresh_token",
    "Authorization",
    "secretAccessKey",
    "set-cookie",
    "signing_key",
    "encrypt_key",
    "verification_token",
    "app_ticket",
    "passphrase",
    "登录密码",
    "应用密钥",
    "client-secret",
    "AccountKey",
)
CONTAINERS: dict[str, Callable[[str], Any]] = {
    "record": lambda text: {
        "items": [{"record_id": "rec1", "fields": {"备注": [{"type": "text", "text": text}]}}]
    },
    "three-levels": lambda text: {"a": json.dumps({"b": json.dumps({"c": json.dumps({"d": text})})})},
    "escaped-fragment": lambda text: {
        "trace": "failed with body=" + json.dumps(json.dumps({"body": text})) + " after 3 tries"
    },
    "markdown": lambda text: {"content": f"## Setup\n\n1. open the console\n2. use `{text}`\n3. done\n"},
    "name": lambda text: {"map": {text: True}},
    "error": lambda text: {"message": f"upstream said: {text}"},
}
KEYED: dict[str, Callable[[str, str], Any]] = {
    "deep": lambda key, value: {"a": {"b": [{"c": {key: value}}]}},
    "four-levels": lambda key, value: {
        "x": json.dumps([json.dumps([json.dumps([json.dumps({key: value})])])])
    },
    "list": lambda key, value: {"config": {key: [value, value]}},
    "pair-list": lambda key, value: {"headers": [["Accept", "*/*"], [key, value]]},
    "labelled": lambda key, value: {"fields": [{"field_name": key, "value": value}]},
    "header-dump": lambda key, value: {
        "raw": f"POST /x HTTP/1.1\r\nHost: a.example\r\n{key}: {value}\r\n\r\n"
    },
    "yaml": lambda key, value: {"file": f"service:\n  name: a\n  {key}: {value}\n  port: 1"},
    "json-fragment": lambda key, value: {"log": f'INFO request {{"id": 7, "{key}": "{value}"}} took 3 ms'},
    "wrapped": lambda key, value: {"config": {key: {"value": value}}},
}
# In a dump of headers these hold more than one bare word.
HEADER_VALUES: dict[str, str] = {"Authorization": "Bearer {}", "set-cookie": "sid={}; Path=/"}
