"""Short words for packages in the cases of tests."""

from __future__ import annotations

from migrator.spark.versions import installed_spark

SHORT = {
    "KAFKA": "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8",
    "FLUME": "org.apache.spark:spark-streaming-flume_2.11:2.4.8",
    "MQTT": "org.apache.bahir:spark-streaming-mqtt_2.11:2.4.0",
    "KINESIS": "org.apache.spark:spark-streaming-kinesis-asl_2.11:2.4.8",
    "JAR": "spark-streaming-kafka-0-8-assembly_2.11-2.4.8.jar",
    "NEW": f"org.apache.spark:spark-sql-kafka-0-10_2.13:{installed_spark()}",
}
"""Old packages, and `NEW`, which takes the place of Kafka's."""


def spelt(text: str) -> str:
    """A text with the packages that its words stand for."""
    for word, meaning in SHORT.items():
        text = text.replace(word, meaning)
    return text
