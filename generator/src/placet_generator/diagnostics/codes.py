"""Every code the compiler can report. A code is never reused and never renumbered."""

from dataclasses import dataclass
from enum import StrEnum


class Code(StrEnum):
    """Stable names of findings; the letters say which part of the input is meant."""

    YAML_UNREADABLE = "YML001"
    YAML_FORBIDDEN = "YML002"
    YAML_DUPLICATE_KEY = "YML003"
    YAML_FLOW_TEXT = "YML004"
    KEY_UNKNOWN = "CUR001"
    VALUE_INVALID = "CUR002"
    KEY_MISSING = "CUR003"
    FILE_MISPLACED = "CUR004"
    DECLARATION_UNUSED = "CUR005"
    NAME_ILLEGAL = "NAM001"
    NAME_DUPLICATE = "NAM002"
    NAME_TOO_LONG = "NAM003"
    ALIAS_COLLISION = "NAM004"
    METHOD_UNKNOWN = "SRC001"
    VERB_DIFFERS = "SRC002"
    ROUTE_DIFFERS = "SRC003"
    SOURCE_SPLIT = "SRC004"
    SOURCE_UNREADABLE = "SRC005"
    SUPPLEMENT_UNKNOWN = "SRC006"
    ROUTE_SHARED = "SRC007"
    SLOT_UNKNOWN = "SLT001"
    SLOT_UNFILLED = "SLT002"
    SLOT_WHO_ACTS = "SLT003"
    SLOT_FILLED_TWICE = "SLT004"
    ARGUMENT_UNKNOWN = "SLT005"
    TYPE_CONFLICT = "TYP001"
    ENUM_NOT_SUBSET = "TYP002"
    CONSTRAINT_MISFIT = "TYP003"
    UNION_UNTAGGED = "TYP004"
    ROOT_COMBINATOR = "TYP005"
    SHAPE_UNKNOWN = "TYP006"
    VALUE_MISFIT = "TYP007"
    PLATFORM_UNKNOWN = "PLT001"
    CODEC_UNKNOWN = "PLT002"
    PREFLIGHT_UNKNOWN = "PLT003"
    ROUTINE_UNKNOWN = "PLT004"
    CONTEXT_UNKNOWN = "PLT005"
    DERIVATION_UNKNOWN = "PLT006"
    LOCAL_UNKNOWN = "PLT007"
    RISK_MISSING = "RSK001"
    RISK_BELOW_WITNESS = "RSK002"
    RISK_SPLIT = "RSK003"
    RISK_DELETE = "RSK004"
    IDENTITY_NOT_SUBSET = "IDN001"
    SCOPE_UNKNOWN = "SCP001"
    SCOPE_MISSING = "SCP002"
    OUTPUT_PATH = "OUT001"
    OUTPUT_TYPE = "OUT002"
    PAGING_INVALID = "OUT003"
    TOOL_DANGLING = "REF001"
    OBTAIN_DANGLING = "REF002"
    GUIDANCE_DANGLING = "REF003"
    BEFORE_INVALID = "REF004"
    OBTAIN_MISSING = "REF005"
    CHAIN_OPEN = "REF006"
    IDEMPOTENCY_MISSING = "IDM001"
    IDEMPOTENCY_INVALID = "IDM002"
    BEFORE_MISSING = "IDM003"
    TEXT_MISSING = "LOC001"
    TEXT_DANGLING = "LOC002"
    BUDGET_TOOL = "BUD001"
    BUDGET_DOMAIN = "BUD002"
    BUDGET_PRESET = "BUD003"
    BUDGET_TEXT = "BUD004"
    WITNESS_READ_ONLY = "WIT001"
    WITNESS_TOKENS = "WIT002"
    WITNESS_REQUIRED = "WIT003"
    WITNESS_TYPE = "WIT004"
    WITNESS_ENUM = "WIT005"
    WITNESS_QUERY = "WIT006"
    WITNESS_PLACEHOLDER = "WIT007"
    WITNESS_WIRE_NAME = "WIT008"
    EXCEPTION_UNUSED = "WIT009"
    WITNESS_NONE = "WIT010"
    OPENAPI_UNREADABLE = "OAS001"
    OPENAPI_REFERENCE = "OAS002"
    OPENAPI_UNSUPPORTED = "OAS003"
    DRIFT_MISSING = "DRF001"
    DRIFT_CHANGED = "DRF002"
    DRIFT_EXTRA = "DRF003"
    PIN_CHANGED = "PIN001"


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """What a code means (`purpose`, one line) and what to do about it (`remedy`)."""

    purpose: str
    remedy: str


CODES: dict[Code, CodeInfo] = {
    Code.YAML_UNREADABLE: CodeInfo(
        "A file is not readable YAML: syntax, encoding, size or depth.",
        "Mend the place named. Files are UTF-8, at most 2 MB and 40 levels deep.",
    ),
    Code.YAML_FORBIDDEN: CodeInfo(
        "A file uses YAML that curation leaves out: anchor, alias, merge key, tag, directive, second document.",
        "Write the value out. To share a parameter within a domain, declare it under `parameters:` and write `shared`.",
    ),
    Code.YAML_DUPLICATE_KEY: CodeInfo(
        "A mapping has the same key twice; both places are named.",
        "Remove one of the two, or rename it.",
    ),
    Code.YAML_FLOW_TEXT: CodeInfo(
        "Unquoted text inside `{...}` or `[...]` holds a comma, colon or bracket, or a key has no value.",
        "Quote the text, or write the mapping over several lines.",
    ),
    Code.KEY_UNKNOWN: CodeInfo(
        "A key is not part of the format.",
        "Use the key it was meant to be; the format is in the editor schema and in the guide.",
    ),
    Code.VALUE_INVALID: CodeInfo(
        "A value has the wrong type or form for its key.",
        "Write a value of the form the message names.",
    ),
    Code.KEY_MISSING: CodeInfo(
        "A key that must be written is not there.",
        "Add it; it is never guessed.",
    ),
    Code.FILE_MISPLACED: CodeInfo(
        "A file is not what its place says: the domain differs from the file name, or a file it names is not there.",
        "Rename the file or the domain so that they agree, or add the file.",
    ),
    Code.DECLARATION_UNUSED: CodeInfo(
        "A shape or shared parameter is used by no tool.",
        "Remove it, or use it.",
    ),
    Code.NAME_ILLEGAL: CodeInfo(
        "A name is not a lower-case identifier, is a Python keyword, or is reserved.",
        "Choose another name of `[a-z][a-z0-9_]*`; map it to the wire with `to:`.",
    ),
    Code.NAME_DUPLICATE: CodeInfo(
        "Two tools have one canonical or wire name.",
        "Rename one of them; keep the old name under `aliases:`.",
    ),
    Code.NAME_TOO_LONG: CodeInfo(
        "A wire name is longer than 48 characters.",
        "Shorten the tool's name; providers allow 64 and clients add a prefix of their own.",
    ),
    Code.ALIAS_COLLISION: CodeInfo(
        "An alias is the name of a living tool, or stands at two tools.",
        "Remove the alias from the tool that does not own the old name.",
    ),
    Code.METHOD_UNKNOWN: CodeInfo(
        "The SDK has no method of that path.",
        "Use the nearest one named, or look it up with `placet catalog search`.",
    ),
    Code.VERB_DIFFERS: CodeInfo(
        "The verb in `http:` is not the one the method sends.",
        "Look at `placet catalog show`; correct the verb or the method.",
    ),
    Code.ROUTE_DIFFERS: CodeInfo(
        "The route is not the one the method sends.",
        "Look at `placet catalog show`; correct the route or the method.",
    ),
    Code.SOURCE_SPLIT: CodeInfo(
        "SDK path and route each name a method, but not the same one.",
        "Decide which of the two is meant and correct the other.",
    ),
    Code.SOURCE_UNREADABLE: CodeInfo(
        "The SDK's source for a method has a form the reader does not know.",
        "Check the installed SDK version; report the method if it is the pinned one.",
    ),
    Code.SUPPLEMENT_UNKNOWN: CodeInfo(
        "A supplement or its operation does not exist.",
        "Correct the name, or add the document under `supplement/` and list it in `surface.yaml`.",
    ),
    Code.ROUTE_SHARED: CodeInfo(
        "Two tools use one route and none says why.",
        "Merge them, or write `because:` at one of them.",
    ),
    Code.SLOT_UNKNOWN: CodeInfo(
        "A slot names something that the method does not have.",
        "Use the nearest slot named, or look at `placet catalog show`.",
    ),
    Code.SLOT_UNFILLED: CodeInfo(
        "A slot that must be sent is filled by no parameter, constant, derivation or context value.",
        "Add a required parameter for it, or `fixed:`, `derive:` or `context:`.",
    ),
    Code.SLOT_WHO_ACTS: CodeInfo(
        "A slot that says who acts under an app token is a parameter, so a model could act as anybody.",
        "Fill it under `context:`; if it names the person acted upon, say so in the parameter's `because:` "
        "and make the tool a high-risk write.",
    ),
    Code.SLOT_FILLED_TWICE: CodeInfo(
        "Two declarations fill one slot.",
        "Keep one of them.",
    ),
    Code.ARGUMENT_UNKNOWN: CodeInfo(
        "`derive:`, `default_from:`, `rules:` or `shared` names something that is not declared.",
        "Use a declared name; a file has the properties name, size, sha256 and media_type.",
    ),
    Code.TYPE_CONFLICT: CodeInfo(
        "A parameter's type cannot become the slot's type on the wire.",
        "Change `type:`, or say how it is written with `wire:` or `codec:`.",
    ),
    Code.ENUM_NOT_SUBSET: CodeInfo(
        "An enum has a value the catalogue does not know.",
        "Remove the value.",
    ),
    Code.CONSTRAINT_MISFIT: CodeInfo(
        "A constraint does not fit the type, contradicts another one, or is a pattern that does not compile.",
        "Remove it or change the type.",
    ),
    Code.UNION_UNTAGGED: CodeInfo(
        "Variants have no tag inside the object, or the tag is a member of a variant.",
        "Name the tag with `tag:`; a union told apart by a sibling needs a shape with a codec.",
    ),
    Code.ROOT_COMBINATOR: CodeInfo(
        "An argument schema would have a union at its root, which providers refuse.",
        "Make the union the value of one parameter.",
    ),
    Code.SHAPE_UNKNOWN: CodeInfo(
        "A shape is not declared, or contains itself.",
        "Declare it under `shapes:`; a shape of another domain is named `domain.shape`.",
    ),
    Code.VALUE_MISFIT: CodeInfo(
        "An example, default or constant does not fit the declared type or limits.",
        "Correct the value or the declaration.",
    ),
    Code.PLATFORM_UNKNOWN: CodeInfo(
        "No installed distribution offers the platform's names.",
        "Correct `platform:` in surface.yaml, or install the platform.",
    ),
    Code.CODEC_UNKNOWN: CodeInfo(
        "The platform has no such codec, or the codec does not work in that direction or for that many slots.",
        "Use a codec of the platform's names.",
    ),
    Code.PREFLIGHT_UNKNOWN: CodeInfo(
        "The platform has no such preflight.", "Use a preflight of the platform's names."
    ),
    Code.ROUTINE_UNKNOWN: CodeInfo(
        "The platform has no such routine, or its calls differ from the declared ones.",
        "Use a routine of the platform's names and declare each of its calls.",
    ),
    Code.CONTEXT_UNKNOWN: CodeInfo(
        "The platform supplies no such context value.", "Use a key the message lists."
    ),
    Code.DERIVATION_UNKNOWN: CodeInfo(
        "A derivation is neither a property of a file argument nor one of the platform's.",
        "Use a name the message lists.",
    ),
    Code.LOCAL_UNKNOWN: CodeInfo("The runtime has no such local behaviour.", "Use a name the message lists."),
    Code.RISK_MISSING: CodeInfo(
        "A tool has no risk.",
        "Add `risk: read`, `write` or `high-risk-write`, decided by effect.",
    ),
    Code.RISK_BELOW_WITNESS: CodeInfo(
        "The risk is lower than the one the witness states.",
        "Raise it, or say in `because:` why the effect is smaller.",
    ),
    Code.RISK_SPLIT: CodeInfo(
        "Tools of one route have different risks.", "Give every tool of the route the higher one."
    ),
    Code.RISK_DELETE: CodeInfo(
        "A tool that sends DELETE is less than a high-risk write, or is no write at all.",
        "Use `risk: high-risk-write`, or say in `because:` why nothing of value is lost.",
    ),
    Code.IDENTITY_NOT_SUBSET: CodeInfo(
        "The tool allows an identity whose token the method does not take.",
        "Keep only the identities the message lists.",
    ),
    Code.SCOPE_UNKNOWN: CodeInfo("The platform knows no such scope.", "Use the nearest one named."),
    Code.SCOPE_MISSING: CodeInfo(
        "None of the declared scopes opens the endpoint, or none is declared.",
        "Declare at least one of the scopes the message lists.",
    ),
    Code.OUTPUT_PATH: CodeInfo(
        "An output path names something that the answer does not have.",
        "Use the nearest path named, or look at `placet catalog show`.",
    ),
    Code.OUTPUT_TYPE: CodeInfo(
        "An output field's type is not known, or the stated one does not fit the answer.",
        "Write `type:`, or list the `fields:` of an object.",
    ),
    Code.PAGING_INVALID: CodeInfo(
        "Paging cannot be derived from the method, or its places do not exist.",
        "Write `paging:` in full; `paging: none` for a list that comes in one piece.",
    ),
    Code.TOOL_DANGLING: CodeInfo(
        "A text, preset or reference names a tool that does not exist.",
        "Use a tool's canonical name.",
    ),
    Code.OBTAIN_DANGLING: CodeInfo(
        "`obtain:` names a tool, a place in its output, or a form that does not exist.",
        "Write `person`, `guidance:topic` or `domain.tool#place` with a place of that tool's output.",
    ),
    Code.GUIDANCE_DANGLING: CodeInfo(
        "A guidance page is missing, empty or named wrongly.",
        "Add `guidance/en/<domain>.md` or `guidance/en/<domain>/<topic>.md`.",
    ),
    Code.BEFORE_INVALID: CodeInfo(
        "`before:` names a tool, an argument or a place that does not exist, or a tool that is no read.",
        "Name a read of the same surface, its parameters under `with:` and places of its output under `compare:`.",
    ),
    Code.OBTAIN_MISSING: CodeInfo(
        "A required id has no origin.",
        "Add `obtain:`: the tool that lists it, guidance, or `person`.",
    ),
    Code.CHAIN_OPEN: CodeInfo(
        "An id can be had only from tools that need ids nobody can supply.",
        "Add the missing first link, or `obtain: person`.",
    ),
    Code.IDEMPOTENCY_MISSING: CodeInfo(
        "A write does not say what a repeat does.",
        "Add `idempotency: ledger`, or the platform's own key with `idempotency: {native: ..., form: ...}`.",
    ),
    Code.IDEMPOTENCY_INVALID: CodeInfo(
        "The native key is no slot of the method, or stands at a read.",
        "Use a slot the message lists, or `idempotency: ledger`.",
    ),
    Code.BEFORE_MISSING: CodeInfo(
        "An update does not say how an approver sees what it replaces.",
        "Add `before:` with a read, or `before: {because: ...}`.",
    ),
    Code.TEXT_MISSING: CodeInfo(
        "A text has no translation.", "Add it to the locale's file at the place named."
    ),
    Code.TEXT_DANGLING: CodeInfo(
        "A translation belongs to no English text.",
        "Remove it, or correct its place.",
    ),
    Code.BUDGET_TOOL: CodeInfo(
        "A tool's definition is larger than the budget; the biggest parts are listed.",
        "Shorten the texts or leave parameters out.",
    ),
    Code.BUDGET_DOMAIN: CodeInfo(
        "A domain's definitions, or the surface's mean, are over budget.", "Shorten texts."
    ),
    Code.BUDGET_PRESET: CodeInfo(
        "A preset's definitions are larger than the budget, or it has too many tools.",
        "Take tools out of the preset.",
    ),
    Code.BUDGET_TEXT: CodeInfo("A description or a guidance page is over budget.", "Shorten it."),
    Code.WITNESS_READ_ONLY: CodeInfo(
        "A body field is writable in the SDK only; the platform describes it for no request.",
        "Remove the parameter, or write an exception with the reason.",
    ),
    Code.WITNESS_TOKENS: CodeInfo(
        "SDK and platform disagree about the token kinds the tool relies on.",
        "Keep the identities both take, or write an exception.",
    ),
    Code.WITNESS_REQUIRED: CodeInfo(
        "The platform requires a field that the tool may leave out.",
        "Make the parameter required, or write an exception.",
    ),
    Code.WITNESS_TYPE: CodeInfo(
        "The platform states another type on the wire than the tool would send.",
        "Set `type:` to the platform's type, or write an exception.",
    ),
    Code.WITNESS_ENUM: CodeInfo(
        "An enum has a value that the platform does not know.",
        "Remove the value, or write an exception.",
    ),
    Code.WITNESS_QUERY: CodeInfo(
        "The platform knows no such query parameter.",
        "Remove the parameter, or write an exception.",
    ),
    Code.WITNESS_PLACEHOLDER: CodeInfo(
        "A path slot is not a placeholder of the route; the SDK drops it in silence.",
        "Remove the parameter.",
    ),
    Code.WITNESS_WIRE_NAME: CodeInfo(
        "The SDK's attribute is not the name on the wire.",
        "Use the wire name the message gives, or write an exception.",
    ),
    Code.EXCEPTION_UNUSED: CodeInfo(
        "An exception excuses nothing: the finding is gone, or its value changed.",
        "Remove the exception, or correct its value after checking the new one.",
    ),
    Code.WITNESS_NONE: CodeInfo(
        "No witness knows the endpoint, so nothing was compared.",
        "Nothing to do; look twice at the SDK's own reading. Reported so that it never counts as a pass.",
    ),
    Code.OPENAPI_UNREADABLE: CodeInfo(
        "An OpenAPI document cannot be read: syntax, version or structure.",
        "Mend the place named; 3.0 and 3.1 documents in JSON or YAML are read.",
    ),
    Code.OPENAPI_REFERENCE: CodeInfo(
        "A reference leads to a file, to a URL or to nothing.",
        "Bring the schema into the document; references outside it are never followed.",
    ),
    Code.OPENAPI_UNSUPPORTED: CodeInfo(
        "An operation uses something that cannot be turned into a tool.",
        "Leave the operation out, or simplify it.",
    ),
    Code.DRIFT_MISSING: CodeInfo(
        "A generated file is not there.", "Run `make generate` and commit the result."
    ),
    Code.DRIFT_CHANGED: CodeInfo(
        "A generated file differs from what the curation gives.",
        "Run `make generate`; never edit generated files.",
    ),
    Code.DRIFT_EXTRA: CodeInfo(
        "A file in a generated folder comes from no curation.",
        "Run `make generate`, which removes it.",
    ),
    Code.PIN_CHANGED: CodeInfo(
        "The SDK is not the one that was pinned; the tools it touches are named.",
        "Review them and run `make generate`.",
    ),
}
