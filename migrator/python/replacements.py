"""What takes the place of names that Python has lost.

Every name here is in the table of lost names; a test compares them, and imports what is new.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Replacement:
    """What takes the place of a name.

    Parameters
    ----------
    new : str
        Its dotted path, without a dot for a built-in name; "" if nothing does the same.
    advice : str
        What else to do.
    caveat : str
        What the new name does in another way.
    """

    new: str = ""
    advice: str = ""
    caveat: str = ""

    @property
    def remedy(self) -> str:
        """What a person is told to do."""
        return self.advice or f"use {self.new}"


R = Replacement
_BYTES = "what it reads and sends is bytes"
_TEXT = "it holds str only, and no bytes"

BUILTINS = {
    "StandardError": R("Exception", caveat="Exception also is StopIteration and Warning"),
    "apply": R(advice="call f(*args, **keywords)"),
    "basestring": R("str"),
    "buffer": R(advice="use memoryview, which takes no str"),
    "cmp": R(advice="use (a > b) - (a < b)"),
    "coerce": R(advice="convert the numbers by hand"),
    "execfile": R(advice="use exec(compile(open(path).read(), path, 'exec'))"),
    "file": R(advice="use open, or io.IOBase for isinstance"),
    "intern": R("sys.intern"),
    "long": R("int"),
    "raw_input": R("input"),
    "reduce": R("functools.reduce"),
    "reload": R("importlib.reload"),
    "unichr": R("chr"),
    "unicode": R("str"),
    "xrange": R("range"),
}
# built-in names for which another one does the same
RENAMED_BUILTINS = {
    name: instead.new
    for name, instead in BUILTINS.items()
    if instead.new and "." not in instead.new and not instead.caveat
}
# built-in functions that gave lists
LISTS = frozenset({"filter", "map", "zip"})

MODULES = {
    "BaseHTTPServer": R("http.server", caveat=_BYTES),
    "CGIHTTPServer": R("http.server", caveat=_BYTES),
    "ConfigParser": R("configparser"),
    "Cookie": R("http.cookies"),
    "HTMLParser": R("html.parser"),
    "Queue": R("queue"),
    "SimpleHTTPServer": R("http.server", caveat=_BYTES),
    "SocketServer": R("socketserver", caveat=_BYTES),
    "StringIO": R("io", caveat=_TEXT),
    "UserDict": R("collections"),
    "UserList": R("collections"),
    "UserString": R("collections"),
    "__builtin__": R("builtins"),
    "cPickle": R("pickle"),
    "cStringIO": R("io", caveat=_TEXT),
    "commands": R("subprocess", caveat="getstatusoutput() gives the exit code itself"),
    "cookielib": R("http.cookiejar"),
    "copy_reg": R("copyreg"),
    "email.Encoders": R("email.encoders"),
    "email.Header": R("email.header"),
    "email.MIMEBase": R("email.mime.base"),
    "email.MIMEImage": R("email.mime.image"),
    "email.MIMEMultipart": R("email.mime.multipart"),
    "email.MIMEText": R("email.mime.text"),
    "email.Utils": R("email.utils"),
    "exceptions": R(advice="exceptions are built-in names"),
    "htmlentitydefs": R("html.entities"),
    "httplib": R("http.client", caveat=_BYTES),
    "md5": R(advice="use hashlib.md5, which takes bytes"),
    "robotparser": R("urllib.robotparser"),
    "sets": R(advice="use the built-in set and frozenset"),
    "sha": R(advice="use hashlib.sha1, which takes bytes"),
    "thread": R("_thread"),
    "urllib2": R("urllib.request", caveat=_BYTES),
    "urlparse": R("urllib.parse"),
    "xmlrpclib": R("xmlrpc.client"),
    "asynchat": R(advice="use asyncio"),
    "asyncore": R(advice="use asyncio"),
    "cgi": R(advice="use html.escape, urllib.parse or a web framework"),
    "distutils": R(advice="use setuptools, shutil or packaging"),
    "imp": R(advice="use importlib"),
    "popen2": R(advice="use subprocess"),
    "telnetlib": R(advice="use a package such as telnetlib3"),
}
# names whose new place is not that of their module
MOVED = {
    "urllib2.HTTPError": "urllib.error.HTTPError",
    "urllib2.URLError": "urllib.error.URLError",
    "urllib2.quote": "urllib.parse.quote",
    "urllib2.unquote": "urllib.parse.unquote",
}


def _each(module: str, new: str, names: str, caveat: str = "") -> dict[str, Replacement]:
    return {f"{module}.{name}": R(f"{new}.{name}", caveat=caveat) for name in names.split()}


# functions of `string` that are methods of str
STRING_METHODS = frozenset(
    (
        *("capitalize", "center", "count", "expandtabs", "find", "index", "ljust", "lower"),
        *("lstrip", "replace", "rfind", "rindex", "rjust", "rsplit", "rstrip", "split", "strip"),
        *("swapcase", "upper", "zfill"),
    )
)
STRING_NUMBERS = {"atof": "float", "atoi": "int", "atol": "int"}

_ARGSPEC = "use getfullargspec, which gives seven values, or signature"
_PATHS = "use os.walk"
NAMES = {
    **_each("collections", "collections.abc", "AsyncIterable AsyncIterator Awaitable Callable"),
    **_each("collections", "collections.abc", "Container Coroutine Generator Hashable ItemsView"),
    **_each("collections", "collections.abc", "Iterable Iterator KeysView Mapping MappingView"),
    **_each("collections", "collections.abc", "MutableMapping MutableSequence MutableSet Sequence"),
    **_each("collections", "collections.abc", "Set Sized ValuesView Collection Reversible"),
    **_each("urllib", "urllib.parse", "quote quote_plus unquote unquote_plus urlencode"),
    **_each("urllib", "urllib.request", "urlopen urlretrieve URLopener FancyURLopener", _BYTES),
    **_each("urllib", "urllib.request", "getproxies pathname2url url2pathname urlcleanup"),
    **{f"string.{n}": R(advice=f"call the method {n}() of str") for n in STRING_METHODS},
    **{f"string.{n}": R(number) for n, number in STRING_NUMBERS.items()},
    "string.join": R(advice="call the method join() of str"),
    "string.translate": R(advice="call the method translate() of str"),
    "asyncio.coroutine": R(advice="write async def"),
    "base64.decodestring": R("base64.decodebytes", caveat="it takes bytes"),
    "base64.encodestring": R("base64.encodebytes", caveat="it takes and gives bytes"),
    "configparser.SafeConfigParser": R("configparser.ConfigParser"),
    "contextlib.nested": R(advice="use ExitStack, or several managers in one with"),
    "fractions.gcd": R("math.gcd", caveat="it takes integers only and never gives less than 0"),
    "inspect.formatargspec": R(advice="use str(inspect.signature(f))"),
    "inspect.getargspec": R(advice=_ARGSPEC),
    "itertools.ifilter": R("filter"),
    "itertools.ifilterfalse": R("itertools.filterfalse"),
    "itertools.imap": R("map"),
    "itertools.izip": R("zip"),
    "itertools.izip_longest": R("itertools.zip_longest"),
    "locale.format": R(advice="use locale.format_string"),
    "operator.div": R("operator.truediv", caveat="integers give a float"),
    "operator.isCallable": R("callable"),
    "operator.sequenceIncludes": R("operator.contains"),
    "os.getcwdu": R("os.getcwd"),
    "os.path.walk": R(advice=_PATHS),
    "platform.dist": R(advice="use platform.freedesktop_os_release()"),
    "platform.linux_distribution": R(advice="use platform.freedesktop_os_release()"),
    "string.letters": R("string.ascii_letters"),
    "string.lowercase": R("string.ascii_lowercase"),
    "string.maketrans": R("str.maketrans", caveat="translate() takes nothing to delete any more"),
    "string.uppercase": R("string.ascii_uppercase"),
    "sys.setdefaultencoding": R(advice="drop it: Python 3 has UTF-8"),
    "sys.exc_clear": R(advice="drop it"),
    "sys.exc_type": R(advice="use sys.exc_info()"),
    "sys.exc_value": R(advice="use sys.exc_info()"),
    "sys.exitfunc": R(advice="use atexit.register"),
    "sys.maxint": R("sys.maxsize"),
    "time.clock": R("time.process_time"),
    "types.BooleanType": R("bool"),
    "types.ComplexType": R("complex"),
    "types.DictType": R("dict"),
    "types.DictionaryType": R("dict"),
    "types.FloatType": R("float"),
    "types.IntType": R("int"),
    "types.ListType": R("list"),
    "types.LongType": R("int"),
    "types.ObjectType": R("object"),
    "types.SliceType": R("slice"),
    "types.StringType": R("str"),
    "types.StringTypes": R(advice="use str"),
    "types.TupleType": R("tuple"),
    "types.TypeType": R("type"),
    "types.UnicodeType": R("str"),
    "unittest.makeSuite": R(advice="use defaultTestLoader.loadTestsFromTestCase"),
}

# names for which another one of the same module does the same
RENAMED_IN_MODULES = {
    path: instead.new
    for path, instead in NAMES.items()
    if not instead.caveat and path.rpartition(".")[0] == instead.new.rpartition(".")[0]
}

# methods of dicts that gave lists
VIEWS = ("keys", "values", "items")
# other methods of dicts, "" for `key in d`
DICT_METHODS = {
    **{f"{prefix}{name}": name for prefix in ("iter", "view") for name in VIEWS},
    "has_key": "",
}
# methods that only lists have; DStreams and RDDs have keys() and values() as well
LIST_METHODS = frozenset(
    {"append", "extend", "index", "insert", "pop", "remove", "reverse", "sort"}
)

# methods by class and name
MEMBERS = {
    "array.array.fromstring": R("frombytes"),
    "array.array.tostring": R("tobytes"),
    "threading.Thread.isAlive": R("is_alive"),
    "threading.Timer.isAlive": R("is_alive"),
    "configparser.ConfigParser.readfp": R("read_file"),
    "configparser.RawConfigParser.readfp": R("read_file"),
    "uuid.UUID.get_hex": R(advice="use the attribute hex"),
    "xml.etree.ElementTree.Element.getchildren": R(advice="use list(element)"),
    "xml.etree.ElementTree.Element.getiterator": R("iter"),
    "xml.etree.ElementTree.ElementTree.getiterator": R("iter"),
}
# what gives objects of these classes
MAKERS = {
    "array.array": "array.array",
    "threading.Thread": "threading.Thread",
    "threading.Timer": "threading.Timer",
    "configparser.ConfigParser": "configparser.ConfigParser",
    "configparser.RawConfigParser": "configparser.RawConfigParser",
    "xml.etree.ElementTree.parse": "xml.etree.ElementTree.ElementTree",
    "xml.etree.ElementTree.fromstring": "xml.etree.ElementTree.Element",
    "xml.etree.ElementTree.Element": "xml.etree.ElementTree.Element",
    **{f"uuid.uuid{n}": "uuid.UUID" for n in (1, 3, 4, 5)},
}

# functions that give files, and those that give other iterators; "generator" is an expression
FILES = frozenset({"builtins.open", "io.open", "codecs.open"})
ITERATORS = frozenset(
    (
        *("generator", "csv.reader", "csv.DictReader", "builtins.iter", "builtins.enumerate"),
        *("builtins.reversed", "itertools.chain", "itertools.count", "itertools.cycle"),
        *("itertools.islice", "itertools.repeat", "re.finditer"),
    )
)
# attributes of functions and methods
FUNCTION_ATTRIBUTES = {
    **{f"func_{n}": f"__{n}__" for n in ("closure", "code", "defaults", "dict", "doc", "globals")},
    "func_name": "__name__",
    "im_func": "__func__",
    "im_self": "__self__",
}
# errors that have no message, unless a class of them defines it
ERRORS = frozenset(
    (
        *("ArithmeticError", "AssertionError", "AttributeError", "BaseException", "Exception"),
        *("ImportError", "IndexError", "KeyError", "LookupError", "NameError", "RuntimeError"),
        *("StandardError", "TypeError", "UnicodeDecodeError", "ValueError", "ZeroDivisionError"),
    )
)
# what was a codec of str, and what does the same to bytes
BYTES_CODECS = {
    **dict.fromkeys(("hex", "hex_codec"), "binascii.hexlify and unhexlify"),
    **dict.fromkeys(("base64", "base64_codec"), "base64.b64encode and b64decode"),
    **dict.fromkeys(("zlib", "zip"), "zlib.compress and decompress"),
    "uu": "binascii.b2a_uu and a2b_uu, line by line",
    "bz2": "bz2.compress and decompress",
    **dict.fromkeys(("rot13", "rot_13"), "codecs.encode(text, 'rot13')"),
    **dict.fromkeys(("string_escape", "string-escape"), "the codec unicode_escape, on bytes"),
}

# arguments that functions no longer take: the first version without them
ARGUMENTS = {
    **{f"json.{n}": ("encoding", "3.9") for n in ("load", "loads")},
    **{f"json.{n}": ("encoding", "3.0") for n in ("JSONDecoder", "JSONEncoder", "dump", "dumps")},
    "builtins.sorted": ("cmp", "3.0"),
}


# The names that Python has lost, from a table that `scripts/removed_python_names.py` writes.


class Removed(NamedTuple):
    """What is gone, by dotted path, each with the first version that lacks it.

    Parameters
    ----------
    modules : dict of str to str
        Modules as a whole.
    names : dict of str to str
        Names of modules that are still there; built-in ones are in `builtins`.
    members : dict of str to str
        Methods of classes that are still there.
    moved : dict of str to frozenset of str
        Names that a module had under its old name and lacks under its new one.
    """

    modules: dict[str, str]
    names: dict[str, str]
    members: dict[str, str]
    moved: dict[str, frozenset[str]]


@cache
def removed_table() -> Removed:
    """Return the table, read when it is first needed."""
    table = json.loads(Path(__file__).with_name("removed.json").read_text("utf-8"))
    moved = {old: frozenset(names) for old, names in table["moved"].items()}
    return Removed(table["modules"], table["names"], table["members"], moved)
