"""The keyed update in a real browser: what is in use survives, and what changed is changed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.web.conftest import Pages

PRELUDE = """async (argument) => {
  const build = document.querySelector("meta[name=build]").content;
  const { h, patch } = await import(`/a/${build}/js/view.js`);
  document.body.replaceChildren(document.createElement("main"));
  const main = document.querySelector("main");
  const words = () => [...main.children].map((child) => child.textContent).join(" ");
  const inputs = (keys) => patch(main, keys.map((key) => h("input", { key, id: key })));
  const items = (keys, more = {}) => patch(main, keys.map((key) => h("p", { key, id: key, ...more }, key)));
  BODY
}"""


@pytest.fixture
def page(pages: Pages) -> Page:
    pages.expected.append("Failed to load resource")
    page = pages.open(pages.context(), "/")
    page.wait_for_selector("main")  # from here on the page's own script leaves the body alone
    return page


def run(page: Page, body: str, argument: object = None) -> Any:
    return page.evaluate(PRELUDE.replace("BODY", body), argument)


def test_focus_and_selection_survive_a_reordering(page: Page) -> None:
    found = run(
        page,
        """
        inputs(["a", "b", "c", "d"]);
        const b = document.getElementById("b");
        b.value = "hello";
        b.focus();
        b.setSelectionRange(1, 3);
        let lost = 0;
        b.addEventListener("blur", () => lost++);
        inputs(["d", "c", "b", "a"]);
        inputs(["x", "b", "y", "d"]);
        inputs(["b"]);
        inputs(["a", "c", "b"]);
        return [document.activeElement.id, b.value, b.selectionStart, b.selectionEnd, lost, b.isConnected];
        """,
    )
    assert found == ["b", "hello", 1, 3, 0, True]


def test_scroll_survives_an_update_around_it(page: Page) -> None:
    found = run(
        page,
        """
        const draw = (before, n) => patch(main, [before.map((key) => h("p", { key }, key)),
          h("div", { key: "list", id: "list", vars: { "--h": 1 } },
            Array.from({ length: n }, (_, i) => h("p", { key: i }, "row")))]);
        draw(["a"], 100);
        const list = document.getElementById("list");
        list.style.height = "50px";
        list.style.overflow = "auto";
        list.scrollTop = 300;
        draw(["c", "a", "b"], 120);
        draw([], 90);
        return [list.scrollTop, document.getElementById("list") === list, list.children.length];
        """,
    )
    assert found == [300, True, 90]


def test_every_order_is_reached_from_every_other_with_the_same_nodes(page: Page) -> None:
    found = run(
        page,
        """
        const orders = [[]];
        const all = ["a", "b", "c", "d"];
        const extend = (order) => {
          for (const key of all) if (!order.includes(key)) { orders.push([...order, key]); extend([...order, key]); }
        };
        extend([]);
        let wrong = 0;
        let checked = 0;
        for (const from of orders) for (const to of orders) {
          items(from);
          const kept = new Map(from.map((key) => [key, document.getElementById(key)]));
          items(to);
          checked++;
          if (words() !== to.join(" ")) wrong++;
          for (const key of to) if (kept.has(key) && kept.get(key) !== document.getElementById(key)) wrong++;
        }
        return [wrong, checked];
        """,
    )
    assert found == [0, 65 * 65]


def test_one_move_touches_one_node(page: Page) -> None:
    found = run(
        page,
        """
        const moved = (from, to) => {
          items(from);
          const watch = new MutationObserver(() => {});
          watch.observe(main, { childList: true });
          items(to);
          const records = watch.takeRecords();
          watch.disconnect();
          return records.filter((record) => record.addedNodes.length).length;
        };
        return [moved(["a", "b", "c", "d", "e"], ["e", "a", "b", "c", "d"]), moved(["a", "b", "c"], ["b", "c", "a"]),
          moved(["a", "b", "c"], ["a", "c"]), moved(["a", "c"], ["a", "b", "c"]), moved(["a", "b"], ["a", "b"])];
        """,
    )
    assert found == [1, 1, 0, 1, 0]


def test_attributes_properties_handlers_and_variables_follow(page: Page) -> None:
    found = run(
        page,
        """
        const clicks = [];
        const draw = (props) => patch(main, [h("button", { key: "b", ...props }, "x")]);
        draw({ class: "one", disabled: false, onclick: () => clicks.push(1), vars: { "--x": 1 } });
        const button = main.firstChild;
        button.click();
        draw({ title: "t", disabled: false, onclick: () => clicks.push(2), vars: { "--x": 2 } });
        button.click();
        draw({ disabled: true });
        button.click();
        return [clicks, button.className, button.hasAttribute("title"), button.disabled,
          button.style.getPropertyValue("--x"), main.firstChild === button];
        """,
    )
    assert found == [[1, 2], "", False, True, "2", True]


def test_what_somebody_types_is_not_written_over(page: Page) -> None:
    found = run(
        page,
        """
        const draw = (value) => patch(main, [h("input", { key: "i", value })]);
        draw("Ann");
        const input = main.firstChild;
        draw("Bo");
        const followed = input.value;
        input.value = "typed";
        draw("Cy");
        return [followed, input.value];
        """,
    )
    assert found == ["Bo", "typed"]


def test_foreign_nodes_are_left_alone(page: Page) -> None:
    found = run(
        page,
        """
        items(["a", "b"]);
        const foreign = document.createElement("aside");
        main.append(foreign);
        items(["b", "c"]);
        items([]);
        return [foreign.isConnected, main.children.length];
        """,
    )
    assert found == [True, 1]


def test_drawings_are_drawings_and_text_is_text(page: Page) -> None:
    found = run(
        page,
        """
        const drawing = h("svg", { viewBox: "0 0 9 9" }, h("g", {}, h("path", { d: "M0 0h9" })));
        patch(main, [drawing, "<b>no markup</b>", 7, null, false]);
        const path = main.querySelector("path");
        return [path instanceof SVGPathElement, main.querySelector("b"), main.textContent];
        """,
    )
    assert found == [True, None, "<b>no markup</b>7"]


def test_mounted_is_called_once_and_in_the_document(page: Page) -> None:
    found = run(
        page,
        """
        const seen = [];
        const mounted = (dialog) => { seen.push(dialog.isConnected); dialog.showModal(); };
        const draw = () => patch(main, [h("div", {}, h("dialog", { mounted }))]);
        draw();
        draw();
        return [seen, main.querySelector("dialog").open];
        """,
    )
    assert found == [[True], True]
