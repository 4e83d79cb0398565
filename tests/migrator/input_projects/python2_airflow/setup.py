from setuptools import setup

setup(
    name="streams",
    python_requires="==2.7.*",  # expect: D906
    install_requires=[
        "pyspark>=2.4,<3",  # expect: D905
        "six",
    ],
)
