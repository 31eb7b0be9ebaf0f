"""Names of runs, topics and documents that break output formats unless they are escaped."""

ODD_NAMES = [
    # line breaks and separators
    *("\n", "a\nb", "a\r\nb", "a\rb", "a\tb", "\ta", "a\n\npres-eval: warning: b", "a\u2028b"),
    *(",", "a,b", ";", "|", "a|b", "a\\|b", "a  b", " a", "a ", "  a  ", "\u00a0a"),
    # quotes and backslashes
    *('"', 'a"b', '"a"', '""', "'", "`a`", "\\", "a\\nb", "\\x41", "C:\\new\\table", '\\"a'),
    # what terminals, spreadsheets, TeX, Markdown and HTML obey
    *("\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b31m", "\x00", "a\x7f\x08b", "a\u202eb"),
    *("=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "$x_1$", "$\\frac{$", "100%", "{}", "~#^"),
    *(
        "*a*",
        "[a](b)",
        "[a]",
        "_a_",
        "__a",
        "<b>a</b>",
        "<script>alert(1)</script>",
        "&amp;",
        "# a",
    ),
    # what parsers take for something else
    *("1e5", "nan", "None", "true", "run", "--", "\ufeffa", "漢字", "😀", "e\u0301", "a" * 300),
]
