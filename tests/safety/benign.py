"""Lines that hold no secret, however much they look it: hashes, ids, placeholders, code, prose about passwords."""

from __future__ import annotations

import base64
import hashlib
import random
import uuid

PROSE = """
the password must be at least 8 characters|password policy: 12 characters, one digit|rotate the token every 90 days
the token is valid for 3600s|access tokens expire after 15m, refresh tokens after 30d|max_tokens: 4096|num_tokens=128000
token_count = 1532|context window of 200k tokens|the tokenizer splits on whitespace|password hashing uses argon2id
passwords are stored with bcrypt (cost 12)|secrets live in 1Password, never in git|ask Mei for the API key
api keys are rotated by the platform team|the secret is stored in Vault under kv/prod/db|secret name: app-tls-2024
secretName: letsencrypt-prod-2|tokenizer: cl100k_base|token limit is 8192|JWT tokens use HS256|the key is SHA-256 of the path
signed with RSA-2048|key size: 4096 bits|encryption: AES-256-GCM|密码至少 8 位，包含数字|密码长度必须是 8-16 位|密码用 bcrypt 加密
密码策略：12 位以上|令牌有效期是 7200s|token 过期时间为 3600 秒|密钥长度是 2048 位|不要把密码写进仓库|密钥放在 .env 里，不要提交
授权码模式需要 redirect_uri|私钥用 ssh-keygen 生成|密码是必填项|密码字段为 varchar(255)|口令由运维保管|API 密钥找小梅要|凭证存放在 Vault
登录后返回 token 和 user|token 放在 header 里|密钥算法为 AES-256-GCM|数据库密码见 1Password|密码错误超过 5 次锁定 30 分钟|task-list-of-the-week
pass the parameter by name|tests pass on Python 3.11|all 412 tests pass: 12 skipped|passing args=None is fine|bypass the cache with ?nocache=1
author: bob@example.com|authorization is done in middleware.py|the auth module lives in src/auth/v2|oauth2 flow with PKCE
the cookie banner is in components/Cookie2.tsx|set the cookie with SameSite=Lax|monkeypatch the keyboard shortcut ctrl+k|primary key: user_id
foreign key (order_id) references orders|cache key: user:123:profile|partition_key=region_2|keyboard layout: us-intl|key: value|pinned: true
pinned version 1.2.3|pin the dependency at 2.31.0|bearer of bad news|basic usage of the CLI|credentials are read from the environment
see https://example.com/docs?page=2&sort=asc|https://github.com/org/repo/commit/HASH|git@github.com:org/repo.git|ssh root@10.0.0.5 -p 2222
postgres://localhost:5432/shop|redis://cache:6379/0|http://localhost:8080/@scope/pkg|curl -u $USER:$PASS https://x.io|mysql -u root -p shop
docker run -p 8080:80 nginx|mkdir -p a/b/c|docker compose -p shop up|postgres://user:password@localhost:5432/db|https://user:pass@example.com|https://bot:NEW_TOKEN@example.com/shop.git|it makes a temporary token (48-hour lifetime)
password rules Handbook-2025 apply|the password is scrypt2-hashed|密码规则见 Guide-2025 页|密码找回流程 Step-2025 已发布|sign in with Okta2
2026-02-24T10:12:33Z [pref] prefers pytest #python (source=run-20260224)|version 3.12.1 released 2026-01-02|build 20260224.1|port 8080
""".replace("\n", "|")

CODE = """
password = os.environ["DB_PASSWORD"]|password = getpass.getpass()|password: str|password: str = ""|password: Optional[str] = None|token = request.headers["X-Token"]
token = get_token(user_id)|token = tokens[0]|token = self.lexer.next_token()|const token = await getToken();|const { token } = useAuth2();|token: string;
api_key = settings.API_KEY|api_key=API_KEY|apiKey: process.env.API_KEY,|apiKey: "${API_KEY}"|API_KEY=${API_KEY}|API_KEY=<your-api-key>|API_KEY=your_api_key_here
API_KEY=xxxxxxxxxxxxxxxxxxxx|password=changeme|password: ********|password: <password>|password: [REDACTED]|password: "{{ vault_db_password }}"|password: !vault |
secret: ${{ secrets.DEPLOY_TOKEN }}|env.GITHUB_TOKEN|${GITHUB_TOKEN}|$env:TOKEN|%TOKEN%|"password": "Enter your password"|"password": "Must have 8 characters"
"password": null,|"token": true|if password == other:|if token != expected_token_2:|assert token is not None|def check_password(password: str) -> bool:|return token
passwordHash: string|password_hash = hash_password(raw)|passwd_file = "/etc/passwd"|token_url: https://auth.example.com/oauth2/token|tokenUrl = `${base}/v2/token`
secret_id: my-secret-v2|SecretId: prod/db/main-2|key_id: key-123|keys = sorted(data.keys())|for key, value in items:|key=lambda item: item[1]|sort(key=len)
print(f"token: {token}")|logger.info("password changed for user 42")|parser.add_argument("--password")|--password-stdin|docker login --password-stdin|<input type="password" name="password">
PASSWORD_MIN_LENGTH = 12|TOKEN_TTL_SECONDS = 3600|secret = b64decode(value)|secret = hmac.new(key, body, "sha256")|auth = HTTPBasicAuth(user, pw)|"auth": {"type": "oauth2"}
pwd: /home/bob/src|cd $(pwd)/build2|PWD=/home/bob|passthrough: true|passphrase: ${PASSPHRASE}|token := os.Getenv("TOKEN")|let token = env::var("TOKEN")?;|password_field = "password2"
access_token: op://vault/item/field|client_secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:x|token=file:/run/secrets/token1|api_key_file = ~/.config/key2.txt
""".replace("\n", "|")


NAMED = r"""
| Passwort teilen | `richtlinien/Q2-UEBERGABE-ABLAUF.md` | offen |
| Share password | `standards/Q4-SHARING-PIPELINE.md` |
| 重置密码 | `docs/Guide2-RESET.md` |
| HTTPS only for the callback | PASS | `LoginCallback.ts:49` keeps it |
| Whole run with an own API key | `checks/e2e/` | nightly |
| Deploy key | `secrets/builder_ed25519` | ignored by git |
| token | `$tone-warm-200` | sand |
The model emits reflection tokens [E][S12] while it reads.
Critique tokens [12][S3] are trained offline [B7].
Share links: anonymous tokens (ABX-31), revoked tokens (ABX-32)
### Kombination 3: "Süd-Kombi" (Bergbahn, See, Markt)
### Kombination 1: "West-Tour" (Kanal)
- nach der Tasten-Combination sortiert, dann der Rest
{"title": "第 41 章：02：Router 与 Handler：登录请求在哪里"}
{"chapter": 58, "title": "第 58 章：01：BeanFactory 主链路（登录）", "tags": ["源码"]}
"title": "源码 第 44 章：03：Session 与 Cookie：入口在哪里"
Miller's blanket password criticism misses what she measured.
Her blanket token critique, and the password criticism of others
Hours went into password trials and into the password history of old accounts.
The passphrase rescue comes later; the password setup guide is gone.
the password manager is Bitwarden2
commit token: 3f2a9c1b
Tests all pass 44/44 since the second pass — 2026-06-08
pins 21/22/23 of the display; Code font 200/500/800
Look at what `e2eRunSchema` needs, and pass as `$Y::int[]`, then log in again
Many users and filters**, what if the user stops and resumes? to
DATABASE_URL: postgres://${DB_USER:-shop}:${DB_PASSWORD:-shop}@db:5432/shop
"TOKEN_SPEND": "$15K-60K for the first token: $25K-$90K"
command -v scan-secrets 2>/dev/null
- `GET /api/tokens/:owner/lists?limit=20` 返回清单
密码哈希：argon2/scrypt（参数已定）；密码加密：scrypt散列保存；编解码器：旧的浏览器也能用
The keys of the phone are at [MEMORY.md](/Users/mo/notes/MEMORY.md), the API key: [KEYS.md](docs/KEYS.md)
"SMTP_PASSWORD": "xxxx xxxx xxxx xxxx", "appPassword": "xxxx-xxxx-xxxx-xxxx", "OLD_PASS": "zzzz zzzz zzzz"
# A private key begins so: L4rTq...abc (of a wallet)
Authorization: Bearer eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9...
{'type': 'buy', 'code': '300417', 'name': 'x'} and {\"code\": 9417, \"msg\": \"x\"}
play /tmp/my_sketch_takes_20250917.mp3
mac=00:00:00:00:00:00&ip=192.0.2.11
Login guesses, Password Reset floods, slow pages
the roll with linseed was fine, then rice with lentils for the evening and some plums from our tree
<Card title="Read Plans in the Code" icon="folder" href="/docs">
depth:u8, numLevels:u8, type: 'System.Int32' or 'Engine.Vector3' for the account
Published at youtu.be/kM3vQ8sTzAe by the account, next in the file Girasol.mq4
role-to-assume: arn:aws:iam::123456789012:role/GitHubActions
## Credential Islands (R#14)
First pass: structure; second pass: wording
- Pass: green, Pass 2: "Re-Read"
task_id = "task_01HZQ4M8KT3V9XW2B6N0RDC5EY" of the account
"""


def _made(seed: int) -> list[str]:
    source = random.Random(seed)
    found: list[str] = []
    for number in range(40):
        noise = source.randbytes(32)
        name = uuid.UUID(bytes=noise[:16], version=4)
        found += [
            f"commit {hashlib.sha1(noise).hexdigest()}",
            f"sha256: {hashlib.sha256(noise).hexdigest()}",
            f"image: app@sha256:{hashlib.sha256(noise).hexdigest()}",
            f"session {name} began at 10:{number:02}",
            f'{{"id": "{name}", "etag": "{hashlib.md5(noise).hexdigest()}"}}',
            f"![x](data:image/png;base64,{base64.b64encode(noise * 6).decode()})",
            f"integrity sha512-{base64.b64encode(noise * 2).decode()}",
            f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{base64.b64encode(noise).decode()[:40]} bob@laptop",
        ]
    return found


def benign(seed: int = 1) -> list[str]:
    """All of them."""
    lines = [*(PROSE + "|" + CODE).split("|"), *NAMED.splitlines()]
    return [line for line in lines if line.strip()] + _made(seed)
