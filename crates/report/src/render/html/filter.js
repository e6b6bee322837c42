"use strict";
// The filters over this page's lists, and nothing else: without scripts every list is whole. What is chosen is
// kept in the fragment of the address, so that a view can be linked.
(() => {
  const count = (number) => number.toLocaleString("en-US");

  class Filter {
    constructor(form) {
      this.form = form;
      this.list = form.dataset.list;
      this.controls = [...form.querySelectorAll("select, input")];
      this.status = form.querySelector("[role=status]");
      this.items = [...document.querySelectorAll(`#${this.list} .item`)];
      this.groups = [...document.querySelectorAll(`#${this.list} .group`)].map((group) => ({
        group,
        items: [...group.querySelectorAll(".item")],
        shown: group.querySelector(".shown"),
      }));
      this.texts = new Map();
      form.hidden = false;
      form.addEventListener("input", () => { this.apply(); keep(); });
      form.addEventListener("submit", (event) => event.preventDefault());
      form.addEventListener("reset", () => setTimeout(() => { this.apply(); keep(); }));
    }

    text(item) {
      let text = this.texts.get(item);
      if (text === undefined) {
        text = item.textContent.toLowerCase();
        this.texts.set(item, text);
      }
      return text;
    }

    matches(item, control) {
      if (control.type === "search") {
        return control.value.toLowerCase().split(/\s+/).every((word) => this.text(item).includes(word));
      }
      return (item.dataset[control.name] ?? "").split("\n").includes(control.value);
    }

    apply() {
      const wanted = this.controls.filter((control) => control.value.trim());
      const left = new Set(this.items.filter((item) => wanted.every((control) => this.matches(item, control))));
      for (const item of this.items) item.hidden = !left.has(item);
      for (const { group, items, shown } of this.groups) {
        const here = items.filter((item) => left.has(item)).length;
        group.hidden = here === 0;
        shown.textContent = here < items.length ? `${count(here)} of ` : "";
      }
      const all = `${count(this.items.length)} ${this.form.dataset.noun}`;
      this.status.textContent = wanted.length ? `${count(left.size)} of ${all} match` : all;
    }

    get isSet() {
      return this.controls.some((control) => control.value.trim());
    }
  }

  const filters = [...document.querySelectorAll("form.filter")].map((form) => new Filter(form));

  let later;
  // Browsers allow only so many changes of the address in a time.
  function keep() {
    clearTimeout(later);
    later = setTimeout(() => {
      const chosen = new URLSearchParams();
      for (const { list, controls } of filters) {
        for (const { name, value } of controls) if (value.trim()) chosen.set(`${list}.${name}`, value);
      }
      const fragment = chosen.size ? `#?${chosen}` : location.pathname + location.search;
      try { history.replaceState(null, "", fragment); } catch { /* the filter works without it */ }
    }, 250);
  }

  function restore() {
    if (location.hash.startsWith("#?")) {
      const chosen = new URLSearchParams(location.hash.slice(2));
      for (const filter of filters) {
        for (const control of filter.controls) {
          control.value = chosen.get(`${filter.list}.${control.name}`) ?? "";
          if (control.selectedIndex === -1) control.selectedIndex = 0;
        }
        filter.apply();
      }
      filters.find((filter) => filter.isSet)?.form.closest("section").scrollIntoView();
      return;
    }
    // A link to an entry that is filtered out shows it.
    const target = document.getElementById(location.hash.slice(1));
    const hidden = target?.closest(".item[hidden]");
    const filter = hidden && filters.find((filter) => filter.items.includes(hidden));
    if (filter) {
      filter.form.reset();
      filter.apply();
      target.scrollIntoView();
    }
  }

  // Links to a list become links to a part of it.
  for (const link of document.querySelectorAll("a[data-list]")) {
    const { list, ...chosen } = link.dataset;
    const parts = Object.entries(chosen).map(([name, value]) => [`${list}.${name}`, value]);
    if (filters.some((filter) => filter.list === list)) link.href = `#?${new URLSearchParams(parts)}`;
  }
  addEventListener("hashchange", restore);
  restore();
})();
