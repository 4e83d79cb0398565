"""Expressions as statements: what a lambda of `foreachRDD` gives counts for nothing."""

from __future__ import annotations

import ast

from ..dataframes.frames import INDENT


def statements_of(text: str) -> list[str]:
    """Return an expression whose value is not used as statements.

    A conditional expression becomes an `if`, and so does one with `and` or `or`.

    Parameters
    ----------
    text : str
        the expression, perhaps of several lines

    Returns
    -------
    list of str
        statements, and the heads of those that have others in them, with their indentation
    """
    whole = f"({text})"
    node = ast.parse(whole, mode="eval").body
    match node:
        case ast.IfExp(test=test, body=body, orelse=orelse):
            branches = _branch(whole, body), _branch(whole, orelse)
        case ast.BoolOp(op=ast.And(), values=[test, last]):
            branches = _branch(whole, last), []
        case ast.BoolOp(op=ast.Or(), values=[test, last]):
            branches = [], _branch(whole, last)
        case _:
            return [text]
    then, other = branches
    if not then and not other:
        return [text]
    if not then:
        return [f"if {_negation(whole, test)}:", *other]
    return [f"if {_source(whole, test)}:", *then, *(["else:", *other] if other else [])]


def _branch(whole: str, node: ast.expr) -> list[str]:
    """Return the statements of a branch, with their indentation; none if it does nothing."""
    if isinstance(node, ast.Constant):
        return []
    return [INDENT + statement for statement in statements_of(_source(whole, node))]


def _negation(whole: str, test: ast.expr) -> str:
    """Return a test that holds if another one does not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _source(whole, operand)
        case ast.BoolOp() | ast.IfExp() | ast.Lambda() | ast.NamedExpr():
            return f"not ({_source(whole, test)})"
    return f"not {_source(whole, test)}"


def _source(whole: str, node: ast.expr) -> str:
    source = ast.get_source_segment(whole, node)
    assert source is not None
    return in_brackets(source)


def in_brackets(text: str) -> str:
    """Return an expression with brackets around it, if it has several lines and needs them."""
    try:
        is_one = len(ast.parse(text).body) == 1
    except SyntaxError:
        is_one = False
    return text if is_one else f"({text})"
