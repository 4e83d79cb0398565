def each_word(lines):
    for number in range(int(input())):
        lines = lines.map(lambda line: line + "!")
    while not lines:
        return lines
    return lines.flatMap(lambda line: line.split(" "))
