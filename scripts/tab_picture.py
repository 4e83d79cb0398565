"""Takes the picture of the Streaming tab for the docs: a browser, while a job of two minutes runs.

python scripts/tab_picture.py docs/images/streaming-tab.png
"""

from __future__ import annotations

import argparse
import random
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import sync_playwright
from pyspark import SparkConf, SparkContext

from dstream_compat import StreamingContext

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.migrator.browser import find_browser

SECONDS = 120
WORDS = ["the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog"]


def send(server: socket.socket) -> None:
    """Send lines to whoever connects, more in some seconds than in others."""
    peer, _ = server.accept()
    while True:
        for _ in range(random.randint(20, 200)):
            peer.sendall(f"{' '.join(random.choices(WORDS, k=8))}\n".encode())
        time.sleep(0.5)


def total(values: list[int], known: int | None) -> int:
    return sum(values) + (known or 0)


def main(path: str) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=send, args=(server,), daemon=True).start()
    conf = SparkConf().setMaster("local[2]").setAppName("word totals").set("spark.ui.port", "0")
    sc = SparkContext(conf=conf.set("spark.driver.bindAddress", "127.0.0.1"))
    with tempfile.TemporaryDirectory() as folder:
        ssc = StreamingContext(sc, 2)
        ssc.checkpoint(folder)
        words = ssc.socketTextStream(*server.getsockname()).flatMap(str.split)
        words.map(lambda word: (word, 1)).updateStateByKey(total).pprint(3)
        words.countByWindow(10, 2).pprint()
        ssc.start()
        time.sleep(SECONDS)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(playwright), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1100, "height": 1000})
            page.goto(f"http://127.0.0.1:{str(sc.uiWebUrl).rpartition(':')[2]}/streaming/")
            page.wait_for_selector("#running-batches, #completed-batches, svg")
            page.screenshot(path=path)
            browser.close()
        ssc.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("picture", help="the file to write")
    main(parser.parse_args().picture)
