import pytest

from tests.formats.placing import applied, problem, steps, string


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        pytest.param("max_retries = 50\n", "max_retries = 5", "max_retries = 7", id="a number"),
        pytest.param("timeout: 300\n", "timeout: 30", "timeout: 30, retries: 3", id="with more behind it"),
        pytest.param("for x in items:\n", "for x in item", "for x in element", id="a word"),
        pytest.param("x = myfoo(1)\n", "foo(1)", "bar(1)", id="at its beginning"),
    ],
)
def test_a_string_that_divides_a_word_and_changes_it_is_refused(text, old, new):
    assert "begins or ends within `" in problem(text, string(old, new))


@pytest.mark.parametrize(
    ("text", "old", "new", "made"),
    [
        ("LIMIT = 1000\n", "LIMIT = 100", "MAX = 100", "MAX = 1000\n"),
        ("user_id = get(1)\n", "id = get(", "id = fetch(", "user_id = fetch(1)\n"),
        ("getUserById(1)\n", "getUser", "fetchUser", "fetchUserById(1)\n"),
        ("def get_user_by_id(x):\n", "def get_user", "def fetch_user", "def fetch_user_by_id(x):\n"),
        ("recieved\n", "recieve", "receive", "received\n"),
        ("v1.2.3\n", "v1.2", "v1.3", "v1.3.3\n"),
        ("他说你好吗\n", "说你好", "说您好", "他说您好吗\n"),
    ],
)
def test_a_string_may_be_a_part_of_a_word_and_divide_one_that_it_keeps(text, old, new, made):
    assert applied(text, string(old, new)) == made


@pytest.mark.parametrize("text", ["A_LONG_ENOUGH_SETTING = 300\n", "OLD_A_LONG_ENOUGH_SETTING = 30\n"])
def test_a_new_string_within_a_word_is_not_there_already(text):
    hunk = string("A_LONG_ENOUGH_SETTING = 90", "A_LONG_ENOUGH_SETTING = 30")
    assert steps(text, hunk) == ["unplaced"]
    assert steps("A_LONG_ENOUGH_SETTING = 30\n", hunk) == ["already"]


def test_a_new_string_next_to_what_it_removes_is_not_there_already():
    hunk = string("from x import one, two, three_of_them", "from x import one, three_of_them")
    assert steps("from x import one, three_of_them, two\n", hunk) == ["unplaced"]
    assert steps("from x import one, three_of_them, four\n", hunk) == ["already"]
