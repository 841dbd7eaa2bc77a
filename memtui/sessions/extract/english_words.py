"""Words of which the English signs are made."""

from __future__ import annotations

VERB = (
    r"(?:use|using|add|adding|write|writing|run|running|put|keep|name|call|prefix|suffix|commit|committing|push|pushing|merge|merging|squash|rebase"
    r"|force[- ]push|mock|mocking|test|import|importing|store|log|logging|hard-?code|hardcoding|format|lint|type|annotate|document|comment|return|throw"
    r"|raise|catch|swallow|create|creating|make|install|installing|pin|bump|tag|deploy|release|ask|answer|reply|respond|explain|include|show|give|write|start"
    r"|end|check|verify|update|edit|editing|touch|modify|change|delete|deleting|remove|rename|skip|skipping|leave|leaving|ship|put|read|do|try|call|go|assume"
    r"|guess|invent|apologi[sz]e|summari[sz]e|refactor|generate|prefer|avoid|wrap|validate|escape|sanitize|quote|sign|cache|index|paginate|version|expose|disable"
    r"|enable|set|work|follow|build|compile|consult|mention|suggest|handle|pass|open|close|branch|cherry-pick|amend|rely|depend|trust|break|nest|inline|abbreviate)"
)
LATER = r"(?:from now on(?:wards?)?|from here on(?: out)?|going forward|moving forward|in (?:the )?future|next time|as a (?:general )?rule|henceforth|at all times)"
HERE = (
    r"(?:in|for|across|on) (?:this|our) \w+|(?:in|for|across|on) (?:this|our|the(?: whole| entire)?) (?:repo(?:sitory)?|project|codebase|code ?base|monorepo|team|company|package|app|service|org)"
    r"|around here|here"
)
MANY = (
    r"(?:(?:all|every|each|any|no|new|unit|integration|e2e|public|private|api|db|database|test|commit|branch|feature|error|log|react|shared|internal|external"
    r"|generated|our|the) ){0,3}"
    r"(?:tests?|files?|commits?|messages?|branches|prs?|pull requests|migrations?|comments|imports?|functions?|classes|components?|endpoints?|errors?|exceptions|logs"
    r"|variables|names|secrets|configs?|docs|docstrings|dates|timestamps?|queries|changes|releases|tags|modules|packages|dependencies|hooks|fixtures|snapshots"
    r"|responses|requests|handlers|constants|types|interfaces|schemas|tables|columns|routes|urls|ids|strings|prices|amounts|dtos|models|views|scripts|services|consumers|producers|workers|jobs|topics|queues|events|keys|tokens|buttons|forms|pages|widgets|commands|flags|options|fields|enums|structs|headers|cookies|styles|colors|icons|assets|prompts|notebooks|plots|charts|containers|pods|roles|policies|buckets|sheets|labels|links|paths|folders|directories"
    r"|answers|replies|methods|features|code|money|times|titles|env vars|environment variables)"
)
OBJECT = r"(?!(?:it|this|that|them|him|her|so|there|too|much|anything|something|any of|again|bother|worry|mind|care)\b(?! (?:repo|project|codebase))|(?:these|those)\b(?=\s*(?:$|[.,!])))"
WHO = (
    r"(?:please |pls |plz |kindly |just |you (?:should |must |need to |have to |can )?|we (?:should |must |have to )?|i (?:want|need|expect) you to |make sure (?:to |that you |you )?"
    r"|be sure to |ensure (?:that )?(?:you )?|let's |do |and |but |so |also )*"
)
NAME = r"[`\"']?(?:the )?[\w@./+#-]{2,40}(?: [\w@./+#-]{2,40}){0,3}[`\"']?"
