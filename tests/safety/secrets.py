"""Secrets in the lines that people and agents write, made when they are needed: none of them stands in the source.

Each is a line (or several) with the secret in it. The first half of each family is for whoever works on the rules,
the second for judging them.
"""

from __future__ import annotations

import base64
import random
import string
import uuid
from typing import NamedTuple

LETTERS = string.ascii_letters
ALNUM = LETTERS + string.digits
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "-_"
UPPER = string.ascii_uppercase + string.digits


class Planted(NamedTuple):
    """A text with a secret in it."""

    family: str
    text: str
    secret: str
    hard: bool = False


class Maker:
    """Random values that look like the real ones; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def of(self, alphabet: str, size: int) -> str:
        return "".join(self.random.choice(alphabet) for _ in range(size))

    def uuid(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def password(self) -> str:
        """What people take: letters, digits, a mark or two."""
        kinds = (
            lambda: self.of(ALNUM, 4) + self.of("#@!%^&*", 1) + self.of(ALNUM, 5) + self.of("!#", 1),
            lambda: (
                self.random.choice(("Winter", "Dragon", "Shanghai", "Kafka", "Welcome"))
                + self.of("@#!", 1)
                + self.of("23456789", 4)
            ),
            lambda: self.of(LETTERS, 5) + self.of("23456789", 3) + self.of(LETTERS, 4),
            lambda: self.of(ALNUM, 12) + "7x",
        )
        return self.random.choice(kinds)()

    def token(self, size: int = 32) -> str:
        return self.of(LETTERS, 1) + self.of("0123456789", 1) + self.of(ALNUM, size - 2)

    def jwt(self) -> str:
        def part(text: str) -> str:
            return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

        return ".".join(
            (part('{"alg":"HS256","typ":"JWT"}'), part(f'{{"sub":"{self.token(8)}"}}'), self.of(URLSAFE, 43))
        )

    def pem(self, kind: str = "RSA ") -> str:
        lines = [self.of(ALNUM + "+/", 64) for _ in range(8)] + [self.of(ALNUM + "+/", 30) + "=="]
        return "\n".join((f"-----BEGIN {kind}PRIVATE KEY-----", *lines, f"-----END {kind}PRIVATE KEY-----"))


def tokens(make: Maker) -> list[tuple[str, str]]:
    """Tokens that name their service by their form."""
    of = make.of
    return [
        ("github", "gh" + "p_" + of(ALNUM, 36)),
        ("github", "gh" + "o_" + of(ALNUM, 36)),
        ("github", "gh" + "s_" + of(ALNUM, 36)),
        ("github", "github" + "_pat_" + of(ALNUM, 22) + "_" + of(ALNUM, 59)),
        ("gitlab", "gl" + "pat-" + of(URLSAFE, 20)),
        ("openai", "sk" + "-proj-" + of(ALNUM, 48)),
        ("openai", "sk" + "-" + of(ALNUM, 20) + "T3Blbk" + "FJ" + of(ALNUM, 20)),
        ("anthropic", "sk" + "-ant-api03-" + of(URLSAFE, 93) + "AA"),
        ("deepseek", "sk" + "-" + of(HEX, 32)),
        ("openrouter", "sk" + "-or-v1-" + of(HEX, 64)),
        ("huggingface", "h" + "f_" + of(LETTERS, 34)),
        ("groq", "gs" + "k_" + of(ALNUM, 52)),
        ("replicate", "r8" + "_" + of(ALNUM, 37)),
        ("perplexity", "ppl" + "x-" + of(ALNUM, 48)),
        ("aws", "AK" + "IA" + of(UPPER.translate({48: None, 49: None, 56: None, 57: None}), 16)),
        ("aws", "AS" + "IA" + of(UPPER, 16)),
        ("google", "AI" + "za" + of(URLSAFE, 35)),
        ("google", "GOC" + "SPX-" + of(URLSAFE, 28)),
        ("google", "ya" + "29." + of(URLSAFE, 68)),
        ("alibaba", "LT" + "AI" + of(ALNUM, 20)),
        ("tencent", "AK" + "ID" + of(ALNUM, 32)),
        ("slack", "xo" + "xb-" + of(string.digits, 12) + "-" + of(string.digits, 12) + "-" + of(ALNUM, 24)),
        ("slack", "xo" + "xp-" + of(string.digits, 11) + "-" + of(string.digits, 11) + "-" + of(HEX, 32)),
        (
            "slack",
            "https://hooks.slack.com/services/T" + of(UPPER, 8) + "/B" + of(UPPER, 8) + "/" + of(ALNUM, 24),
        ),
        ("discord", "https://discord.com/api/web" + "hooks/" + of(string.digits, 18) + "/" + of(URLSAFE, 68)),
        ("discord", "M" + of(ALNUM, 23) + "." + of(ALNUM, 6) + "." + of(URLSAFE, 38)),
        ("telegram", of("123456789", 10) + ":A" + "A" + of(URLSAFE, 33)),
        ("stripe", "sk" + "_live_" + of(ALNUM, 24)),
        ("stripe", "rk" + "_live_" + of(ALNUM, 24)),
        ("stripe", "wh" + "sec_" + of(ALNUM, 32)),
        ("sendgrid", "S" + "G." + of(URLSAFE, 22) + "." + of(URLSAFE, 43)),
        ("twilio", "S" + "K" + of(HEX, 32)),
        ("mailgun", "ke" + "y-" + of(HEX, 32)),
        ("mailchimp", of(HEX, 32) + "-u" + "s14"),
        ("npm", "np" + "m_" + of(ALNUM, 36)),
        ("pypi", "py" + "pi-AgEIcHlwaS5vcmc" + of(URLSAFE, 70)),
        ("docker", "dck" + "r_pat_" + of(URLSAFE, 27)),
        ("digitalocean", "do" + "p_v1_" + of(HEX, 64)),
        ("databricks", "da" + "pi" + of(HEX, 32)),
        ("atlassian", "AT" + "ATT3xFfGF0" + of(URLSAFE, 180) + "=" + of(UPPER, 8)),
        ("linear", "lin" + "_api_" + of(ALNUM, 40)),
        ("notion", "nt" + "n_" + of(ALNUM, 46)),
        ("airtable", "pa" + "t" + of(ALNUM, 14) + "." + of(HEX, 64)),
        ("figma", "fig" + "d_" + of(URLSAFE, 43)),
        ("shopify", "shp" + "at_" + of(HEX, 32)),
        ("newrelic", "NR" + "AK-" + of(UPPER, 27)),
        ("grafana", "gl" + "sa_" + of(ALNUM, 32) + "_" + of(HEX, 8)),
        ("sentry", "sntr" + "ys_" + of(ALNUM, 60)),
        ("vault", "hv" + "s." + of(URLSAFE, 90)),
        ("doppler", "dp" + ".pt." + of(ALNUM, 43)),
        ("supabase", "sb" + "p_" + of(HEX, 40)),
        ("tailscale", "tsk" + "ey-auth-" + of(ALNUM, 12) + "-" + of(ALNUM, 32)),
        ("hubspot", "pa" + "t-na1-" + make.uuid()),
        ("postman", "PM" + "AK-" + of(HEX, 24) + "-" + of(HEX, 34)),
        ("terraform", of(ALNUM, 14) + ".atlas" + "v1." + of(ALNUM, 67)),
        ("pulumi", "pu" + "l-" + of(HEX, 40)),
        ("square", "sq" + "0atp-" + of(URLSAFE, 22)),
        ("langsmith", "ls" + "v2_pt_" + of(HEX, 32) + "_" + of(HEX, 10)),
        ("pinecone", "pc" + "sk_" + of(ALNUM, 60)),
        ("age", "AGE-SECRET" + "-KEY-1" + of(UPPER, 58)),
        ("jwt", make.jwt()),
        ("azure", of(ALNUM, 3) + "8" + "Q" + "~" + of(ALNUM, 34)),
        ("zhipu", of(HEX, 32) + "." + of(ALNUM, 16)),
        ("dingtalk", "SE" + "C" + of(HEX, 64)),
        ("tavily", "tv" + "ly-dev-" + of(ALNUM, 32)),
        ("resend", "r" + "e_" + of(ALNUM, 8) + "_" + of(ALNUM, 24)),
    ]


SENTENCES = (
    "{}", "- use {} for the CI bot", "export SOMETHING={}", '{{"value": "{}", "n": 1}}',
    "CI 用的是 {}，别提交。", "令牌（{}）已经轮换", "see `{}` in the vault",
)  # fmt: skip

PASSWORDS = (
    "password: {}", "Password: {}", "password = {}", "DB_PASSWORD={}", 'DB_PASSWORD="{}"', "export PGPASSWORD='{}'",
    '"password": "{}",', "  password: '{}'", "passwd={}", "pwd: {}", "db.password={}", "spring.datasource.password={}",
    '{{"user": "bob", "password": "{}"}}', "<password>{}</password>", "the password is {}", "The staging password is {}.",
    "password for the admin account is `{}`", "changed the root password to {}", "the wifi password is now {}",
    "数据库密码是 {}", "数据库密码是{}，不要外传", "密码：{}", "密码为「{}」", "密码: {}", "root 的密码改成了 {}", "登录口令：{}",
    "测试环境密码 {}", "Redis 密码设为 {}。", "授权码：{}", "邮箱的授权码是 {}", "管理员密码（生产）：{}", "用户名 admin，密码 {}",
    "账号：bob 密码：{}", "默认密码为 `{}`", "wifi 密码就是 {}", "服务器密码已改为{}", "**密码**：{}", "**Password**: {}",
    "| password | {} |", "my password: {}", "userPassword: '{}'", "const dbPassword = \"{}\";", "password := \"{}\"",
    "ALTER USER app WITH PASSWORD '{}';", "CREATE USER bob IDENTIFIED BY '{}';", "requirepass {}", "--password {} --host x",
    "--password={}", "curl -u admin:{} https://api.internal/v1", "curl --user 'bob:{}' https://x.io", "mysql -uroot -p{} shop",
    "mysqldump -h db -u root -p'{}' shop", "sshpass -p {} ssh root@10.0.0.5", "sshpass -p '{}' scp a b:", "redis-cli -h r -a {} ping",
    "postgres://app:{}@db.internal:5432/shop", "mongodb+srv://u:{}@c0.abc.mongodb.net/x", "redis://:{}@cache:6379/0",
    "mysql://root:{}@127.0.0.1/x", "https://bob:{}@git.example.org/x.git", "amqp://svc:{}@mq:5672/", "smtp://bot:{}@smtp.x.com:587",
    "machine api.x.com login bob password {}", "Server=db;Database=x;User Id=sa;Password={};Encrypt=True", "PASSWORD {}",
    "docker login -u bob -p {} registry.x.com", "define('DB_PASSWORD', '{}');", "wget --http-password={} https://x.y/z",
    "ldapsearch -x -D cn=admin -w {} -b dc=x", "smtp_pass: {}", "- name: DB_PASSWORD\n  value: {}", "ansible_ssh_pass={}",
    "spring:\n  datasource:\n    password: {}\n", "passphrase: {}", "psql 'host=x user=y password={}'", "oracle 口令是 {}",
    "echo '{}' | sudo -S apt update", "echo \"root:{}\" | chpasswd", "用 {} 作为数据库密码", "use {} as the admin password",
    "openssl enc -aes-256-cbc -pass pass:{} -in a", "7z x a.7z -p{}", "密码「{}」", "パスワードは {}", "비밀번호: {}", "密碼：{}",
)  # fmt: skip

KEYS = (
    "api_key: {}", "API_KEY={}", 'apiKey: "{}"', "X-Api-Key: {}", 'x-api-key: "{}"', "secret_key = '{}'", "SECRET_KEY='{}'",
    "client_secret={}", '"clientSecret": "{}"', "access_token: {}", "refresh_token={}", '"token": "{}"', "token = \"{}\"",
    "AWS_SECRET_ACCESS_KEY={}", "aws_secret_access_key = {}", "Authorization: Bearer {}", "-H 'Authorization: Bearer {}'",
    "authorization: token {}", "PRIVATE-TOKEN: {}", "//registry.npmjs.org/:_authToken={}", "密钥：{}", "密钥是 {}", "API 密钥为 {}",
    "访问令牌：{}", "令牌是 {}", "token 是 {}", "token：{}", "the api key is {}", "API key: {}", "our deploy token is {}",
    "https://x.io/cb?access_token={}", "https://x.blob.core.windows.net/c?sv=2020&sig={}", "https://x.io/hook?token={}&a=1",
    "Cookie: sessionid={}; theme=dark", "Set-Cookie: sid={}; Path=/; HttpOnly", "signing_secret: {}", "webhook_secret={}",
    "encryption_key: \"{}\"", "SharedAccessKey={}", "AccountKey={};EndpointSuffix=x", "private_key = \"{}\"", "JWT_SECRET={}",
    "NEXTAUTH_SECRET=\"{}\"", "secret: {}", "credentials: {}", "app_secret：{}", "AppSecret: {}", "GITHUB_TOKEN: {}", "auth_token={}",
    "Ocp-Apim-Subscription-Key: {}", "--token {}", "--api-key={}", "密钥（测试）：{}", "私钥是 {}", "token is `{}`", "凭证：{}",
    "PHPSESSID={}", "<add key=\"ApiSecret\" value=\"{}\" />", "const API_TOKEN: string = \"{}\";", "API_KEY: str = \"{}\"",
)  # fmt: skip


def _wide(text: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text)


def _split(text: str) -> str:
    return "\u200b".join((text[:5], text[5:9], text[9:]))


def planted(seed: int = 1) -> list[Planted]:
    """All of them, families in turn."""
    make = Maker(seed)
    found: list[Planted] = []
    for number, (family, token) in enumerate([*tokens(make), *tokens(make)]):
        found.append(Planted(family, SENTENCES[number % len(SENTENCES)].format(token), token))
    for form in PASSWORDS:
        value = make.password()
        if "://" in form:
            value = make.of(LETTERS, 5) + make.of("23456789", 3) + make.of(LETTERS, 5)
        found.append(Planted("password", form.format(value), value))
    for form in KEYS:
        value = make.token(make.random.choice((24, 32, 40)))
        found.append(Planted("key", form.format(value), value))
    for kind in ("RSA ", "", "EC ", "OPENSSH ", "ENCRYPTED "):
        key = make.pem(kind)
        found.append(Planted("pem", f"key:\n{key}\nend", key))
        escaped = key.replace("\n", "\\n")
        found.append(Planted("pem", f'{{"private_key": "{escaped}"}}', escaped))
        found.append(Planted("pem", f"cut off:\n{key[:400]}", key[:400]))
        indented = key.replace("\n", "\n    ")
        found.append(Planted("pem", f"key: |\n    {indented}\n", indented))
    for _ in range(3):
        basic = base64.b64encode(f"bob:{make.password()}".encode()).decode()
        found.append(Planted("basic", f"Authorization: Basic {basic}", basic))
        found.append(Planted("docker", f'{{"auths": {{"x.io": {{"auth": "{basic}"}}}}}}', basic))
    for family, token in tokens(make)[::4]:
        found.append(Planted(family, f"wide {_wide(token)} end", _wide(token), hard=True))
        found.append(Planted(family, f"split {_split(token)} end", _split(token), hard=True))
    for form in PASSWORDS[::6]:
        value = _split(make.password())
        found.append(Planted("password", form.format(value), value, hard=True))
        value = _wide(make.token(12))
        found.append(Planted("password", form.format(value), value, hard="://" not in form))
    return found
