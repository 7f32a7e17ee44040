"""Word lists of the lexical matcher: closed classes of English, and what languages look like."""

from __future__ import annotations


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP_WORDS = _listed("""
a an the this that these those it its he him his she her hers they them their theirs we us our ours i me my mine you
your yours who whom whose which what where when how there here and but so as than then too also just very really quite
is are was were be been being am do does did done doing has have had having will would shall 's of to in on at by for
with from into onto about per via between during through against among within along s t re ve ll d m it's that's
there's he's she's we're they're i'm you're we've they've i've you've i'll we'll they'll he'll she'll it'll let's
what's who's well oh ok okay yes please should get gets got gotten getting come comes came coming go goes went gone
going
""")

NEGATIONS = _listed("no not never none nobody nothing nowhere neither nor without cannot hardly")

GUARDS: dict[str, str] = {
    word: group
    for group, words in {
        "only": "only solely merely",
        "unless": "unless except",
        "until": "until till",
        "before": "before earlier",
        "after": "after later afterwards",
        "most": "most maximum max",
        "least": "least minimum min",
        "more": "more above exceeds higher over increase increased rise rose rises up",
        "less": "less fewer below lower under decrease decreased fall fell falls down dropped drop",
        "all": "all every everyone everybody everything each always whole entire",
        "some": "some sometimes partly several",
        "both": "both either",
        "if": "if provided whether",
        "must": "must required requires mandatory shall",
        "still": "still remains remain",
        "again": "again",
        "instead": "instead rather",
        "or": "or",
        "first": "first",
        "last": "last",
    }.items()
    for word in words.split()
}
"""Words that turn a claim into another one, by group: texts that differ in a group do not say the same."""

_IN_ORDER = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip

NUMBER_WORDS: dict[str, str] = {
    word: str(value)
    for value, word in enumerate(
        _IN_ORDER
    )
} | {
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
    "hundred": "100", "thousand": "1000", "million": "million", "dozen": "12", "half": "half", "twice": "2",
    "double": "2", "doubled": "2", "triple": "3", "tripled": "3", "once": "1",
}  # fmt: skip

UNITS: dict[str, str] = {
    form: unit
    for unit, forms in {
        "percent": "% percent percentage pct",
        "millisecond": "ms millisecond milliseconds",
        "second": "sec secs second seconds",
        "minute": "min mins minute minutes",
        "hour": "hr hrs hour hours",
        "kilometre": "km kilometre kilometres kilometer kilometers",
        "kilogram": "kg kilogram kilograms kilo kilos",
        "millilitre": "ml millilitre millilitres milliliter milliliters",
        "gigabyte": "gb gigabyte gigabytes",
        "megabyte": "mb megabyte megabytes",
        "euro": "\u20ac eur euro euros",
        "dollar": "$ usd dollar dollars",
        "pound": "\u00a3 gbp",
    }.items()
    for form in forms.split()
}

CALENDAR = _listed(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december"
)
"""Values like numbers, where they are written with a capital: "may" and "march" are other words too."""

IRREGULAR: dict[str, str] = {
    form: root
    for root, forms in {
        "mak": "make makes made making",
        "tak": "take takes took taken taking",
        "giv": "give gives gave given giving",
        "say": "says said saying",
        "run": "runs ran running",
        "see": "sees saw seen seeing",
        "find": "finds found finding",
        "keep": "keeps kept keeping",
        "leav": "leave leaves left leaving",
        "los": "lose loses lost losing",
        "mean": "means meant meaning",
        "pay": "pays paid paying",
        "send": "sends sent sending",
        "break": "breaks broke broken breaking",
        "build": "builds built building",
        "buy": "buys bought buying",
        "grow": "grows grew grown growing",
        "hold": "holds held holding",
        "know": "knows knew known knowing",
        "show": "shows showed shown showing",
        "writ": "write writes wrote written writing",
        "begin": "begins began begun beginning",
        "child": "child children kid kids",
        "person": "person people persons",
        "man": "men",
        "woman": "women",
        "mov": "move moves moved moving",
        "us": "use uses used using",
        "caus": "cause causes caused causing",
    }.items()
    for form in forms.split()
}

TURNED = frozenset(
    frozenset(pair.split())
    for pair in (
        "only unless",
        "if unless",
        "before after",
        "most least",
        "more less",
        "all some",
        "first last",
        "until after",
    )
)
"""Groups of guards that exclude each other in the same place."""

OPPOSITES = frozenset(
    frozenset(pair.split())
    for pair in (
        "open closed", "open clos", "start end", "start stop", "begin end", "add remov", "enabl disabl", "allow "
        "forbid",
        "accept reject", "pass fail", "succe fail", "high low", "hot cold", "fast slow", "left right", "north south",
        "east west", "morn even", "early late", "cheap expensiv", "lov hat", "lik dislik", "safe unsaf", "full empty",
        "old new", "long short", "buy sell", "arriv depart", "present absent", "tru fals", "win los", "import export",
        "upstream downstream", "large small", "indoor outdoor", "inside outside", "keep delet", "public privat",
    )
)  # fmt: skip
"""Pairs of stems that exclude each other in the same place."""

ENGLISH = (
    STOP_WORDS | NEGATIONS | frozenset(GUARDS) | _listed("can could may might should i'd we'd isn't don't didn't won't")
)

SHARED = _listed("""
a i in on an am at as or so no to do my me we is was will also over under for her him has he us of by but per most min
all come go here have had men first again rest war hat man bin die das den ten van de ha um er el du az ci os ed una
dan ben sen pro dat des rot main band log mere hi air son plus sans car once dice due fine male sea final note cause
point long were want week door even begin plan water brief gift tag kind fast links arm bald art tun rat din par sale
cane real tan pan red mag met lag tension rota dr april august september november server backup deploy rollback merge
build cache login team test tests alarm normal patient stable system computer laptop meeting site stock firewall
status update release branch standby taxi battery voltage pump sensor motor browser ticket mon hay tab
""")
"""English words that are common in other languages too, of their own or taken over: they tell nothing."""

TELLING = (ENGLISH | CALENDAR | _listed("mr mrs ms")) - SHARED
"""Words that tell that a text is English."""

FOREIGN = (
    _listed("""
der und ist nicht ein eine einen einem einer mit auf f\u00fcr von dem zu sich wird auch noch aber oder wir ich sie es
ihr bei nach seit bis vom zum zur kein keine keinen wurde wurden sind haben habe hatte wenn weil dass da\u00df nur
schon heute gestern morgen wieder jetzt dann mehr sehr bitte danke weg fuer ueber \u00fcber unter zur\u00fcck zurueck
nichts muss kann mir mich uns mein sein ab aus vor ohne gegen durch wie wo wer warum da doch mal geht gut ja nein le
la les un une et est pas ne que qui dans pour avec sur nous vous ils elle au aux ce cette sont je tu il mais ou
d\u00e9j\u00e0 hier depuis encore tr\u00e8s bien fait \u00eatre avoir ont \u00e9t\u00e9 sous chez donc aussi merci mon
ses leur c'est n'est d'un d'une j'ai qu'il \u00e0 ete deja los las unos en por con para del se su al como pero
m\u00e1s est\u00e1 esta este desde hasta muy ya sin lo nos hay fue ser yo t\u00fa ayer hoy ma\u00f1ana manana gracias
porque cuando donde qu\u00e9 creo mas gli di che non della nel nella questo questa dalle dalla alle sono stato stata
ieri oggi domani perch\u00e9 anche pi\u00f9 ma ho hanno abbiamo sul sulla grazie \u00e8 si giu uma n\u00e3o nao em com
foi s\u00e3o ao aos pela pelo ontem hoje amanh\u00e3 ainda voc\u00ea voce est\u00e3o ele ela j\u00e1 tamb\u00e9m muito
obrigado acho \u00e9 het een niet op te zijn voor aan ook maar naar uit nog geen wel wordt werd heeft hebben hij zij
ik jij dit deze sinds gisteren vandaag dank tot als dus mijn onze hun och att det som inte p\u00e5 \u00e4r f\u00f6r
ett jag vi han hon av till fr\u00e5n med har kan ska sedan ig\u00e5r g\u00e5r idag imorgon nu efter utan mycket tack
eller detta ikke og af ogs\u00e5 blev siden til jeg skal noen fra ved var nie jest si\u0119 na w z ze nad przy od dla
czy jak tak ale ju\u017c juz by\u0142 byl by\u0142a tego ta co jutro wczoraj dzi\u015b moja ve bir bu i\u00e7in icin
ile \u00e7ok cok ama gibi daha yok beri olarak de\u011fil degil yang ke dari tidak ini itu untuk dengan sudah belum
akan ada pada saya kami kita telah sejak karena tadi malam juga bisa hai hain gaya gayi ka ki ko kya nahi nahin bhi
aur tha thi maine kar diya raha rahi kal aaj tab mujhe hum aap yeh woh hua \u0219i pe cu sunt \u00een v\u010dera
vcera jsem jsme \u017ee nebo ei oli ett\u00e4 etta mutta nem hogy egy \u00f3ta meg nije bio sam ang ng mga sa ako ni
wa kwa amb els
""")
    - ENGLISH
    - SHARED
)
"""Function words of other languages, of each the most common ones, that are no English words."""
