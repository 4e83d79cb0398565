def show(rows):
    for row in rows:
        print(row)
