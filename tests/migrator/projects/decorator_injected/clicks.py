from platform_lib import streaming_job


@streaming_job("clicks")
def clicks(stream):
    lines = stream.socketTextStream("localhost", 9999)
    stream.checkpoint("checkpoint")  # expect: D401
    lines.map(len).pprint()
    lines.map()  # expect: D305 D502


@streaming_job("errors", seconds=1)
def errors(ctx, level="ERROR"):
    found = ctx.textFileStream("/logs").filter(lambda line: level in line)
    if found.count():  # expect: D303
        found.pprint()


if __name__ == "__main__":
    clicks()
