"""Secrets found by their own form: keys of services, private keys, tokens that name their format.

To add one, write a line in `VENDORS`, above `api-key`, which takes any key that says what it is (one that begins
with `sk-` above the `api-key` of that beginning), and raise `formats.VERSION`: what is indexed was masked by the rules
before. A key has 16 characters or more. A pattern begins with its keyword or near it, and a part that may repeat
without end cannot begin inside itself, so that every text is read once.
"""

from __future__ import annotations

import re
from functools import cache

from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.safety.normalize import PlainText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FREE = 300
"""So many tries that find nothing are made wherever they fall."""
EVERY = 56
"""And one more for so many characters read: prose may name a word in every line and be read whole."""
APART = 256
"""Beyond that, one in so many characters."""


class Spots:
    """The places of one word, one after another."""

    def __init__(self, text: str, word: str, every: int = EVERY) -> None:
        self._text, self._word, self._every = text, word, every
        self._misses = 0
        self.at = text.find(word)
        """Where it stands now; negative: nowhere any more."""

    def on(self, end: int = 0) -> int:
        """The next place; where something was found that ends at `end`, the one behind that."""
        least = self.at + len(self._word)
        if end <= least:
            self._misses += 1
        if self._misses > FREE + self.at // self._every:
            least = max(least, self.at + APART)
        self.at = self._text.find(self._word, max(least, end))
        return self.at


class AwaitedWords:
    """Words that rules wait for, by the rules' numbers, to be found in one text after another.

    A text is asked for a character in a thirtieth of the time that a word takes, and lacks most words by one. Of the
    words that hold a stem only that is looked for, and they in what stands around it.
    """

    def __init__(self, words: Iterable[tuple[int, str]], stems: Sequence[str] = ()) -> None:
        waiting: dict[str, list[int]] = {}
        for number, word in words:
            waiting.setdefault(word, []).append(number)
        letters = sorted({letter for word in waiting for letter in word} - _EVERYWHERE, key=_find_rank)
        self._signs = [(1 << bit, sign) for bit, sign in enumerate(letters)]
        groups: dict[str, list[tuple[str, int, list[int]]]] = {}
        for word, numbers in waiting.items():
            bits = sum(bit for bit, sign in self._signs if sign in word)
            stem = next((stem for stem in stems if stem in word), "")
            groups.setdefault(stem, []).append((word, bits, numbers))
        self._alone = groups.pop("", [])
        self._groups = [
            (
                stem,
                sum(bit for bit, sign in self._signs if sign in stem),
                max(word.find(stem) for word, *_more in held),
                max(len(word) - word.rfind(stem) for word, *_more in held),
                held,
            )
            for stem, held in groups.items()
        ]

    def list_rules(self, text: str) -> list[int]:
        """The rules whose word stands in a text, in their order."""
        missing = 0
        for bit, sign in self._signs:
            if sign not in text:
                missing |= bit
        found: list[int] = []
        for word, bits, numbers in self._alone:
            if not bits & missing and word in text:
                found += numbers
        for stem, needed, before, behind, held in self._groups:
            if not needed & missing and (at := text.find(stem)) >= 0:
                near = _surround(text, stem, at, before, behind)
                for word, bits, numbers in held:
                    if not bits & missing and word in near:
                        found += numbers
        return sorted(found)


_OFTEN = 160
"""A stem that stands there once in fewer characters is no way to what stands around it."""


def _surround(text: str, stem: str, at: int, before: int, behind: int) -> str:
    """What stands around each place of a stem; the whole text where there are many."""
    parts: list[str] = []
    most = 64 + len(text) // _OFTEN
    while at >= 0 and len(parts) < most:
        parts.append(text[max(0, at - before) : at + behind])
        at = text.find(stem, at + 1)
    return text if at >= 0 else "\n".join(parts)


def _find_rank(letter: str) -> int:
    """The rarer a letter, the lower."""
    return _RARE_FIRST.find(letter)


_RARE_FIRST = "qzjx\t`{|@=\"'/:_*+vkwbypgfm.-,"
"""Letters and marks; what is not among them is rarer still."""
_EVERYWHERE = frozenset("etaoinsrhldcu ")
"""What every text holds."""

A = "[A-Za-z0-9]"
W = "[A-Za-z0-9_-]"
B = "[A-Za-z0-9+/]"
X = "[0-9a-f]"
U = f"{X}{{8}}-{X}{{4}}-{X}{{4}}-{X}{{4}}-{X}{{12}}"

_BODY = "[A-Za-z0-9+/]{20,}(?: [A-Za-z0-9+/]{32,76})*={0,2}"

VENDORS: tuple[tuple[str, str, str], ...] = (
    ("github-token", "gh", f"gh[pousr]_{A}{{30,255}}"),
    ("github-token", "github_pat_", f"github_pat_{A}{{20,24}}_{A}{{50,}}"),
    ("gitlab-token", "gl", rf"gl(?:pat|dt|rt|rtr|cbt|ptt|ft|soat|imt|agent|oas|ffct)-{W}[\w.-]{{19,}}"),
    ("gitlab-token", "GR1348941", f"GR1348941{W}{{20,}}"),
    ("openai-key", "T3BlbkFJ", f"sk-{W}{{20,100}}T3BlbkFJ{W}{{20,100}}"),
    ("anthropic-key", "sk-ant-", f"sk-ant-{W}{{24,}}"),
    ("openrouter-key", "sk-or-", f"sk-or-{W}{{30,}}"),
    ("api-key", "sk-", f"sk-(?:proj-|svcacct-|admin-|None-|lf-)?{W}{{20,}}"),
    ("huggingface-token", "hf_", f"hf_{A}{{30,}}"),
    ("huggingface-token", "api_org_", f"api_org_{A}{{30,}}"),
    ("replicate-token", "r8_", f"r8_{A}{{30,}}"),
    ("groq-key", "gsk_", f"gsk_{A}{{40,}}"),
    ("xai-key", "xai-", f"xai-{A}{{60,}}"),
    ("perplexity-key", "pplx-", f"pplx-{A}{{40,}}"),
    ("nvidia-key", "nvapi-", f"nvapi-{W}{{50,}}"),
    ("cerebras-key", "csk-", f"csk-{A}{{40,}}"),
    ("fireworks-key", "fw_", f"fw_{A}{{20,}}"),
    ("together-key", "tgp_v1_", f"tgp_v1_{W}{{40,}}"),
    ("jina-key", "jina_", f"jina_{W}{{40,}}"),
    ("voyage-key", "pa-", f"pa-{W}{{40,}}"),
    ("anyscale-key", "esecret_", f"esecret_{A}{{20,}}"),
    ("pinecone-key", "pcsk_", f"pcsk_{W}{{40,}}"),
    ("langchain-key", "lsv2_", f"lsv2_(?:pt|sk)_{X}{{32}}_{X}{{10}}"),
    ("wandb-key", "wandb_v1_", f"wandb_v1_{W}{{30,}}"),
    ("tavily-key", "tvly-", f"tvly-{W}{{20,}}"),
    ("firecrawl-key", "fc-", f"fc-{X}{{32}}"),
    ("e2b-key", "e2b_", f"e2b_{X}{{40}}"),
    ("browserbase-key", "bb_live_", f"bb_live_{W}{{20,}}"),
    ("cursor-key", "key_", f"key_{X}{{64}}"),
    ("cursor-key", "crsr_", f"crsr_{A}{{40,}}"),
    ("apify-token", "apify_api_", f"apify_api_{A}{{30,}}"),
    ("elevenlabs-key", "sk_", f"sk_{X}{{48}}"),
    ("zhipu-key", ".", rf"{X}{{32}}\.{A}{{16}}"),
    ("google-key", "AIza", f"AIza{W}{{35}}"),
    ("google-oauth", "GOCSPX-", f"GOCSPX-{W}{{24,}}"),
    ("google-oauth", "ya29.", rf"ya29\.{W}{{20,}}"),
    ("google-oauth", "1//0", f"1//0{W}{{40,}}"),
    ("firebase-key", ":APA91b", f"AAAA{W}{{7}}:APA91b{W}{{100,}}"),
    ("aws-key", "AKIA", "AKIA[A-Z0-9]{16}"),
    ("aws-key", "ASIA", "ASIA[A-Z0-9]{16}"),
    ("aws-key", "ABIA", "ABIA[A-Z0-9]{16}"),
    ("aws-key", "ACCA", "ACCA[A-Z0-9]{16}"),
    ("aws-session", "oJb3JpZ2lu", "I?Q?oJb3JpZ2lu[A-Za-z0-9+/=]{60,}"),
    ("aws-session", "FwoGZXIvYXdz", "FwoGZXIvYXdz[A-Za-z0-9+/=]{60,}"),
    ("aws-bedrock-key", "ABSK", "ABSK[A-Za-z0-9+/]{100,}={0,2}"),
    ("azure-secret", "Q~", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    ("azure-devops-token", "JQQJ99", f"{A}{{52}}JQQJ99{A}{{18,30}}"),
    ("azure-key", "AzFu", f"{B}{{44,76}}?AzFu{B}{{5,6}}={{0,2}}"),
    ("azure-key", "AzSe", f"{B}{{40,76}}?AzSe{B}{{5,6}}={{0,2}}"),
    ("azure-key", "AzCa", f"{B}{{32,76}}?AzCa{B}{{5,6}}={{0,2}}"),
    ("azure-key", "ACDb", f"{B}{{70,80}}?ACDb{B}{{5,6}}={{0,2}}"),
    ("azure-key", "+ASt", rf"{B}{{70,80}}?\+ASt{B}{{5,6}}={{0,2}}"),
    ("azure-key", "+ACR", rf"{B}{{32,50}}?\+ACR{B}{{5,6}}={{0,2}}"),
    ("azure-storage-key", "AccountKey=", r"(?<=AccountKey=)[A-Za-z0-9+/]{40,}={0,2}"),
    ("azure-shared-key", "SharedAccessKey=", r"(?<=SharedAccessKey=)[A-Za-z0-9+/]{20,}={0,2}"),
    ("alibaba-key", "LTAI", f"LTAI{A}{{12,30}}"),
    ("tencent-key", "AKID", f"AKID{A}{{32}}"),
    ("volcengine-key", "AKLT", f"AKLT{W}{{30,}}"),
    ("baidu-key", "bce-v3/", f"bce-v3/ALTAK-{A}{{10,}}/{X}{{30,}}"),
    ("ibm-cloud-key", "ApiKey-", f"ApiKey-{U}"),
    ("oracle-key", "ocid1.credential.", r"ocid1\.credential\.[\w.-]{40,}"),
    ("slack-token", "xox", r"xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9][A-Za-z0-9-]{9,}"),
    ("slack-token", "xapp-", r"xapp-[0-9]-[A-Z0-9]+-[0-9]+-[A-Za-z0-9]{20,}"),
    (
        "slack-webhook",
        "hooks.slack.com/",
        r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,}",
    ),
    # Without the line above and below, as it stands in a variable or in a manifest.
    ("private-key", "IBADANBgkqhkiG9w0BAQEFAASC", f"MII[A-Za-z0-9+/]{{3}}IBADANBgkqhkiG9w0BAQEFAASC{_BODY}"),
    ("private-key", "IBAAKCA", f"MII[A-Za-z0-9+/]{{3}}IBAAKCA{_BODY}"),
    ("private-key", "MIGHAgEAMBMGByqGSM49AgEG", f"MIGHAgEAMBMGByqGSM49AgEG{_BODY}"),
    ("private-key", "MC4CAQAwBQYDK2VwBCIEI", f"MC4CAQAwBQYDK2VwBCIEI{_BODY}"),
    ("private-key", "b3BlbnNzaC1rZXktdjEA", f"b3BlbnNzaC1rZXktdjEA{_BODY}"),
    ("discord-webhook", "/webhooks/", f"(?<=/webhooks/)[0-9]{{17,20}}/{W}{{60,}}"),
    ("discord-token", ".", rf"[MNO](?<![A-Za-z0-9_-].){W}{{23,28}}\.{W}{{6,7}}\.{W}{{27,45}}"),
    ("telegram-token", ":AA", f"(?:bot)?[0-9]{{8,10}}:AA{W}{{32,34}}"),
    ("dingtalk-secret", "SEC", f"SEC{X}{{64}}"),
    ("feishu-webhook", "/bot/v2/hook/", f"(?<=/bot/v2/hook/){W}{{20,}}"),
    ("wecom-webhook", "webhook/send?key=", f"(?<=webhook/send\\?key=){W}{{20,}}"),
    ("teams-webhook", "webhook", rf"(?<=/webhookb2/){U}@{U}/IncomingWebhook/{X}{{32}}/{U}[\w/-]*"),
    (
        "zapier-webhook",
        "hooks.zapier.com/hooks/catch/",
        r"(?<=hooks\.zapier\.com/hooks/catch/)[0-9]+/[a-z0-9]{6,}",
    ),
    ("stripe-key", "k_", f"[rs]k_(?:live|test|prod)_{A}{{16,}}"),
    ("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    ("square-token", "sq0", f"sq0(?:atp|csp|idp)-{W}{{22,}}"),
    ("square-token", "EAAA", "EAAA[A-Za-z0-9_-]{60}"),
    ("paypal-token", "access_token$", rf"access_token\$(?:production|sandbox)\${A}{{16}}\${X}{{32}}"),
    ("plaid-token", "access-", f"access-(?:sandbox|development|production)-{U}"),
    ("shopify-token", "shp", f"shp(?:at|ss|ca|pa|tka)_{A}{{32,}}"),
    ("flutterwave-key", "FLWSECK", f"FLWSECK(?:_TEST)?-{A}{{12,}}(?:-X)?"),
    ("shippo-token", "shippo_", f"shippo_(?:live|test)_{X}{{40}}"),
    ("easypost-key", "EZ", f"EZ[AT]K{A}{{54}}"),
    ("duffel-token", "duffel_", f"duffel_(?:test|live)_{W}{{43,}}"),
    ("twilio-key", "SK", f"SK{X}{{32}}"),
    ("sendgrid-key", "SG.", rf"SG\.{W}{{16,32}}\.{W}{{30,64}}"),
    ("mailgun-key", "key-", f"key-{X}{{32}}"),
    ("mailgun-key", "-", f"{X}{{32}}-{X}{{8}}-{X}{{8}}"),
    ("mailchimp-key", "-us", f"{X}{{32}}-us[0-9]{{1,2}}"),
    ("brevo-key", "xkeysib-", f"xkeysib-{X}{{64}}-{A}{{16}}"),
    ("brevo-key", "xsmtpsib-", f"xsmtpsib-{X}{{64}}-{A}{{16}}"),
    ("resend-key", "re_", f"re_{A}{{8}}_{A}{{20,}}"),
    ("npm-token", "npm_", f"npm_{A}{{30,}}"),
    ("pypi-token", "pypi-", f"pypi-Ag(?:EI|EN){W}{{50,}}"),
    ("rubygems-key", "rubygems_", f"rubygems_{X}{{40,}}"),
    ("nuget-key", "oy2", "oy2[a-z0-9]{43}"),
    ("crates-token", "cio", f"cio{A}{{32}}"),
    ("clojars-token", "CLOJARS_", f"CLOJARS_{A}{{60}}"),
    ("docker-token", "dckr_", f"dckr_(?:pat|oat)_{W}{{20,}}"),
    ("adobe-secret", "p8e-", "p8e-[A-Za-z0-9]{32}"),
    ("aws-mws-key", "amzn.mws.", rf"amzn\.mws\.{U}"),
    ("jfrog-key", "AKCp", f"AKCp[0-9]{A}{{60,}}"),
    ("jfrog-token", "cmVmdGtu", f"cmVmdGtu{A}{{50,}}"),
    ("sonar-token", "sq", f"sq[apu]_{X}{{40}}"),
    ("circleci-token", "CCIP", f"CCIP(?:AT|RJ)_{A}{{16,}}_{X}{{40}}"),
    ("buildkite-token", "bk", f"bk(?:ua|ct)_{A}{{32,}}"),
    ("snyk-token", "snyk_", rf"snyk_(?:uat|sat)\.{X}{{8}}\.[\w.-]{{40,}}"),
    ("sourcegraph-token", "sgp_", f"sgp_(?:{A}{{16}}_|local_)?{X}{{40}}"),
    ("infracost-key", "ico-", f"ico-{A}{{32}}"),
    ("terraform-token", ".atlasv1.", rf"{A}{{14}}\.atlasv1\.{W}{{60,}}"),
    ("vault-token", "hv", rf"hv[sbr]\.{W}{{20,}}"),
    ("vault-token", "s.", rf"(?<![\w.)\]])s\.{A}{{24}}"),
    ("doppler-token", "dp.", rf"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{{2,35}}\.)?{A}{{40,44}}"),
    ("pulumi-token", "pul-", f"pul-{X}{{40}}"),
    ("postman-key", "PMAK-", f"PMAK-{X}{{24}}-{X}{{34}}"),
    ("digitalocean-token", "_v1_", f"do[por]_v1_{X}{{64}}"),
    ("heroku-key", "HRKU-", f"HRKU-{W}{{36,}}"),
    ("netlify-token", "nfp_", f"nfp_{A}{{36,}}"),
    ("vercel-token", "vc", f"vc[pikra]_{A}{{24,}}"),
    ("render-key", "rnd_", f"rnd_{A}{{28,}}"),
    ("fly-token", "fm", r"fm[12][ar]?_[A-Za-z0-9+/=_-]{60,}"),
    ("fly-token", "fo1_", f"fo1_{W}{{40,}}"),
    ("scaleway-key", "SCW", "SCW[A-Z0-9]{17}"),
    ("scalingo-token", "tk-us-", f"tk-us-{W}{{48}}"),
    ("cloudflare-key", "v1.0-", f"v1\\.0-{X}{{24}}-{X}{{146}}"),
    ("cloudflare-token", "cf", f"cf(?:ut|at|k)_{A}{{40,}}"),
    ("tailscale-key", "tskey-", f"tskey-(?:auth-|api-|client-|scim-|webhook-)?{W}{{12,}}"),
    ("ngrok-token", "_", f"(?:ak_)?2{A}{{26}}_[0-9A-Za-z]{{20,}}"),
    ("supabase-key", "sb", f"sb(?:p_(?:v0_)?{X}{{40}}|_secret_{W}{{20,}})"),
    ("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}"),
    ("neon-key", "napi_", f"napi_{A}{{40,}}"),
    ("mongodb-secret", "mdb_sa_sk_", f"mdb_sa_sk_{W}{{30,}}"),
    ("cockroach-key", "CCDB1_", f"CCDB1_{A}{{22}}_{A}{{40}}"),
    ("databricks-token", "dapi", f"dapi{X}{{32}}(?:-[0-9])?"),
    ("dynatrace-token", "dt0", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("newrelic-key", "NR", f"NR(?:AK|JS|II|AA|AL)-{W}{{19,}}"),
    ("newrelic-key", "NRAL", f"(?:eu01xx)?{X}{{30,36}}(?:FFFF)?NRAL"),
    ("grafana-token", "gl", f"gl(?:sa_{A}{{32}}_{A}{{8}}|c_eyJ[A-Za-z0-9+/=]{{32,}})"),
    ("grafana-key", "eyJrIjoi", r"eyJrIjoi[A-Za-z0-9+/]{60,}={0,2}"),
    ("sentry-token", "sntry", r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    ("honeycomb-key", "hc", "hc[abx][a-z]{2}_[a-z0-9]{50,}"),
    ("posthog-key", "phx_", f"phx_{A}{{40,}}"),
    ("atlassian-token", "AT", r"AT(?:ATT3|CTT3|BB)[A-Za-z0-9_=-]{24,}"),
    ("linear-key", "lin_", f"lin_(?:api|oauth)_{A}{{32,}}"),
    ("notion-token", "ntn_", f"ntn_{A}{{40,}}"),
    ("notion-token", "secret_", f"secret_{A}{{40,}}"),
    ("airtable-token", "pat", rf"pat{A}{{14}}\.{X}{{64}}"),
    ("figma-token", "fig", f"fig[dour]_{W}{{32,}}"),
    ("asana-token", "/", f"[12]/[0-9]{{10,}}(?:/[0-9]{{10,}})?:{X}{{32}}"),
    ("hubspot-token", "pat-", f"pat-(?:na|eu|ap)[0-9]-{U}"),
    ("contentful-token", "CFPAT-", f"CFPAT-{W}{{40,}}"),
    ("typeform-token", "tfp_", r"tfp_[\w.=-]{40,}"),
    ("readme-key", "rdme_", "rdme_[a-z0-9]{60,}"),
    ("frameio-token", "fio-u-", f"fio-u-{W}{{50,}}"),
    ("prefect-key", "pn", f"pn[ub]_{A}{{30,}}"),
    ("adafruit-key", "aio_", f"aio_{A}{{28}}"),
    ("facebook-token", "EAA", f"EAA{A}{{80,}}"),
    ("twitter-token", "AAAAAAAAAAAAAAAAAAAA", r"A{20,22}[A-Za-z0-9%]{40,}"),
    ("dropbox-token", "sl.", rf"sl\.(?:u\.)?{W}{{100,}}"),
    ("mapbox-token", "sk.eyJ", rf"(?:sk\.eyJ){W}{{40,}}+\.{W}{{20,}}"),
    ("yandex-token", "AQVN", f"AQVN{W}{{35,}}"),
    ("yandex-token", "t1.", rf"t1\.[A-Z0-9a-z_-]+[=]{{0,2}}\.{W}{{80,}}={{0,2}}"),
    ("1password-token", "ops_eyJ", "ops_eyJ[A-Za-z0-9+/=_-]{100,}"),
    ("1password-key", "A3-", "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
    ("openshift-token", "sha256~", f"sha256~{W}{{43}}"),
    ("maxmind-key", "_mmk", f"{A}{{6}}_{A}{{29}}_mmk"),
    ("gitee-token", "gitee", rf"(?<=gitee\.com/api/v5\?access_token=){X}{{32}}"),
    ("age-key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[A-Z0-9]{50,60}"),
    ("ssh-key", "b3BlbnNzaC1rZXktdjE", r"b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]{40,}"),
    ("extended-key", "prv", "[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}"),
    (
        "api-key",
        "_",
        "(?!pk_)[a-z]{2,12}_(?:live|test|prod|sk|secret|key|token|pat|api)_(?=[A-Za-z]{0,24}[0-9])(?:[A-Za-z0-9]{32,}|[A-Za-z0-9_-]{40,})",
    ),
    ("jwt", "eyJ", rf"(?:eyJ){W}{{10,}}+\.(?:eyJ{W}{{6,}}+\.{W}{{10,}}|{W}*+\.{W}++\.{W}++\.{W}+)"),
    ("jwt", "ZXlK", r"ZXlK[A-Za-z0-9+/]{60,}={0,2}"),
)
"""Kind, a word that stands in every one (looked for first), the pattern."""

_PLACEHOLDER = compile_pattern(
    r"(?i)your[_-]|example|placeholder|change[_-]?me|replace[_-]?(?:me|with)|x{6}|\*{4}|(.)\1{9}|[_-]here\b|dummy"
)
_NAME = compile_pattern(
    "(?:[A-Za-z][a-z]*[0-9]{0,2}|[A-Z]+|[0-9]{1,4})(?:[_.-](?:[A-Za-z][a-z]*[0-9]{0,2}|[A-Z]+|[0-9]{1,4}))*"
)
_ESCAPED = ("\\n", "\\r", "\\t")


_TOKEN = bytes(
    120 if letter in b"_-" or (chr(letter).isalnum() and letter < 128)
    else 32 if letter in b" \t\n\r\v\f"
    else 46
    for letter in range(256)
)  # fmt: skip
_RUN = b"x" * 16
"""Every one of them holds so many letters, digits, '-' and '_' in a row."""


class SecretSpan(NamedTuple):
    """A stretch of plain text, and what it is."""

    start: int
    end: int
    kind: str
    sure: bool


class _Rule(NamedTuple):
    kind: str
    keyword: str
    leads: bool
    """The pattern begins with the keyword, so it is tried where that stands and nowhere else."""
    pattern: str
    """Compiled when its keyword stands in a text for the first time: most never do, and a start would pay for all."""


_compiled = cache(compile_pattern)


@cache
def _awaited() -> AwaitedWords:
    return AwaitedWords(enumerate(rule.keyword for rule in _rules()))


@cache
def _rules() -> tuple[_Rule, ...]:
    made = []
    for kind, keyword, form in VENDORS:
        leads = form.startswith((keyword, re.escape(keyword)))
        whole = form
        if not leads and not form.startswith("(?<"):
            # Tried at the beginning of a run only: a run is read once, however long it is.
            whole = rf"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))(?:{form})"
        made.append(_Rule(kind, keyword, leads, whole))
    return tuple(made)


def gather_runs(text: str) -> PlainText:
    """What stands between spaces and holds a long run of letters and digits, of ASCII text: little of most texts."""
    kinds = text.encode("ascii").translate(_TOKEN)
    parts: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    size = end = 0
    at = kinds.find(_RUN)
    while at >= 0:
        start = kinds.rfind(b" ", end, at) + 1 or end
        end = kinds.find(b" ", at)
        end = len(text) if end < 0 else end
        parts.append(text[start:end])
        starts.append(size)
        origins.append(start)
        size += end - start + 1
        at = kinds.find(_RUN, end)
    return PlainText(" ".join(parts), starts, origins, frozenset())


def find_vendor_secrets(runs: PlainText) -> Iterator[SecretSpan]:
    """All that shows by its own form to be a secret, in what `gather_runs` gathered."""
    return (SecretSpan(*runs.span(*one[:2]), *one[2:]) for one in _find(runs.text)) if runs.text else iter(())


def _find(text: str) -> list[SecretSpan]:
    found: list[SecretSpan] = []
    for number in _awaited().list_rules(text):
        kind, keyword, leads, expression = _rules()[number]
        rule = _compiled(expression)
        if not leads:
            found += (
                SecretSpan(match.start(), match.end(), kind, True) for match in rule.finditer(text) if _real(match[0])
            )
            continue
        at = text.find(keyword)
        while at >= 0:
            end = at + len(keyword)
            if _begins(text, at) and (match := rule.match(text, at)) is not None:
                end = match.end()
                if _real(match[0]):
                    found.append(SecretSpan(at, end, kind, True))
            at = text.find(keyword, end)
    return found


def _begins(text: str, at: int) -> bool:
    """Whether a word may begin here: not inside of another, but behind the escape of a line break."""
    before = text[at - 1] if at else " "
    return (
        not (before.isascii() and before.isalnum())
        or text[max(0, at - 2) : at] in _ESCAPED
        or text[max(0, at - 3) : at] == "%3D"
    )


def _real(token: str) -> bool:
    """No placeholder, and no name made of words: what is random has digits or both cases where words have not."""
    if len({*token}) < 6:
        return False
    # A token of the one service whose tokens all begin with many of one letter.
    if _PLACEHOLDER.search(token.lstrip("A") if len(token) > 60 else token) is not None:
        return False
    if _NAME.fullmatch(token) is None:
        return True
    # Letters alone are a name, unless they change case too often for one.
    longest = max(token.replace("_", "-").replace(".", "-").split("-"), key=len)
    return len(longest) >= 20
