"""Secrets the rules were not written against: other words, other places, other ways to write the same.

This is the third such part. The first two were looked at when the rules failed on them and belong to development now.
"""

import base64
import json
from collections.abc import Callable
from random import Random
from typing import Any

LETTERS = "abcdefghijkmnpqrstuvwxyz"
DIGITS = "23456789"
HEX = "0123456789abcdef"
BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
ALL = LETTERS + LETTERS.upper() + DIGITS


def _some(random: Random, letters: str, length: int) -> str:
    return "".join(random.choices(letters, k=length))


SHAPED: dict[str, Callable[[Random], str]] = {
    "aws-temporary": lambda r: "ASIA" + _some(r, BASE32, 16),
    "github-classic": lambda r: "ghp_" + _some(r, ALL, 36),
    "github-user": lambda r: "ghu_" + _some(r, ALL, 36),
    "github-fine": lambda r: f"github_pat_11{_some(r, ALL, 20)}_{_some(r, ALL, 59)}",
    "gitlab-deploy": lambda r: "gldt-" + _some(r, ALL, 20),
    "slack-legacy": lambda r: f"xoxa-{_some(r, DIGITS, 12)}-{_some(r, ALL, 30)}",
    "slack-workflow": lambda r: (
        f"https://hooks.slack.com/workflows/T{_some(r, BASE32, 8)}/A{_some(r, BASE32, 9)}/{_some(r, DIGITS, 18)}/{_some(r, ALL, 24)}"
    ),
    "model-router": lambda r: "sk-or-v1-" + _some(r, HEX, 64),
    "model-plain": lambda r: "sk-" + _some(r, HEX, 32),
    "google-api": lambda r: "AIzaSy" + _some(r, ALL, 33),
    "google-access": lambda r: "ya29.a0A" + _some(r, ALL, 150),
    "stripe-test": lambda r: "sk_test_51" + _some(r, ALL, 97),
    "npm": lambda r: "npm_" + _some(r, ALL, 36),
    "hub": lambda r: "hf_" + _some(r, ALL, 34),
    "sendgrid": lambda r: f"SG.{_some(r, ALL, 22)}.{_some(r, ALL, 43)}",
    "alibaba-temporary": lambda r: "LTAI5t" + _some(r, ALL, 18),
    "tencent": lambda r: "AKID" + _some(r, ALL, 32),
    "telegram": lambda r: f"{_some(r, DIGITS, 9)}:AA{_some(r, ALL, 33)}",
    "discord-hook": lambda r: f"https://discord.com/api/webhooks/{_some(r, DIGITS, 19)}/{_some(r, ALL, 68)}",
    "vault-batch": lambda r: "hvb." + _some(r, ALL, 138),
    "jwt-es": lambda r: f"eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJ{_some(r, ALL, 60)}.{_some(r, ALL, 86)}",
    "app-token": lambda r: "a-g1044" + _some(r, BASE32, 36),
    "user-token": lambda r: f"u-{_some(r, ALL, 20)}-{_some(r, ALL, 24)}",
    "refresh-token": lambda r: f"ur-{_some(r, ALL, 22)}.{_some(r, ALL, 22)}",
    "automation-hook": lambda r: f"https://corp.feishu.cn/base/automation/webhook/event/{_some(r, ALL, 24)}",
    "rsa": lambda r: (
        f"-----BEGIN RSA PRIVATE KEY-----\n{_some(r, ALL, 64)}\n{_some(r, ALL, 64)}\n{_some(r, ALL, 20)}==\n-----END RSA PRIVATE KEY-----"
    ),
    "pgp": lambda r: (
        f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{_some(r, ALL, 64)}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----"
    ),
    "https-password": lambda r: f"https://deploy:{_some(r, ALL, 16)}@git.example/team/app.git",
    "mongo-password": lambda r: (
        f"mongodb+srv://app_user:{_some(r, ALL, 9)}!{_some(r, ALL, 4)}@cluster.example/prod?retryWrites=true"
    ),
    "basic": lambda r: "Basic " + base64.b64encode(f"api:{_some(r, ALL, 21)}".encode()).decode(),
    "bearer": lambda r: "Bearer " + _some(r, HEX, 40),
}
ANNOUNCED: dict[str, Callable[[Random], str]] = {
    "short": lambda r: _some(r, ALL, 7) + "!" + _some(r, DIGITS, 1),
    "long": lambda r: _some(r, ALL, 48),
    "hex": lambda r: _some(r, HEX, 40) + "7",
    "signs": lambda r: "".join(r.choices(ALL + "@#_-+.", k=14)) + "9k",
}
TEXTS: dict[str, tuple[str, ...]] = {
    "en": (
        "Password = {}",
        "The wifi password is {}.",
        "ssh_passphrase={}",
        "spring.redis.password: {}",
        "DATABASE_PASSWORD_PROD={}",
        "mysqldump --user=svc --password={} app",
        "Your one-time code expires soon, verification code: {}",
        "AZURE_CLIENT_SECRET = {}",
        "secretAccessKey: {}",
        "GET /v1/items?access_token={}&limit=5",
        "Data Source=db;Initial Catalog=app;User Id=svc;Pwd={};",
        "API Key: {}",
        "Password of the build server: {}",
        "x-auth-token: {}",
        "credentials: {}",
        "the secret was changed, new secret: {}",
        "jwt_signing_key={}",
        "Login: svc / Password: {}",
        "encryptionKey -> {}",
    ),
    "zh": (
        "VPN 密码：{}",
        "测试环境口令为{}",
        "默认密码是 {}，请及时修改",
        "账户密码已改为{}。",
        "用户名：svc，密码：{}",
        "签名密钥：{}",
        "令牌（七天有效）：{}",
        "短信验证码：{}，请勿泄露",
        "客户端私钥为：{}",
        "api_key：{}",
        "密码:{}",
    ),
}
SHAPED_TEXTS: dict[str, tuple[str, ...]] = {
    "en": ("old value was {}.", "use <{}> here", "x={}&y=1", "id {}\nname b"),
    "zh": ("麻烦看下{}这个值", "“{}”已过期", "地址是：{}。"),
}
KEYS = (
    "userPassword",
    "mysql_pwd",
    "oauth_token",
    "csrfToken",
    "X-Auth-Token",
    "Cookie",
    "sessionToken",
    "app_secret",
    "user_access_token",
    "suite_ticket",
    "hmac_key",
    "recovery_code",
    "ssh-private-key",
    "StorageAccountKey",
    "conn_str",
    "管理员密码",
    "加密密钥",
    "token_secret",
    "PASSWORD_2",
)
CONTAINERS: dict[str, Callable[[str], Any]] = {
    "cell": lambda text: {"valueRange": {"values": [["a", "b"], ["c", text]]}},
    "card": lambda text: {
        "card": json.dumps({"elements": [{"tag": "div", "text": {"tag": "lark_md", "content": text}}]})
    },
    "two-levels-indented": lambda text: {
        "raw": json.dumps({"inner": json.dumps({"x": [text]}, indent=2)}, indent=2)
    },
    "shell": lambda text: {"history": f"$ cd /srv\n$ run {text}\n$ exit"},
    "quoted-mail": lambda text: {"body": f"> On Monday Li wrote:\n> {text}\n\nThanks!"},
    "failure": lambda text: {"code": "1", "message": "request rejected: " + text, "log_id": "2025"},
    "bytes-repr": lambda text: {
        "debug": f"payload={json.dumps(json.dumps({'t': text}), ensure_ascii=False)}"
    },
}
KEYED: dict[str, Callable[[str, str], Any]] = {
    "nested": lambda key, value: {"tenant": {"apps": [{"settings": {key: value}}]}},
    "text-in-text": lambda key, value: {
        "t": json.dumps({"u": json.dumps({key: value}, ensure_ascii=False)}, ensure_ascii=False)
    },
    "field-text": lambda key, value: {
        "items": [{"field_name": key, "text": value}, {"field_name": "名称", "text": "a"}]
    },
    "header-name": lambda key, value: {"h": [{"header": key, "value": value}]},
    "ini": lambda key, value: {"file": f"[main]\nhost = a\n{key} = {value}\nport = 1"},
    "properties": lambda key, value: {"file": f"app.{key}={value}\napp.port=1"},
    "escaped": lambda key, value: {"log": '"body": "{' + f'\\"{key}\\": \\"{value}\\", \\"n\\": 1' + '}"'},
    "javascript": lambda key, value: {"code": f"const c = {{ host: 'a', '{key}': '{value}' }};"},
    "list-of-lists": lambda key, value: {"rows": [["名称", "值"], [key, value]]},
    "upper": lambda key, value: {"env": {key.upper(): value}},
    "number-beside": lambda key, value: {"c": {"id": 5, key: value, "ok": True}},
}
