"""Lines of keys in TOML texts."""

import pytest

from placet.config.lines import key_lines, line_of

TEXT = '''\
a = 1 # [not.a.table]
"quoted key" = """
x = 2
[no]
\\""" still
"""
list = [
  "]", # ]
  "y = 3",
]
[t.u]
k = '[['
deep.er = 1
[[items]]
n = 1
[items.sub]
m = 1
[[items]]
n = 2
inline = { p = 1, q = [1, 2] }
last = \'\'\'
z = 1\'\'\'
end = 1
'''


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("a", 1), ("quoted key", 2), ("x", 0), ("list", 7), ("list[1]", 7), ("y", 0), ("t.u", 11), ("t.u.k", 12),
        ("t.u.deep.er", 13), ("items", 14), ("items[0].n", 15), ("items[0].sub.m", 17), ("items[1]", 18),
        ("items[1].n", 19), ("items[1].inline.p", 20), ("items[1].end", 23), ("items[1].missing", 18), ("missing", 0),
        ("not.a.table", 0), ("", 0),
    ],
)  # fmt: skip
def test_a_place_has_the_line_of_its_key_or_of_what_encloses_it(place: str, line: int) -> None:
    """Comments, strings of several lines and lists do not mislead."""
    assert line_of(place, key_lines(TEXT)) == line
