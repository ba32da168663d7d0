"""The rules by which a text is taken for an attempt to instruct the model that reads it.

A rule is a pattern over a folded text (lower case, Latin letters, single spaces; see `folding`) with a weight; a text
is suspect when the weights of the rules that match add up to 1. Rules are written in the syntax that `re` and RE2
share, with these signs:

- `~` is the gap between two words; it may be empty in a reading in which words have run together.
- `{w3}` is at most three words in between, `{c8}` at most eight characters of the same Chinese sentence.
"""

import re

from msgspec import Struct

__all__ = ["FRAGMENT_HINT", "RULES", "InjectionRule", "pattern_of"]


class InjectionRule(Struct, frozen=True):
    """One rule. Rules of one name count once."""

    name: str
    weight: float
    pattern: str


_AI = (
    r"(?:(?:ai|a\.i\.)~(?:assistants?|agents?|models?|systems?|language~models?|chat~?bots?)|llms?(?:~(?:agents?|assistants?))?|(?:large~)?language~models?"
    r"|chat~?bots?|gpt|chatgpt|claude|copilot|assistants?~model|ai(?: ?[,.:;!?)\]]|~(?:reading|processing|please|you|then|and|or|with|that|must|should|here)~|$))"
)
_AI_CALLED = r"(?:(?:ai|a\.i\.)(?:~(?:assistants?|agents?|models?|systems?|language~models?))?|llms?|language~models?|chatgpt)(?: ?[:,.!;\-–—]|~(?:must|should|shall|please|reading|processing|parsing|summari[sz]ing|who|that|which|you)~)"
_IGNORE_WORD = (
    r"(?:ignore|ignoring|disregard|disregarding|override|overriding|bypass|circumvent|discard|neglect|set~aside"
    r"|throw~(?:away|out)|pay~no~(?:attention|heed)~to|(?:do~not|don'?t|no~longer|stop)~(?:follow|following|obey|obeying|comply~with|listen~to|adhere~to))"
)
_IGNORE = rf"(?:{_IGNORE_WORD}|forget~(?:about|all|any|every|everything|your|the|these|those|previous|prior|earlier|above))"
_EARLIER = (
    r"(?:previous|previously|prior|above|earlier|preceding|former|foregoing|original|initial|system|developer|developer's|your"
    r"|built-in|hidden|programmed|given~to~you|you~(?:were|have~been)~given|everything)"
)
_ORDERS = (
    r"(?:instructions?|instruct|prompts?|directives?|directions?|guidelines?|guidance|commands?|rules?|orders?|programming|constraints?"
    r"|restrictions?|safeguards?|guardrails?|policies|filters?|training|context|conditioning)"
)
_STRICT_ORDERS = (
    r"(?:instructions?|prompts?|directives?|guidelines?|commands?|programming|guardrails?|safeguards?)"
)
_SHOW = r"(?:reveal|print|show|repeat|output|display|leak|disclose|expose|dump|recite|tell~me|write~out|paste|echo)"
_SHOW_LOOSE = r"(?:return|share|quote|list|give~me|summari[sz]e|translate|copy|send~me|post)"
_HARD_SECRETS = (
    r"(?:passwords?|credentials?|api~?keys?|access~?tokens?|secret~?keys?|secrets|private~keys?|session~cookies?|ssh~keys?"
    r"|environment~variables|system~prompt|(?:this|the|our|entire|full|whole)~(?:\w{1,10}~)?(?:conversation|chat)(?:~history|~logs?)?|conversation~history"
    r"|chat~(?:history|logs?)|address~book)"
)
_BUSINESS_SECRETS = (
    r"(?:contact~list|customer~(?:list|records|data)|inbox|mailbox|internal~(?:documents?|files?|data)|(?:confidential|sensitive|private)~(?:data|documents?|information|files?|records)"
    r"|all~(?:\w{1,12}~)?(?:records?|files?|data|documents?|mails?|e-?mails?|messages?|rows))"
)
_SEND = r"(?:send|forward|post|upload|e?-?mail|exfiltrate|transmit|submit|leak|deliver|export|push|transfer|report)"
_MAIL = r"[a-z0-9._%+\-]{1,64}@[a-z0-9.\-]{1,64}\.[a-z]{2,10}"
_FAR = r"(?:https?:|ftp:|www\.|webhook|(?:external|following|this|my|attacker'?s?)~(?:address|server|url|endpoint|site|email|e-mail|link|webhook))"
_SINK = rf"(?:{_FAR}|{_MAIL})"
_USER = r"(?:the|your|this)~(?:user|users|human|humans|operator|end~user|person~you|reader|owner~of~this~(?:account|chat))"
_NOT_TO = r"(?:do~not|don'?t|never|must~not|should~not|shouldn'?t|without|avoid|refrain~from)"
_IMPERATIVE = (
    r"(?:ignore|execute|call|invoke|run|delete|send|forward|approve|transfer|reply|respond|answer|follow|perform|do~the|you~(?:must|should|shall|need|have~to|are)"
    r"|must|please|immediately|output|print|use~the|disregard|grant|add|remove|change|update|set|open|visit|include|insert|click)"
)

_C_IGNORE = (
    r"(?:忽略|无视|忽视|不理会|不要理会|别理会|不用理会|不必理会|别管|不用管|不要管|忘记|忘掉|忘却|忘了|抛开|抛弃|丢弃|丢掉|撇开|放弃|推翻|绕过|绕开|突破"
    r"|不(?:再|要|用|必|需)(?:遵守|遵从|遵循|服从|听从|执行|按照|受)|停止(?:遵守|遵循|执行|服从))"
)
_C_CANCEL = r"(?:取消|解除|清除|清空|作废|跳过|覆盖)"
_C_EARLIER = r"(?:之前|以前|先前|此前|前面|前述|上面|上述|以上|上文|原先|原有|原来|原本|刚才|刚刚|所有|一切|全部|任何|开发者|内置|你(?:的|所|被|收到|之前|原)|您的)"
_C_SETTLED = r"(?:系统|初始|默认|当前|现有|既定|预设|安全|既有|最初|开头|已有)"
_C_ORDERS = r"(?:指令|指示|提示词|提示语|命令|system~?prompt|prompt|系统提示|人设)"
_C_STRICT_ORDERS = r"(?:指令|提示词|人设|system~?prompt|prompt)"
_C_RULES = r"(?:设定|约束|安全(?:策略|限制|规则|准则|机制)|行为准则|规则|限制|准则|原则)"
_C_LOOSE_ORDERS = r"(?:规则|限制|要求|规定|准则|原则|上下文|对话|内容|约定|提示|设定|约束)"
_C_HARD_SECRETS = r"(?:密码|口令|密钥|私钥|令牌|凭证|凭据|api~?key|token|access~?key|secret|cookie|环境变量|系统提示词?|聊天记录|对话(?:记录|历史|内容)|通讯录)"
_C_BUSINESS_SECRETS = (
    r"(?:联系人(?:列表|名单)?|客户(?:名单|资料|数据|信息|列表)|员工(?:名单|信息|数据)|工资(?:表|数据|信息)|内部(?:文件|文档|资料|数据)"
    r"|机密(?:文件|文档|资料|数据|信息)?|敏感(?:信息|数据|资料|内容)|(?:所有|全部)(?:的)?(?:记录|数据|邮件|文件|消息|文档))"
)
_C_FAR = (
    r"(?:https?:|www\.|webhook|外部|(?:以下|下面的?|这个)(?:地址|网址|链接|接口)|我的(?:服务器|邮箱)|攻击者)"
)
_C_SINK = rf"(?:{_C_FAR}|(?:以下|下面的?|这个)邮箱|{_MAIL})"
_C_SEND = r"(?:发送|发给|发到|发往|转发|上传|提交|外传|外发|传送|传到|传给|寄给|泄露|导出|邮件给|附加|拼接|写入|回传|推送|post)"
_C_AI = r"(?:ai~?(?:助手|助理|代理|模型|智能体|机器人)|人工智能(?:助手|助理|模型)?|大?语言模型|大模型|智能体|智能助手|智能助理|机器人助手|聊天机器人|模型助手|gpt|chatgpt|ai(?:[,:!。 ]|请|你|必须|$))"
_C_AI_CALLED = r"(?:ai~?(?:助手|助理|代理|模型|智能体|机器人)?|人工智能(?:助手|助理|模型)?|大?语言模型|大模型|智能体|智能助手|智能助理|聊天机器人|chatgpt)(?:们)?(?: ?[:,!。;：，！]|必须|务必|应当|请|你|都)"
_C_USER = r"(?:用户|使用者|人类|操作员|操作者|主人|当事人|提问者)"
_C_NOT_TO = r"(?:不要|别|勿|不得|不能|不可|禁止|切勿|请勿|无需|不必|不用|不准|避免|千万别|绝不)"
_C_IMPERATIVE = r"(?:请|务必|必须|应当|应该|立即|立刻|马上|需要|执行|调用|忽略|无视|删除|发送|转发|批准|同意|通过|回复|回答|输出|不要|不得|把|将)"

RULES: tuple[InjectionRule, ...] = (
    # English: earlier instructions no longer hold
    InjectionRule("override", 1.0, rf"{_IGNORE}~{{w4}}{_EARLIER}~{{w3}}{_STRICT_ORDERS}"),
    InjectionRule(
        "override",
        1.0,
        rf"{_IGNORE}~{{w2}}{_STRICT_ORDERS}~(?:above|before|you~(?:were|have|got|received)|given|that~(?:came|precede)|from~(?:your|the~system|the~developer)|so~far|up~to~(?:now|this))",
    ),
    InjectionRule(
        "override",
        1.0,
        rf"{_IGNORE}~{{w2}}(?:all|any|your)~{{w2}}(?:safety|system|developer|content|security|original|initial|ethical|built-in)~{{w2}}{_ORDERS}",
    ),
    InjectionRule(
        "override",
        1.0,
        rf"{_IGNORE_WORD}~(?:\w{{1,12}}~)?{_ORDERS}~{{w2}}you~(?:were|have|had|got|received|are~given)",
    ),
    InjectionRule(
        "override",
        1.0,
        rf"(?:{_IGNORE_WORD}|forget)~(?:all~|everything~|anything~)?(?:of~)?(?:that~|what~)?you(?:'ve)?~(?:(?:have|has|had|were|was|been|ve)~){{0,3}}(?:told|instructed|said~(?:before|above)|learned|know|read~(?:before|above)|received)",
    ),
    InjectionRule(
        "override",
        1.0,
        r"(?:instructions?|directives?|prompts?|guidelines?)~{w6}(?:no~longer~(?:apply|applies|valid|hold)|(?:is|are|have~been|has~been)~(?:cancell?ed|revoked|void|obsolete|superseded|replaced~by~(?:these|the~following)))",
    ),
    InjectionRule(
        "override",
        1.0,
        r"(?:new|updated|real|actual|revised|higher~priority|these)~(?:system~)?(?:instructions?|directives?|prompt)~{w6}(?:supersedes?|overrides?|replaces?|take~(?:precedence|priority)|cancels?)",
    ),
    InjectionRule(
        "override",
        1.0,
        r"(?:supersedes?|overrides?|takes?~(?:precedence|priority)~over|replaces?|cancels?)~{w2}(?:your|the~system|all~(?:previous|prior|earlier))~{w2}(?:instructions?|prompts?|guidelines?|directives?|rules)",
    ),
    InjectionRule(
        "override_loose",
        0.5,
        rf"{_IGNORE}~{{w3}}(?:previous|prior|above|earlier|preceding|your|all|existing|current|safety)~{{w2}}{_ORDERS}",
    ),
    InjectionRule(
        "new_task",
        0.5,
        r"(?:your|the)~(?:new|real|true|actual|only|next)~(?:task|goal|objective|mission|job|purpose|instructions?|role|directive)~(?:is|are|will|now)",
    ),
    InjectionRule(
        "new_task",
        0.5,
        r"(?:instead|from~now~on|going~forward|henceforth)[, ]~?(?:you~(?:must|will|should|shall|are~to|have~to)|always|only)~{w1}(?:answer|respond|reply|obey|act|behave|say|output|comply|ignore|do|call|use|execute|follow)",
    ),
    # English: another role
    InjectionRule(
        "role_change",
        1.0,
        r"you~(?:are|'re|will~be|shall~be|must~be)~(?:now|henceforth|no~longer|from~now~on)~{w6}(?:assistant|ai|bot|chatbot|model|dan|unrestricted|unfiltered|uncensored|jailbroken|hacker|persona|root|superuser|obedient|free~of|bound~by|restricted|limited~by|terminal|shell|interpreter)(?:[^a-z]|$)",
    ),
    InjectionRule(
        "role_change",
        0.5,
        r"you~(?:are|'re|will~be)~(?:now|no~longer)~{w4}(?:admin|administrator|agents?|mode)(?:[^a-z]|$)",
    ),
    InjectionRule(
        "role_change",
        1.0,
        r"(?:from~now~on|starting~now|henceforth|as~of~now|for~the~rest~of~this)[, ]~?{w4}(?:you~(?:are|will|must|shall|should|have~to)|your~(?:role|name|job|task))~{w3}(?:answer~(?:only|as|every)|respond~(?:only|as|to~every)|reply~(?:only|as)|obey|(?:act|serve|operate|function|behave|speak)~(?:as|like)|an?~(?:ai|assistant|agent|bot|hacker|terminal|shell|different)|called|named|to~(?:obey|serve|act)|comply|pretend|ignore)",
    ),
    InjectionRule(
        "role_change",
        1.0,
        r"(?:act|behave|respond|answer|pretend|roleplay|role-play|pose|operate)~{w2}(?:as|like|to~be|in|that~you~are|you~are)~{w4}(?:unrestricted|unfiltered|uncensored|no~(?:restrictions|rules|limits|filters)|without~(?:any~)?(?:restrictions|rules|limits|filters|limitations)|dan(?:[^a-z]|$)|jailbr|evil|developer~mode|god~mode|root|admin~mode|debug~mode)",
    ),
    InjectionRule(
        "role_change",
        1.0,
        r"(?:enter|enable|activate|switch~to|switch~into|engage|you~are~(?:now~)?in)~{w2}(?:god|dan|jailbreak|unrestricted|sudo|override|unsafe|unfiltered)~mode",
    ),
    InjectionRule(
        "role_change",
        0.5,
        r"(?:enter|enable|activate|switch~to|switch~into|engage|you~are~(?:now~)?in)~{w2}(?:developer|debug|maintenance|admin|root|training)~mode",
    ),
    InjectionRule(
        "role_change",
        0.5,
        r"(?:pretend|roleplay|act)~(?:that~)?(?:to~be|you~are|you~were|as~if~you|as~though~you)",
    ),
    # English: what the model was told
    InjectionRule(
        "prompt_leak",
        1.0,
        rf"(?:{_SHOW}|{_SHOW_LOOSE})~{{w5}}(?:your|hidden|full|entire|exact|original)~(?:\w{{1,12}}~)?(?:system~(?:prompt|message|instructions?)|hidden~(?:prompt|instructions?)|initial~(?:prompt|instructions?)|developer~(?:prompt|message|instructions?)|(?:pre-?)?prompt)(?:[^a-z]|$)",
    ),
    InjectionRule(
        "prompt_leak",
        1.0,
        rf"{_SHOW}~{{w3}}(?:the~|this~)?(?:system~prompt|hidden~(?:prompt|instructions?)|initial~(?:prompt|instructions?)|developer~(?:prompt|instructions?)|prompt~above)(?:[^a-z]|$)",
    ),
    InjectionRule(
        "prompt_leak",
        1.0,
        rf"{_SHOW}~{{w3}}your~(?:\w{{1,12}}~){{0,2}}(?:instructions|guidelines|directives)(?:[^a-z]|$)",
    ),
    InjectionRule(
        "prompt_leak",
        0.5,
        rf"(?:{_SHOW}|{_SHOW_LOOSE})~{{w3}}your~(?:\w{{1,12}}~){{0,2}}(?:configuration|rules|tools|tool~definitions|functions|instructions)(?:[^a-z]|$)",
    ),
    InjectionRule(
        "prompt_leak",
        1.0,
        rf"{_SHOW}~{{w3}}(?:everything|all~text|the~(?:text|words|content)|all~of~the~(?:text|content))~(?:above|before~this|preceding|prior~to~this)",
    ),
    InjectionRule(
        "prompt_leak",
        1.0,
        r"what~(?:is|are|was|were)~your~{w2}(?:system~prompt|initial~prompt|system~message|(?:hidden|secret|original|initial|exact)~(?:instructions?|rules|prompt))",
    ),
    # English: data to somebody else
    InjectionRule(
        "exfiltration",
        1.0,
        rf"{_SEND}~{{w8}}{_HARD_SECRETS}~{{w8}}(?:to|at|via|with|in|into|through|as|using)~{{w4}}{_SINK}",
    ),
    InjectionRule(
        "exfiltration",
        1.0,
        rf"{_SEND}~{{w8}}{_BUSINESS_SECRETS}~{{w8}}(?:to|at|via|through|using)~{{w4}}{_FAR}",
    ),
    InjectionRule(
        "exfiltration", 0.5, rf"{_SEND}~{{w8}}{_BUSINESS_SECRETS}~{{w8}}(?:to|at|via)~{{w4}}{_SINK}"
    ),
    InjectionRule(
        "exfiltration",
        1.0,
        rf"{_SEND}~{{w3}}(?:it|them|this|that|everything|the~(?:result|results|output|contents?|answer|list))~{{w3}}(?:to|at|via)~{{w2}}(?:my|attacker'?s?|an?~external)~(?:server|url|endpoint|webhook|address)",
    ),
    InjectionRule(
        "exfiltration",
        0.5,
        rf"{_SEND}~{{w3}}(?:it|them|this|that|everything)~{{w3}}(?:to|at|via)~{{w2}}https?:",
    ),
    InjectionRule(
        "exfiltration",
        1.0,
        rf"(?:read|collect|gather|find|search~for|look~(?:up|for)|retrieve|fetch|list|extract|get|open|copy|take|grab)~{{w4}}(?:{_HARD_SECRETS}|{_BUSINESS_SECRETS})~{{w8}}{_SEND}~{{w6}}(?:to|at|via)~{{w4}}{_SINK}",
    ),
    InjectionRule(
        "exfiltration",
        1.0,
        r"(?:append|add|encode|embed|include|insert|put)~{w6}(?:conversation|chat|answer|secrets?|user'?s?~(?:data|name|question|message))~{w6}(?:to|in|into|as)~{w4}(?:url|link|image|markdown)",
    ),
    InjectionRule("exfiltration", 0.5, rf"{_SEND}~{{w6}}{_HARD_SECRETS}~{{w4}}(?:to|at|via)~"),
    # English: behind the person's back
    InjectionRule(
        "secrecy",
        1.0,
        rf"{_NOT_TO}~{{w2}}(?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|disclose|disclosing|let|letting)~{{w1}}(?:(?:this|it|that|anything|any~of~this|these|about~this|them)~)?{{w3}}(?:to~)?{_USER}(?:[^a-z]|$)",
    ),
    InjectionRule(
        "secrecy",
        0.5,
        rf"{_NOT_TO}~{{w1}}(?:show|showing|alert|alerting|warn|warning|notify|notifying|ask|asking|report|reporting)~{{w2}}(?:to~)?{_USER}(?:[^a-z]|$)",
    ),
    InjectionRule(
        "secrecy",
        0.5,
        r"(?:keep|hide|conceal)~{w4}(?:secret|hidden|from~(?:the|your)~(?:user|human|operator))",
    ),
    InjectionRule(
        "stealth",
        0.5,
        r"(?:silently|secretly|covertly|without~(?:any~)?(?:confirmation|asking|approval|notice|notification|hesitation))",
    ),
    # English: speaking to the machine
    InjectionRule(
        "addresses_model",
        1.0,
        rf"(?:attention|note|notice|message|important|instructions?|hey|dear|hello|hi|warning|reminder|memo|request|to|for)[:, ]{{1,2}}(?:(?:to|for)~)?(?:(?:the|all|any|every|our|your)~)?(?:(?:the|all|any|every)~)?{_AI_CALLED}.{{0,80}}(?:^|[^a-z]){_IMPERATIVE}",
    ),
    InjectionRule(
        "addresses_model",
        1.0,
        rf"(?:if|when|since|because)~(?:you~are|you're|this~is~(?:being~)?(?:read|processed|summari[sz]ed)~by|you~(?:read|process|parse|summari[sz]e)~this~as)~(?:an?~|the~|any~)?{{w1}}{_AI}",
    ),
    InjectionRule(
        "addresses_model",
        1.0,
        r"(?:any|every|the|all)~(?:ai|llms?|language~models?|assistants?)~{w4}(?:reading|processing|parsing|summari[sz]ing|handling|that~reads|who~reads|which~reads)~{w4}(?:must|should|shall|is~(?:required|instructed|ordered|to)|has~to|needs~to|will)",
    ),
    InjectionRule(
        "addresses_model",
        0.5,
        rf"(?:as~an?|you~(?:are|'re)~an?|dear|hey|hello|to~the|you,?~the)~(?:helpful~|obedient~|large~)?{_AI}",
    ),
    InjectionRule(
        "addresses_model",
        0.5,
        r"(?:in~your|when~you)~(?:next~)?(?:response|reply|answer|summary|summari[sz]e|output)~?",
    ),
    InjectionRule(
        "commands_tool",
        0.5,
        r"(?:call|invoke|use|run|execute|trigger)~{w4}(?:the~)?[a-z0-9]{1,20}(?:[_.][a-z0-9]{1,20}){1,4}~{w2}(?:tool|function|api|with|to|on|for|now|immediately|and)",
    ),
    InjectionRule(
        "commands_tool",
        0.5,
        r"(?:call|invoke|use|run|execute)~{w3}(?:tools?|functions?|tool~calls?|shell~commands?|commands?)~{w3}(?:to|with|now|immediately|below|:|and)",
    ),
    InjectionRule(
        "commands_tool",
        0.5,
        r"you~(?:must|should|need~to|have~to|are~(?:required|instructed|ordered|authori[sz]ed)~to)~{w2}(?:call|invoke|execute|run|use)~{w5}(?:tool|function|command|tool~call|[a-z0-9]{2,20}_[a-z0-9_]{2,30})",
    ),
    InjectionRule(
        "false_authority",
        0.5,
        r"(?:the~(?:user|administrator|admin|owner|operator|human|developer|system)|this~(?:action|request|operation|call))~(?:has~|have~|is~|was~)?(?:already~|fully~|pre-?)?(?:approved|authori[sz]ed|consented|confirmed|agreed|granted|permitted)",
    ),
    InjectionRule(
        "false_authority",
        0.5,
        r"(?:no~(?:further~|additional~|user~|human~)?(?:confirmation|approval|consent|permission)~(?:is~)?(?:needed|required|necessary)|(?:skip|bypass|omit)~(?:the~|any~|all~)?(?:user~|human~)?(?:confirmation|approval|consent))",
    ),
    InjectionRule(
        "false_authority",
        0.5,
        r"(?:this~is~(?:a|an)~(?:official~|direct~|urgent~)?(?:message|order|instruction|override|command|notice)~from~(?:the~)?(?:system|developers?|openai|anthropic|administrator|security~team|your~(?:developer|creator|owner|operator)))|you~are~authori[sz]ed~to",
    ),
    InjectionRule(
        "destructive",
        0.5,
        r"(?:delete|drop|erase|wipe|destroy|remove|purge)~(?:all|every|everything|each)~{w4}(?:records?|files?|tables?|data|rows?|documents?|messages?|events?|users?|folders?)",
    ),
    InjectionRule(
        "destructive",
        0.5,
        r"(?:transfer|wire|pay|approve|grant|add|share|invite|make)~{w6}(?:owner(?:ship)?|admin(?:istrator)?|full~(?:access|control)|all~(?:pending|requests|permissions|approvals)|everyone|to~account)",
    ),
    # markup of conversations and tools
    InjectionRule(
        "fake_markup",
        1.0,
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|begin_of_text|tool|endofprompt|fim_[a-z]{1,10}|start|end|message|channel)[^|]{0,20}\|?>?",
    ),
    InjectionRule(
        "fake_markup",
        1.0,
        r"\[/?inst\]|<</?sys>>|</?\|?(?:function_calls?|tool_calls?|tool_results?|tool_response|function_results?|function_response|invoke|antml)[ :>|]",
    ),
    InjectionRule(
        "fake_markup",
        1.0,
        r"</?(?:system|sys|system_prompt|system-prompt|systemprompt|system_message|assistant|developer|instructions?|user_query|important)>.{0,80}(?:ignore|disregard|you~(?:are|must|should|will)|execute|call~the|do~not|obey|你|忽略|执行|必须)",
    ),
    InjectionRule(
        "fake_markup",
        1.0,
        r"(?:#{2,6}|={3,10}|-{3,10}|\*{2,5}|\[|begin|end~of|start~of|new)~?(?:system|developer|admin|new~system)~(?:prompt|instructions?|override|command|update)[\]*:=\- ]",
    ),
    InjectionRule(
        "fake_markup",
        1.0,
        r"(?:#{2,6}|={3,10}|-{3,10}|\*{2,5}|\[)~?(?:system|developer|admin)~(?:message|note|notice)[\]*:=\- ].{0,80}(?:you~(?:are|must|should|will)|ignore|disregard|instructions?|execute|override)",
    ),
    InjectionRule(
        "fake_markup",
        1.0,
        r"(?:^|[\n\"'>.!?。)\]] ?)(?:system|assistant|developer|human) ?: ?.{0,40}(?:you~(?:are|must|should|will|have)|ignore|disregard|execute|call~the|new~(?:instructions?|task|objective)|override|reveal|from~now~on)",
    ),
    InjectionRule("fake_markup", 1.0, r"\"role\" ?: ?\"(?:system|developer)\".{0,20}\"content\" ?: ?\""),
    InjectionRule(
        "fake_markup",
        1.0,
        r"(?:end|close|terminate)~(?:of~)?(?:the~)?(?:untrusted|tool|user|document|external)~(?:content|output|result|data|input|document|text)(?:[^a-z]|$).{0,60}(?:system|you~(?:are|must|should)|ignore|instruction)",
    ),
    InjectionRule(
        "hidden_markup",
        1.0,
        rf"(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?[01](?:px|pt|em)?[;\"' ]|opacity ?: ?0[;\"' ]|color ?: ?(?:white|#fff(?:fff)?|transparent)).{{0,160}}(?:{_STRICT_ORDERS}|{_AI}|ai ?:|assistant|ignore|system|send|call~|you~(?:must|are|should)|指令|忽略|你(?:必须|现在|需要)|助手|调用|发送)",
    ),
    InjectionRule(
        "hidden_markup",
        1.0,
        rf"<!--.{{0,160}}(?:{_IGNORE}~{{w3}}{_ORDERS}|{_AI}.{{0,40}}{_IMPERATIVE}|assistant.{{0,20}}(?:must|should|please)|system~(?:prompt|override)|you~(?:must|are~now|should)|{_C_IGNORE}|{_C_AI}.{{0,12}}{_C_IMPERATIVE}|助手.{{0,12}}{_C_IMPERATIVE})",
    ),
    InjectionRule(
        "image_exfiltration",
        1.0,
        r"!\[[^\]]{0,200}\]\([^)]{1,200}[?&/=](?:\{|<|\[|%7b|\$|(?:base64|secret|data|token|conversation|prompt|summary|history|q|payload|leak|exfil|key)=(?:\{|<|\[|\$|%7b|your|the_|insert|base64|conversation|user))",
    ),
    InjectionRule(
        "image_exfiltration",
        1.0,
        r"<img[^>]{0,200}src[^>]{0,200}[?&][a-z_]{1,20}=(?:\{|<|\[|\$|%7b|your|insert|conversation)",
    ),
    InjectionRule(
        "image_exfiltration",
        1.0,
        r"(?:render|display|show|include|output|add|embed|insert)~{w6}(?:markdown~)?(?:image|picture|img|pixel)~.{0,80}https?:.{0,120}(?:\{|<|\[|replac|append|with~(?:the|your)|conversation|secret|data|history|summary)",
    ),
    # Chinese: earlier instructions no longer hold
    InjectionRule("override", 1.0, rf"{_C_IGNORE}{{c8}}{_C_EARLIER}{{c10}}{_C_ORDERS}"),
    InjectionRule("override", 1.0, rf"{_C_IGNORE}{{c6}}{_C_SETTLED}{{c6}}{_C_STRICT_ORDERS}"),
    InjectionRule(
        "override", 1.0, rf"{_C_CANCEL}{{c6}}(?:{_C_EARLIER}|{_C_SETTLED}){{c8}}{_C_STRICT_ORDERS}"
    ),
    InjectionRule(
        "override",
        1.0,
        rf"(?:把|将)?(?:{_C_EARLIER}|{_C_SETTLED}){{c10}}(?:{_C_ORDERS}|规则|设定){{c8}}(?:忽略|无视|忘记|忘掉|抛开|作废|无效|失效|过期|不再(?:有效|适用)|丢弃|放弃|覆盖|清空|抛弃|不用(?:理会|管|遵守))",
    ),
    InjectionRule(
        "override",
        1.0,
        rf"{_C_IGNORE}{{c4}}(?:你(?:的|所|被|原|自己)|系统(?:的|设定)|开发者|内置|原有|原来的?|(?:所有|一切|任何)(?:的)?(?:安全|道德|伦理|系统|平台)|(?:平台|系统)的?安全|安全){{c6}}{_C_RULES}",
    ),
    InjectionRule(
        "override",
        1.0,
        rf"{_C_IGNORE}{{c2}}(?:平台|系统|公司|模型)的?{{c2}}安全(?:策略|限制|规则|准则|机制|约束)",
    ),
    InjectionRule(
        "override_loose",
        0.5,
        rf"(?:{_C_IGNORE}|{_C_CANCEL}){{c4}}(?:之前|先前|此前|以上|上述|上面|前面|所有|一切|任何|系统|刚才){{c6}}(?:{_C_LOOSE_ORDERS}|{_C_ORDERS})",
    ),
    InjectionRule(
        "override",
        1.0,
        r"(?:新的?|最新|以下|下面|本)(?:系统)?(?:指令|指示|提示词|命令){c6}(?:优先级?(?:最高|更高|高于)|优先于|覆盖|取代|替代|凌驾)",
    ),
    InjectionRule(
        "new_task",
        0.5,
        r"(?:你(?:的|现在的|接下来的|唯一的)?(?:新|真正的?|实际|唯一|首要)?的?(?:任务|目标|使命|职责)(?:是|变为|改为|已变|更新))",
    ),
    # Chinese: another role
    InjectionRule(
        "role_change",
        1.0,
        r"(?:从现在(?:开始|起)|从此刻(?:开始|起)|从这一刻(?:开始|起)|即刻起|自此|接下来|现在开始|今后)[,，:： ]?(?:请)?(?:你|您){c2}(?:是|的(?:身份|角色|名字|任务)|变成|成为|扮演|作为|以.{1,10}身份|只能|只需?听|不再(?:是|受|遵)|必须(?:听|服从|回答|执行|无条件|只)|将(?:是|以|成为|扮演|作为|服从|无条件|不受))",
    ),
    InjectionRule(
        "role_change",
        1.0,
        r"你(?:现在|已经|如今|即将|将)(?:是|不再是|成为|变成|被设定为|扮演|化身|不是){c12}(?:助手|ai|模型|机器人|角色|黑客|没有(?:任何)?限制|不受|无限制|终端|人格|dan)",
    ),
    InjectionRule("role_change", 1.0, r"你不再是{c12}(?:你|而是|成为)"),
    InjectionRule(
        "role_change", 0.5, r"你(?:现在|已经|将)(?:是|成为|进入|处于|作为){c8}(?:管理员|模式|专家)"
    ),
    InjectionRule(
        "role_change",
        1.0,
        r"(?:扮演|假装|假扮|假设你|充当|模拟|化身|伪装){c12}(?:不受(?:任何)?(?:限制|约束|审查)|没有(?:任何)?(?:限制|约束|道德|规则|底线)|无(?:任何)?(?:限制|约束)|无限制|黑客|越狱|开发者模式|dan)",
    ),
    InjectionRule(
        "role_change",
        1.0,
        r"(?:进入|开启|启用|切换(?:到|至|为|成)|激活|启动|打开){c4}(?:越狱|上帝|无限制|不受限|dan|god){c2}(?:模式|权限|身份)",
    ),
    InjectionRule(
        "role_change",
        0.5,
        r"(?:进入|开启|启用|切换(?:到|至|为|成)|激活|启动|打开){c4}(?:开发者|调试|管理员|维护|超级用户|root|debug){c2}(?:模式|权限|身份)",
    ),
    InjectionRule("role_change", 0.5, r"你(?:要|需要|必须|来)(?:扮演|假装|充当)|假装你是|假设你是"),
    # Chinese: what the model was told
    InjectionRule(
        "prompt_leak",
        1.0,
        r"(?:输出|显示|打印|泄露|透露|告诉我|说出|重复|复述|展示|公开|写出|列出|给出|返回|发给我|暴露|翻译|总结|念出){c10}(?:你的{c4}(?:提示词|指令|设定|prompt|系统提示)|系统提示词|系统指令|初始(?:提示|指令|设定)|隐藏的?(?:提示|指令)|开发者(?:消息|指令)|system~?prompt|(?:上面|以上|前面|之前)的?(?:所有|全部)(?:内容|文字|文本|对话|指令))",
    ),
    InjectionRule(
        "prompt_leak",
        1.0,
        r"(?:把|将)(?:你的?|系统)(?:的)?(?:系统)?(?:提示词|初始指令|系统指令|隐藏指令|system~?prompt|内部指令|初始设定|内部规则){c10}(?:输出|显示|打印|告诉|说出|重复|复述|展示|公开|写出|发给|发送|发到|贴出|返回|翻译)",
    ),
    # Chinese: data to somebody else
    InjectionRule(
        "exfiltration", 1.0, rf"{_C_SEND}{{c16}}{_C_HARD_SECRETS}{{c16}}(?:到|至|给|往){{c8}}{_C_SINK}"
    ),
    InjectionRule(
        "exfiltration",
        1.0,
        rf"(?:把|将|收集|读取|查找|搜索|获取|导出|提取|整理|汇总|找出|打开|复制){{c12}}{_C_HARD_SECRETS}{{c16}}(?:{_C_SEND}|邮件|寄){{c10}}{_C_SINK}",
    ),
    InjectionRule(
        "exfiltration",
        1.0,
        rf"(?:把|将|收集|读取|查找|搜索|获取|导出|提取|整理|汇总|找出|打开|复制){{c12}}{_C_BUSINESS_SECRETS}{{c16}}{_C_SEND}{{c10}}{_C_FAR}",
    ),
    InjectionRule(
        "exfiltration",
        1.0,
        rf"(?:机密|敏感|涉密|绝密)(?:文件|文档|资料|数据|信息|内容)?{{c16}}{_C_SEND}{{c10}}{_C_SINK}",
    ),
    InjectionRule(
        "exfiltration",
        0.5,
        rf"(?:把|将|收集|读取|查找|搜索|获取|导出|提取|整理|汇总|找出){{c12}}(?:{_C_HARD_SECRETS}|{_C_BUSINESS_SECRETS}){{c16}}{_C_SEND}{{c10}}{_C_SINK}",
    ),
    InjectionRule(
        "exfiltration",
        1.0,
        rf"(?:把|将|并|然后){{c12}}(?:结果|内容|答案|数据|回答|返回值){{c8}}{_C_SEND}{{c8}}(?:我的服务器|外部(?:服务器|地址|接口)|攻击者)",
    ),
    InjectionRule(
        "image_exfiltration",
        1.0,
        r"(?:输出|插入|渲染|显示|包含|添加|嵌入|加上|附上){c10}(?:图片|图像|markdown|像素){c20}https?:.{0,120}(?:\{|<|\[|替换|拼接|数据|内容|对话|密钥)",
    ),
    # Chinese: behind the person's back
    InjectionRule(
        "secrecy",
        1.0,
        rf"{_C_NOT_TO}{{c2}}(?:告诉|告知|提及|提到|透露给|惊动){{c4}}{_C_USER}(?:[^a-z群界体]|$)",
    ),
    InjectionRule(
        "secrecy",
        1.0,
        rf"{_C_NOT_TO}{{c2}}(?:让{{c2}}{_C_USER}{{c4}}(?:知道|知晓|发现|察觉)|(?:向|对|跟|和){{c2}}{_C_USER}{{c8}}(?:提及|提到|提起|透露|泄露|披露|说起|坦白))",
    ),
    InjectionRule(
        "secrecy", 0.5, rf"{_C_NOT_TO}{{c4}}(?:通知|提醒|询问|征求|汇报给|报告给|让){{c4}}{_C_USER}"
    ),
    InjectionRule("secrecy", 1.0, rf"(?:瞒着|背着){_C_USER}|对{_C_USER}(?:保密|隐瞒)"),
    InjectionRule(
        "stealth",
        0.5,
        r"(?:悄悄|偷偷|暗中|私下|静默|秘密)地?(?:执行|发送|删除|转发|调用|修改|上传|完成|把|将|运行|添加)",
    ),
    # Chinese: speaking to the machine
    InjectionRule(
        "addresses_model",
        1.0,
        rf"(?:致|写给|给|注意|提醒|警告|通知|亲爱的|你好|重要)[:：,，! ！]?(?:所有|各位|全体|任何|正在(?:阅读|处理|总结)(?:本文|此文|这段文字|本文档|这份文档)的)?的?{_C_AI_CALLED}.{{0,24}}{_C_IMPERATIVE}",
    ),
    InjectionRule(
        "addresses_model",
        1.0,
        rf"(?:如果|若|假如|当|由于|既然)(?:你|您|阅读者|读者|阅读本文的|处理本文的|读到(?:这里|这段话)的?)(?:是|为|作为|属于)(?:一个|一名|一款|任何)?{_C_AI}",
    ),
    InjectionRule(
        "addresses_model",
        1.0,
        rf"(?:任何|所有|每个|正在|凡是){{c8}}(?:阅读|处理|总结|读取|解析|读到){{c10}}的?{_C_AI}.{{0,8}}{_C_IMPERATIVE}",
    ),
    InjectionRule(
        "addresses_model",
        0.5,
        rf"(?:你|您)(?:是|作为)(?:一个|一名|一款)?{{c6}}(?:{_C_AI}|助手)|作为(?:一个|一名|一款)?{_C_AI}[,，]?(?:你|您)",
    ),
    InjectionRule(
        "addresses_model",
        0.5,
        r"(?:在你(?:的|下一次的?)?(?:回复|回答|总结|输出|答案)(?:中|里|时|之前|前)|(?:总结|回答|回复)(?:本文|此文|用户|这段)?(?:时|之前|前)[,，]?(?:请|务必|必须|你|先))",
    ),
    InjectionRule(
        "commands_tool",
        0.5,
        r"(?:调用|使用|运行|执行|触发){c10}(?:工具|函数|接口|命令|指令|tool|function|api|[a-z0-9]{1,20}[_.][a-z0-9_.]{1,40}){c10}(?:删除|发送|转发|批准|转账|授权|修改|上传|清空|添加|移除|共享|给|把|将|并|,|，|。|:|：|$)",
    ),
    InjectionRule("commands_tool", 1.0, r"你必须(?:立即|立刻|马上|现在就?)(?:执行|调用|运行)"),
    InjectionRule(
        "commands_tool",
        0.5,
        r"你(?:必须|应该|需要|务必|应当|得|要|可以直接|现在就?|立即|马上|立刻){c6}(?:调用|执行|运行|使用|触发){c12}(?:工具|函数|接口|命令|tool|function|[a-z0-9]{1,20}[_.][a-z0-9_.]{1,40})",
    ),
    InjectionRule(
        "false_authority",
        0.5,
        r"(?:用户|管理员|主人|系统管理员|操作员|开发者|使用者|该操作|此操作|本操作)(?:已|已经|早已|事先|提前|均已)(?:经)?(?:同意|授权|批准|确认|许可|允许)",
    ),
    InjectionRule(
        "false_authority",
        0.5,
        r"(?:无需|不需要|不必|不用|无须|跳过|免去|绕过|省略)(?:再|任何|进行|经过|等待|向|征求|用户|人工|二次){0,4}的?(?:用户|人工|二次|再次)?的?(?:确认|批准|授权|同意|询问|审核|核实|许可)",
    ),
    InjectionRule(
        "false_authority",
        0.5,
        r"(?:这是|此为|以下是|本条为)(?:来自)?(?:一条)?(?:系统|开发者|管理员|openai|官方|安全团队)(?:的|级)?(?:最高|紧急|正式|直接)?(?:指令|命令|消息|通知|授权|指示)",
    ),
    InjectionRule(
        "destructive",
        0.5,
        r"(?:删除|清空|清除|销毁|抹除|移除)(?:掉)?{c6}(?:所有|全部|一切|整个|每一?(?:条|个))|(?:把|将){c8}(?:所有|全部){c8}(?:删除|清空|清除|删掉)",
    ),
    InjectionRule(
        "destructive",
        0.5,
        r"(?:共享|分享|公开|开放)(?:给|到)?{c6}(?:所有人|任何人|公司外|外部|全网|互联网)|所有者{c4}(?:转让|改为|变更|设为)",
    ),
    InjectionRule(
        "destructive",
        0.5,
        r"(?:授予|赋予|设为|设置为|添加为|提升为|转让给|转账(?:到|至|给)|转移(?:到|至|给)|批准(?:所有|全部)|通过(?:所有|全部)){c12}(?:管理员|所有者|全部权限|完全控制|账户|账号|审批|申请|权限)",
    ),
    InjectionRule(
        "fake_markup",
        1.0,
        r"(?:^|[\n\"'>。!?！？.】\]] ?)(?:系统|开发者|system|助手|assistant) ?[:：] ?.{0,24}(?:你(?:必须|现在|将|要|应|需|的新)|忽略|无视|从现在|不要告诉|覆盖之前|新的?(?:指令|任务))",
    ),
    InjectionRule(
        "fake_markup",
        1.0,
        r"[【\[<《#=\-]{1,8} ?(?:系统|新系统|开发者|管理员|最高|紧急系统)(?:提示词?|指令|命令|覆盖|指示)(?:更新|开始|结束)? ?[】\]>》#=:：\-]{1,8}.{0,60}(?:你|忽略|无视|执行|调用|必须|立即|不要|输出|删除)",
    ),
    InjectionRule(
        "fake_markup",
        1.0,
        r"[【\[<《#=\-]{1,8} ?(?:系统|开发者|管理员)(?:消息|通知) ?[】\]>》#=:：\-]{1,8}.{0,40}(?:你(?:必须|现在是|的任务|的新)|忽略|无视|不要告诉|从现在)",
    ),
)
"""Every rule. Which ones exist is not secret: what passes them is data all the same."""

FRAGMENT_HINT = (
    r"(?i)ignore|disregard|forget|override|bypass|system prompt|pretend|you are now|do not tell|don't tell|忽略|无视|忘记|忘掉"
    r"|不要告诉|系统提示|提示词|指令|你现在|从现在|现在开始|扮演|越狱|瞒着"
)
"""RE2; words of a text that is stored in pieces, for which the pieces are read together."""

_WORDS = re.compile(r"\{w([0-9])\}")
_CHARACTERS = re.compile(r"\{c([0-9]{1,2})\}")


def pattern_of(rule: InjectionRule, *, run_together: bool = False) -> str:
    """The rule in plain syntax.

    Args:
        run_together: For texts in which words may have run together: gaps may be empty.
    """
    gap = "(?:[^a-z0-9]{0,3})" if run_together else "(?:[^a-z0-9]{1,6})"
    pattern = _WORDS.sub(lambda found: rf"(?:[a-z0-9'’\-]{{1,20}}~){{0,{found[1]}}}", rule.pattern)
    if run_together:
        pattern = pattern.replace("(?:[^a-z]|$)", "").replace("(?:^|[^a-z])", "")
    pattern = _CHARACTERS.sub(lambda found: rf"[^。！？!?;；]{{0,{found[1]}}}", pattern)
    return pattern.replace("'?", "['’]?").replace("~", gap)
