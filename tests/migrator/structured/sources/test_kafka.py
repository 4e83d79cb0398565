"""`KafkaUtils` as Spark's Kafka source: settings, topics, offsets and decoders."""

from __future__ import annotations

import pytest

from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.structured.kafka_jobs import JOB, SERVERS, made, options


def direct(arguments: str, top: str = "", tail: str = ".map(lambda kv: kv[1]).pprint()") -> str:
    return made(f"KafkaUtils.createDirectStream(ssc, {arguments}){tail}", top).text


@pytest.mark.parametrize(
    ("settings", "top"),
    [
        (f"{{{SERVERS}, 'auto.commit.interval.ms': '5'}}", ""),
        ("dict(PARAMS)", f"PARAMS = {{{SERVERS}}}"),
        ("{**PARAMS, 'enable.auto.commit': 'false'}", f"PARAMS = {{{SERVERS}}}"),
        ("PARAMS", f"PARAMS = dict({{{SERVERS}}})"),
        ("PARAMS", "PARAMS = {'metadata.broker.list': 'b:9092', 'zookeeper.connect': 'z'}"),
        (f"{{{SERVERS}, 'key.deserializer': 'x', 'value.deserializer': 'y'}}", ""),
    ],
)
def test_settings_that_spark_has_itself_are_no_options(settings: str, top: str) -> None:
    found = options(direct(f'["t"], {settings}', top))
    assert {*found} == {"kafka.bootstrap.servers", "subscribe"}
    assert found["kafka.bootstrap.servers"].strip("\"'") == "b:9092"


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("session.timeout.ms", "kafka.session.timeout.ms"),
        ("group.id", "kafka.group.id"),
        ("security.protocol", "kafka.security.protocol"),
        ("fetch.message.max.bytes", "kafka.max.partition.fetch.bytes"),
    ],
)
def test_settings_of_the_consumer_stay(name: str, option: str) -> None:
    assert options(direct(f'["t"], {{{SERVERS}, "{name}": X}}', "X = sys.argv[1]"))[option] == "X"


@pytest.mark.parametrize(
    ("value", "option"),
    [("['a:1', 'b:2']", '"a:1,b:2"'), ("('a:1',)", '"a:1"'), ("X", "X"), ("5", '"5"')],
)
def test_values_that_mean_a_text_become_one(value: str, option: str) -> None:
    settings = f"{{'bootstrap.servers': {value}, 'fetch.min.bytes': {value}}}"
    found = options(direct(f'["t"], {settings}', "X = sys.argv[1]"))
    assert found["kafka.bootstrap.servers"] == found["kafka.fetch.min.bytes"] == option


@pytest.mark.parametrize("value", ["None", "[host + ':1']", "b'a:1'", "[h for h in X]", "{1}"])
def test_other_values_are_refused(value: str) -> None:
    params = f"{{'bootstrap.servers': {value}}}"
    body = f"KafkaUtils.createDirectStream(ssc, ['t'], {params}).pprint()"
    found = rewrite(JOB.format(body=body, top="host = X = sys.argv[1]"))
    assert not isinstance(found, Rewritten)
    assert "the value of `bootstrap.servers` is no text" in str(found)


NO_TEXTS = [
    "bs = ['a:1', 'b:2']",
    "bs = ['a:1']\nbs.append('b:2')",
    "bs = ('a:1',) if X else 'b:1'",
    "bs = X.split(',')",
    "bs = sorted(X)",
    "bs = sys.argv[1:]",
    "every = ['a:1', 'b:2']\nbs = every",
    "bs = 'a:1'\nif X:\n    bs = ['a:1', 'b:2']",
    "bs = None",
    "bs = X or []",
]


@pytest.mark.parametrize("top", NO_TEXTS)
@pytest.mark.parametrize("name", ["metadata.broker.list", "fetch.min.bytes"])
def test_names_of_what_is_no_text_are_refused(top: str, name: str) -> None:
    params = f"{{'bootstrap.servers': 'b:1', '{name}': bs}}"
    if name == "metadata.broker.list":
        params = f"{{'{name}': bs}}"
    body = f"KafkaUtils.createDirectStream(ssc, ['t'], {params}).pprint()"
    found = rewrite(JOB.format(body=body, top=f"X = sys.argv[1]\n{top}"))
    assert not isinstance(found, Rewritten)
    assert f"the value of `{name}` is no text" in str(found)


@pytest.mark.parametrize(
    ("top", "option"),
    [
        ("bs = 'a:1,b:2'", "bs"),
        ("bs = sys.argv[1]", "bs"),
        ("bs = ','.join(sys.argv[1:])", "bs"),
        ("bs = sys.argv[1].split(',')[0]", "bs"),
        ("bs = 'a:1'[:3]", "bs"),
        ("bs = 'a:1' if X else X + ':1'", "bs"),
        ("bs = 5", '"5"'),
    ],
)
def test_names_of_texts_stay(top: str, option: str) -> None:
    params = f"{{{SERVERS}, 'fetch.min.bytes': bs}}"
    found = options(direct(f'["t"], {params}', f"X = sys.argv[1]\n{top}"))
    assert found["kafka.fetch.min.bytes"] == option


@pytest.mark.parametrize(
    ("topics", "subscribe"),
    [
        ('["t"]', '"t"'),
        ('["t", "u"]', '"t,u"'),
        ("[sys.argv[1]]", "sys.argv[1]"),
        ('sys.argv[1].split(",")', "sys.argv[1]"),
        ("TOPICS", '",".join(TOPICS)'),
    ],
)
def test_topics(topics: str, subscribe: str) -> None:
    found = options(direct(f"{topics}, {{{SERVERS}}}", "TOPICS = sys.argv[1:]"))
    assert found["subscribe"] == subscribe


@pytest.mark.parametrize(
    ("reset", "start"),
    [("smallest", '"earliest"'), ("earliest", '"earliest"'), ("largest", None), ("latest", None)],
)
def test_where_reading_starts(reset: str, start: str | None) -> None:
    found = options(direct(f'["t"], {{{SERVERS}, "auto.offset.reset": "{reset}"}}'))
    assert found.get("startingOffsets") == start


def test_offsets_are_assigned_partitions() -> None:
    given = '{TopicAndPartition("t", 0): 5, TopicAndPartition("t", 1): 7}'
    found = options(direct(f'["t"], {{{SERVERS}}}, {given}'))
    assert found["assign"] == """'{"t": [0, 1]}'"""
    assert found["startingOffsets"] == """'{"t": {"0": 5, "1": 7}}'"""
    assert "subscribe" not in found


def test_a_dict_that_only_the_stream_uses_is_gone() -> None:
    body = f"""params = {{{SERVERS}}}
KafkaUtils.createDirectStream(ssc, ["t"], kafkaParams=params).map(lambda kv: kv[1]).pprint()"""
    assert "params" not in made(body).text


def test_a_dict_that_is_used_elsewhere_stays() -> None:
    body = f"""params = {{{SERVERS}}}
print(params)
KafkaUtils.createDirectStream(ssc, ["t"], params).map(lambda kv: kv[1]).pprint()"""
    assert f"params = {{{SERVERS}}}" in made(body).text


@pytest.mark.parametrize(
    ("top", "value", "then"),
    [
        ("", "input()", "topic = input()"),
        ("names = sys.argv[1:]", "names.pop()", "names.pop()"),
        ("names = sys.argv[1:]", "names[0]", "names.pop(0)"),
        ("names = sys.argv[1:]", "names[0]", "names[0] = 'c:1'"),
        ("host = 'a:1'", "host", "host = 'b:1'"),
        ("", "sys.argv[1]", "sys.argv[1] = 'b:1'"),
    ],
)
def test_a_value_that_may_change_after_the_dict_is_asked_of_it(
    top: str, value: str, then: str
) -> None:
    body = f"""params = {{'bootstrap.servers': {value}, 'group.id': 'g'}}
{then}
KafkaUtils.createDirectStream(ssc, ["t"], params).map(lambda kv: kv[1]).pprint()"""
    text = made(body, top).text
    found = options(text)
    assert found["kafka.bootstrap.servers"] == 'params["bootstrap.servers"]'
    assert found["kafka.group.id"].strip("\"'") == "g"
    assert text.index(f"params = {{'bootstrap.servers': {value}") < text.rindex(then)


def test_a_value_of_two_streams_is_evaluated_once() -> None:
    body = """params = {"bootstrap.servers": open("brokers").read()}
for_all = dict(params, **{"group.id": "g"})
KafkaUtils.createDirectStream(ssc, ["a"], params).map(lambda kv: kv[1]).pprint()
KafkaUtils.createDirectStream(ssc, ["b"], for_all).map(lambda kv: kv[1]).pprint()"""
    text = made(body).text
    assert text.count("open(") == 1
    assert '"kafka.bootstrap.servers", params["bootstrap.servers"]' in text
    assert '"kafka.bootstrap.servers", for_all["bootstrap.servers"]' in text


@pytest.mark.parametrize("value", ["sys.argv[1]", "X + ':1'", "'%s:1' % X"])
def test_a_value_that_stays_the_same_moves_to_the_source(value: str) -> None:
    body = f"""params = {{"bootstrap.servers": {value}}}
KafkaUtils.createDirectStream(ssc, ["t"], params).map(lambda kv: kv[1]).pprint()"""
    text = made(body, "X = sys.argv[1]").text
    assert "params" not in text
    assert options(text)["kafka.bootstrap.servers"] == value


def test_a_dict_that_a_function_changes_is_refused() -> None:
    body = f"""params = {{{SERVERS}}}
secure(params)
KafkaUtils.createDirectStream(ssc, ["t"], params).map(lambda kv: kv[1]).pprint()"""
    top = 'def secure(conf):\n    conf["security.protocol"] = "SSL"\n'
    found = rewrite(JOB.format(body=body, top=top))
    assert not isinstance(found, Rewritten)
    assert found is not None
    assert "`params` is used in another way" in found.text
    read = top.replace('conf["security.protocol"] = "SSL"', "print(conf)")
    assert isinstance(rewrite(JOB.format(body=body, top=read)), Rewritten)


def test_a_key_that_is_not_used_is_not_read() -> None:
    text = direct(f'["t"], {{{SERVERS}}}')
    assert '.select(F.decode(F.col("value"), "UTF-8").alias("value"))' in text
    assert 'F.col("key")' not in text


def test_a_key_that_is_used_is_decoded() -> None:
    text = direct(f'["t"], {{{SERVERS}}}', tail=".pprint()")
    assert 'F.decode(F.col("key"), "UTF-8").alias("key")' in text


def test_a_key_that_only_an_output_uses_is_decoded() -> None:
    body = f"""messages = KafkaUtils.createDirectStream(ssc, ["t"], {{{SERVERS}}})
messages.map(lambda kv: kv[1]).pprint()
messages.pprint()"""
    assert 'F.decode(F.col("key"), "UTF-8").alias("key")' in made(body).text


def test_a_decoder_that_gives_the_bytes() -> None:
    text = direct(f'["t"], {{{SERVERS}}}, valueDecoder=lambda data: data')
    assert "decode" not in text


def test_none_raises_where_it_is_split() -> None:
    text = direct(f'["t"], {{{SERVERS}}}', tail=".flatMap(lambda kv: kv[1].split(' ')).pprint()")
    assert "F.raise_error(" in text


def test_the_group_of_a_receiver_stays() -> None:
    body = 'KafkaUtils.createStream(ssc, "z", sys.argv[1], {"t": 1}).map(lambda kv: kv[1]).pprint()'
    assert options(made(body, brokers="b:9092").text)["kafka.group.id"] == "sys.argv[1]"


def test_settings_that_say_nothing_are_named() -> None:
    given = "'enable.auto.commit': 'true', 'zookeeper.connect': 'z', 'group.id': 'g'"
    body = f'KafkaUtils.createDirectStream(ssc, ["t"], {{{SERVERS}, {given}}}).pprint()'
    (found,) = [each for each in made(body).differences if "kafkaParams" in each]
    assert "`enable.auto.commit`, `zookeeper.connect` of kafkaParams" in found
