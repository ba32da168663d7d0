"""Which addresses may be called at all."""

import pytest

from placet.transport.addresses import checked_base_url, target_fault


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("https://open.example.com", "https://open.example.com"),
        ("https://OPEN.example.com:8443/v2/", "https://open.example.com:8443/v2"),
        ("http://127.0.0.1:80", "http://127.0.0.1:80"),
        ("http://127.9.9.9", "http://127.9.9.9"),
        ("http://localhost:1/", "http://localhost:1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("https://192.0.2.7", "https://192.0.2.7"),
    ],
)
def test_a_base_url_has_one_spelling(text: str, base: str) -> None:
    """https reaches any host, http only loopback."""
    assert checked_base_url(text) == base


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("http://open.example.com", id="http-elsewhere"),
        pytest.param("http://0.0.0.0", id="http-any"),
        pytest.param("http://[::ffff:127.0.0.1]", id="http-mapped"),
        pytest.param("http://2130706433", id="decimal-address"),
        pytest.param("https://127.1", id="short-address"),
        pytest.param("http://127.0.0.1.example.com", id="http-lookalike"),
        pytest.param("http://localhost.example.com", id="http-localhost-lookalike"),
        pytest.param("https://user:pw@example.com", id="credentials"),
        pytest.param("https://@example.com", id="empty-credentials"),
        pytest.param("https://example.com?x=1", id="query"),
        pytest.param("https://example.com#", id="fragment"),
        pytest.param("https://example.com/a/../b", id="dots"),
        pytest.param("https://example.com\\@evil.example", id="backslash"),
        pytest.param("https://exa mple.com", id="space"),
        pytest.param("https://例え.jp", id="non-ascii"),
        pytest.param("https://example.com:99999", id="port"),
        pytest.param("ftp://example.com", id="scheme"),
        pytest.param("file:///etc/passwd", id="file"),
        pytest.param("https://", id="no-host"),
        pytest.param("//example.com", id="no-scheme"),
        pytest.param("https://[::1%25eth0]", id="zone"),
        pytest.param("", id="empty"),
    ],
)
def test_other_base_urls_are_refused_without_being_repeated(text: str) -> None:
    """A base URL may hold a password by mistake, so the sentence never shows it."""
    with pytest.raises(ValueError, match=r"base URL|http is for loopback") as caught:
        checked_base_url(text)

    assert not text or text not in str(caught.value)


BASE = "https://open.example.com/v2"


@pytest.mark.parametrize(
    "target",
    ["/a/b", "/a%2Fb", "/a..b/...", "/a?x=..&y=/../", "/a/:b/[c]", "/%E5%BE%85", "/a//"],
)
def test_an_encoded_target_below_the_base_may_be_sent(target: str) -> None:
    """What is fully encoded passes as it is."""
    assert target_fault(BASE, BASE + target) is None


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("https://evil.example/v2/a", id="other-host"),
        pytest.param(BASE + ".evil.example/a", id="longer-host"),
        pytest.param("https://open.example.com/v2x/a", id="longer-prefix"),
        pytest.param("https://open.example.com/a", id="above-the-prefix"),
        pytest.param(BASE + "@evil.example/a", id="userinfo"),
        pytest.param(BASE, id="no-target"),
        pytest.param(BASE + "/a/../b", id="dots"),
        pytest.param(BASE + "/a/..", id="dots-last"),
        pytest.param(BASE + "/a/..%2F..%2Fb", id="dots-behind-an-encoded-slash"),
        pytest.param(BASE + "/a/x%5c..%5cb", id="dots-behind-an-encoded-backslash"),
        pytest.param(BASE + "/a/%252e%252e/b", id="dots-encoded-twice"),
        pytest.param(BASE + "/a/x%25252F%25252e%25252e", id="dots-encoded-three-times"),
        pytest.param(BASE + "/a/..;x=1/b", id="dots-with-a-parameter"),
        pytest.param(BASE + "/a/" + "%25" * 5 + "2525252525252525252e", id="encoded-without-end"),
        pytest.param(BASE + "/./b?x", id="dot"),
        pytest.param(BASE + "/%2e%2E/b", id="encoded-dots"),
        pytest.param(BASE + "/.%2e?x", id="half-encoded-dots"),
        pytest.param(BASE + "/a b", id="space"),
        pytest.param(BASE + "/a\r\nHost: evil", id="line-break"),
        pytest.param(BASE + "/a\n", id="line-break-last"),
        pytest.param(BASE + "/待办", id="non-ascii"),
        pytest.param(BASE + "/a#b", id="fragment"),
        pytest.param(BASE + "/a%zz", id="broken-escape"),
        pytest.param(BASE + "/a\\b", id="backslash"),
        pytest.param("HTTPS://open.example.com/v2/a", id="other-spelling"),
    ],
)
def test_nothing_else_may_be_sent(url: str) -> None:
    """An argument can neither leave the tenant's base URL nor climb out of its route."""
    assert target_fault(BASE, url) is not None
