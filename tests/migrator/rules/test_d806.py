"""Methods that PySpark has lost."""

from __future__ import annotations

from tests.support.migrator.fix_cases import FixCases

CODE = "D806"
CHANGED = [
    (
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import SQLContext\n"
            "sc = SparkContext()\n"
            "sql = SQLContext(sc)\n"
            "x = sql.jsonFile('a')\n"
        ),
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import SQLContext\n"
            "sc = SparkContext()\n"
            "sql = SQLContext(sc)\n"
            "x = sql.read.json('a')\n"
        ),
    ),
    (
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import SQLContext\n"
            "sc = SparkContext()\n"
            "sql = SQLContext(sc)\n"
            "x = sql.jsonRDD(r, s).map(f)\n"
        ),
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import SQLContext\n"
            "sc = SparkContext()\n"
            "sql = SQLContext(sc)\n"
            "x = sql.read.json(r, s).rdd.map(f)\n"
        ),
    ),
    (
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import SQLContext\n"
            "sc = SparkContext()\n"
            "sql = SQLContext(sc)\n"
            "x = sql.parquetFile('a', 'b', 'c')\n"
        ),
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import SQLContext\n"
            "sc = SparkContext()\n"
            "sql = SQLContext(sc)\n"
            "x = sql.read.parquet('a', 'b', 'c')\n"
        ),
    ),
    (
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import SQLContext\n"
            "sc = SparkContext()\n"
            "sql = SQLContext(sc)\n"
            "x = sql.load('a', 'json')\n"
        ),
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import SQLContext\n"
            "sc = SparkContext()\n"
            "sql = SQLContext(sc)\n"
            "x = sql.read.load('a', 'json')\n"
        ),
    ),
    (
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import SQLContext\n"
            "sc = SparkContext()\n"
            "sql = SQLContext(sc)\n"
            "x = sql.inferSchema(r), sql.applySchema(r, s)\n"
        ),
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import SQLContext\n"
            "sc = SparkContext()\n"
            "sql = SQLContext(sc)\n"
            "x = sql.createDataFrame(r), sql.createDataFrame(r, s)\n"
        ),
    ),
    (
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import HiveContext\n"
            "sc = SparkContext()\n"
            "sql = HiveContext(sc)\n"
            "x = sql.jsonFile('a')\n"
        ),
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import HiveContext\n"
            "sc = SparkContext()\n"
            "sql = HiveContext(sc)\n"
            "x = sql.read.json('a')\n"
        ),
    ),
    (
        (
            "from pyspark.sql import SparkSession\n"
            "spark = SparkSession.builder.getOrCreate()\n"
            "df = spark.sql('x')\n"
            "x = df.map(lambda r: r.a)  # map\n"
        ),
        (
            "from pyspark.sql import SparkSession\n"
            "spark = SparkSession.builder.getOrCreate()\n"
            "df = spark.sql('x')\n"
            "x = df.rdd.map(lambda r: r.a)  # map\n"
        ),
    ),
    (
        (
            "from pyspark.sql import SparkSession\n"
            "spark = SparkSession.builder.getOrCreate()\n"
            "df = spark.sql('x')\n"
            "x = df.select('a').where('b').flatMap(f).collect()\n"
        ),
        (
            "from pyspark.sql import SparkSession\n"
            "spark = SparkSession.builder.getOrCreate()\n"
            "df = spark.sql('x')\n"
            "x = df.select('a').where('b').rdd.flatMap(f).collect()\n"
        ),
    ),
    (
        (
            "from pyspark.sql import SparkSession\n"
            "spark = SparkSession.builder.getOrCreate()\n"
            "df = spark.sql('x')\n"
            "x = spark.read.format('csv').load('a').mapPartitions(f)\n"
        ),
        (
            "from pyspark.sql import SparkSession\n"
            "spark = SparkSession.builder.getOrCreate()\n"
            "df = spark.sql('x')\n"
            "x = spark.read.format('csv').load('a').rdd.mapPartitions(f)\n"
        ),
    ),
    (
        (
            "from pyspark.sql import SparkSession\n"
            "spark = SparkSession.builder.getOrCreate()\n"
            "df = spark.sql('x')\n"
            "df.saveAsParquetFile('a')\n"
            "df.insertInto('t', True)\n"
        ),
        (
            "from pyspark.sql import SparkSession\n"
            "spark = SparkSession.builder.getOrCreate()\n"
            "df = spark.sql('x')\n"
            "df.write.parquet('a')\n"
            "df.write.insertInto('t', True)\n"
        ),
    ),
    (
        (
            "from pyspark.sql import SparkSession\n"
            "spark = SparkSession.builder.getOrCreate()\n"
            "df = spark.sql('x')\n"
            "df.save('a', 'json', 'append')\n"
            "df.saveAsTable('t')\n"
        ),
        (
            "from pyspark.sql import SparkSession\n"
            "spark = SparkSession.builder.getOrCreate()\n"
            "df = spark.sql('x')\n"
            "df.write.save('a', 'json', 'append')\n"
            "df.write.saveAsTable('t')\n"
        ),
    ),
    (
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import SQLContext\n"
            "sc = SparkContext()\n"
            "sql = SQLContext(sc)\n"
            "def f(c):\n"
            "    return c.jsonFile('a')\n"
            "\n"
            "f(sql)\n"
        ),
        (
            "from pyspark import SparkContext\n"
            "from pyspark.sql import SQLContext\n"
            "sc = SparkContext()\n"
            "sql = SQLContext(sc)\n"
            "def f(c):\n"
            "    return c.read.json('a')\n"
            "\n"
            "f(sql)\n"
        ),
    ),
]
REPORTED: list[str] = [
    (
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "sc = SparkContext()\n"
        "sql = SQLContext(sc)\n"
        "x = sql.load('a', source='json')\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "sc = SparkContext()\n"
        "sql = SQLContext(sc)\n"
        "x = sql.inferSchema(r, 0.5)\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "sc = SparkContext()\n"
        "sql = SQLContext(sc)\n"
        "f = sql.jsonFile\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "sc = SparkContext()\n"
        "sql = SQLContext(sc)\n"
        "sc.clearFiles()\n"
    ),
    (
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "df = spark.sql('x')\n"
        "df.save(path='a')\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "sc = SparkContext()\n"
        "sql = SQLContext(sc)\n"
        "x = sql.load(*a)\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "sc = SparkContext()\n"
        "sql = SQLContext(sc)\n"
        "x = sql.jsonFile('a', s, 0.5)\n"
    ),
]
SILENT: list[str] = [
    (
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "sc = SparkContext()\n"
        "sql = SQLContext(sc)\n"
        "df = sql.sql('x')\n"
        "df.registerTempTable('t')\n"
        "df.unionAll(df)\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "sc = SparkContext()\n"
        "sql = SQLContext(sc)\n"
        "sql.registerDataFrameAsTable(d, 't')\n"
        "sql.tableNames()\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "sc = SparkContext()\n"
        "sql = SQLContext(sc)\n"
        "x = sql.read.json('a')\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "sc = SparkContext()\n"
        "sql = SQLContext(sc)\n"
        "x = sql.createDataFrame(r)\n"
    ),
    (
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "df = spark.sql('x')\n"
        "x = df.rdd.map(f)\n"
    ),
    (
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "df = spark.sql('x')\n"
        "df.write.save('a')\n"
    ),
    (
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "df = spark.sql('x')\n"
        "x = spark.sparkContext.parallelize([1]).map(f)\n"
    ),
    (
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "df = spark.sql('x')\n"
        "x = df.toJSON().map(f)\n"
    ),
    "sqlContext.jsonFile('a')\n",
    "def f(df):\n    return df.map(g)\n",
    "x.jsonFile('a')\n",
    "import pandas as pd\nx = pd.DataFrame().map(f)\n",
    "from mine import SQLContext\nsql = SQLContext(sc)\nsql.jsonFile('a')\n",
    "class SQLContext:\n    pass\n\nSQLContext().load('a')\n",
    (
        "from pyspark import SparkContext\n"
        "rdd = SparkContext().textFile('a')\n"
        "rdd.map(f).flatMap(g).mapPartitions(h)\n"
    ),
    "import json\njson.load(f)\n",
    "model.save('a')\n",
    "x = map(f, y)\n",
    (
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "df = spark.sql('x')\n"
        "df = pick() or df\n"
        "df.map(f)\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "sc = SparkContext()\n"
        "sql = SQLContext(sc)\n"
        "try:\n"
        "    x = sql.jsonFile('a')\n"
        "except AttributeError:\n"
        "    x = sql.read.json('a')\n"
    ),
    "x = 'sqlContext.jsonFile'\n",
    "# df.map(f)\n",
    (
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "df = spark.sql('x')\n"
        "df.map = 1\n"
    ),
    (
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "df = spark.sql('x')\n"
        "x = df.map_\n"
    ),
    "from pyspark.ml import PipelineModel\nPipelineModel.load('a')\n",
    (
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "df = spark.sql('x')\n"
        "x = df.collect()[0].map\n"
    ),
    (
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "df = spark.sql('x')\n"
        "x = df.toPandas().map(f)\n"
    ),
    (
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "df = spark.sql('x')\n"
        "x = [r.map(f) for r in df.collect()]\n"
    ),
]


class TestCases(FixCases):
    """Those above."""
