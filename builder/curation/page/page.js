"use strict";
// The page of one annotator. Texts of others only ever become text nodes, never markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  const place = `hardfrost-annotate:${data.plan}:${data.annotator}`;
  const mostTries = 2;
  const state = restored();
  let began = 0;

  // What is kept of a task: instructions read, training texts done, the round of the qualification, its tries.
  function fresh() {
    const tasks = {};
    for (const task of data.tasks) tasks[task.name] = { read: false, trained: 0, round: {}, tries: 0, passed: false, failed: false };
    return { tasks, answers: {} };
  }

  function restored() {
    const empty = fresh();
    try {
      const kept = JSON.parse(localStorage.getItem(place));
      if (kept && typeof kept.answers === "object" && data.tasks.every(task => kept.tasks[task.name])) return kept;
    } catch { /* what is damaged is begun again */ }
    return empty;
  }

  function keep() {
    let words = "";
    try {
      localStorage.setItem(place, JSON.stringify(state));
    } catch {
      words = "This browser keeps nothing: save your answers as a file before you close the page.";
    }
    document.getElementById("kept").textContent = words;
    const done = Object.keys(state.answers).length;
    const all = data.tasks.reduce((sum, task) => sum + task.work.length, 0);
    document.getElementById("progress-words").textContent = `${done} of ${all} texts answered.`;
  }

  function make(tag, values = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // Characters that cannot be seen were spelled out when the page was made; here they get a look of their own.
  function shown(text) {
    return text.split(/(⟨U\+[0-9A-F]{4,6}⟩)/).filter(Boolean)
      .map(piece => /^⟨U\+[0-9A-F]{4,6}⟩$/.test(piece) ? make("span", { class: "mark" }, piece) : piece);
  }

  function textBlock(task, first, second, kind = "") {
    const parts = [[task.fields[0], first], ...(task.fields.length > 1 ? [[task.fields[1], second ?? ""]] : [])];
    return parts.map(([name, text]) => make("div", {},
      ...(parts.length > 1 ? [make("p", { class: "name" }, ...shown(name))] : []),
      make("p", { class: `text ${kind}`.trim(), dir: "auto" }, ...shown(text))));
  }

  function choice(name, value, key, words, meaning) {
    const input = make("input", { type: "radio", name, value, ...(key ? { "data-key": key } : {}) });
    const body = make("span", {}, ...shown(words), ...(meaning ? [make("span", { class: "meaning" }, ...shown(meaning))] : []));
    return make("label", { class: "choice" }, input, body, ...(key ? [make("kbd", { "aria-hidden": "true" }, key)] : []));
  }

  function question(legend, choices, row = false) {
    return make("fieldset", {}, make("legend", {}, legend), make("div", { class: row ? "choices row" : "choices" }, ...choices));
  }

  function rating(name, legend, low, high) {
    const numbers = [1, 2, 3, 4, 5].map(n => choice(name, String(n), "", String(n), ""));
    const set = question(`${legend} (you may leave it out)`, numbers, true);
    set.append(make("p", { class: "ends" }, make("span", {}, `1 ${low}`), make("span", {}, `5 ${high}`)));
    return set;
  }

  function labelQuestion(task) {
    return question(task.question, task.labels.map((label, n) => choice("label", label.name, n < 9 ? String(n + 1) : "", label.shown, label.meaning)));
  }

  function keepsQuestion() {
    return question("Does the part that decides the label keep its meaning?", [
      choice("keeps", "yes", "y", "Yes", "One can read it, and it says the same where it matters. Odd spelling or wording alone is no reason for no."),
      choice("keeps", "no", "n", "No", "It says something else where it matters, or one cannot read it."),
    ]);
  }

  function go(words) {
    return make("button", { type: "submit", class: "go" }, words);
  }

  // Shows a screen; `done` gets its values once every needed question is answered.
  function screen(heading, needed, parts, done) {
    const title = make("h2", { tabindex: "-1" }, heading);
    const form = make("form", { novalidate: "" }, ...parts);
    const warning = make("p", { class: "note wrong", role: "alert", hidden: "" });
    form.append(warning);
    form.addEventListener("submit", event => {
      event.preventDefault();
      const values = Object.fromEntries(new FormData(form));
      const missing = needed.filter(name => !(name in values));
      warning.hidden = missing.length === 0;
      warning.textContent = missing.length ? "Please choose an answer first." : "";
      if (!missing.length) done(values);
    });
    main.replaceChildren(title, form);
    title.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }

  function instructions(task) {
    const labels = task.labels.flatMap(label => [make("dt", {}, ...shown(label.shown)), make("dd", {}, ...shown(label.meaning))]);
    const examples = task.examples.flatMap(example => [
      ...textBlock(task, example.text, example.text_pair),
      make("p", {}, make("strong", {}, ...shown(example.label)), ": ", ...shown(example.why)),
    ]);
    return [
      make("p", {}, "You see one text at a time and answer what label fits it. Texts may be misspelt, reworded or cluttered on purpose: read them as you would read a careless message, and choose what its writer means."),
      make("p", {}, "Then the text it may have been made from appears beside it. You say whether the part that decides the label still says the same. Your label cannot be changed then."),
      make("h3", {}, "Labels"), make("dl", {}, ...labels),
      make("h3", {}, "What to mind"), make("ul", {}, ...task.rules.map(rule => make("li", {}, ...shown(rule)))),
      ...(examples.length ? [make("h3", {}, "Examples"), ...examples] : []),
      make("p", { class: "note" }, "Characters that cannot be seen are written as their code, such as ", make("span", { class: "mark" }, "⟨U+200B⟩"), ". Read past them."),
    ];
  }

  function again(task) {
    return make("details", {}, make("summary", {}, "Instructions"), ...instructions(task));
  }

  function readScreen(task) {
    screen(`Task ${data.tasks.indexOf(task) + 1} of ${data.tasks.length}: ${task.shown}`, [], [...instructions(task), go("Begin")], () => {
      state.tasks[task.name].read = true;
      next();
    });
  }

  // Asks both questions about a text: first the label alone, then with the original in sight.
  function ask(task, item, heading, answered) {
    began = performance.now();
    screen(heading, ["label"], [...textBlock(task, item.text, item.text_pair), labelQuestion(task), go("Next"), again(task)], ({ label }) => {
      if (item.original === null) return answered({ label, keeps: null, similarity: null, fluency: null });
      const chosen = task.labels.find(each => each.name === label);
      screen(heading, ["keeps"], [
        make("p", { class: "name" }, "The text"), ...textBlock(task, item.text, item.text_pair),
        make("p", { class: "name" }, "What it may have been made from"), ...textBlock(task, item.original, item.original_pair, "original"),
        make("p", {}, "You chose ", make("strong", {}, ...shown(chosen.shown)), "."),
        keepsQuestion(),
        rating("similarity", "How similar are the two in meaning?", "not at all", "the same"),
        rating("fluency", "How natural does the text read?", "broken", "natural"),
        go("Next"), again(task),
      ], values => answered({
        label,
        keeps: values.keeps === "yes",
        similarity: values.similarity ? Number(values.similarity) : null,
        fluency: values.fluency ? Number(values.fluency) : null,
      }));
    });
  }

  function isRight(item, answer) {
    return answer.label === item.label && (item.original === null || answer.keeps === item.keeps);
  }

  function trainingScreen(task, own) {
    const item = task.training[own.trained];
    ask(task, item, `Training, text ${own.trained + 1} of ${task.training.length}`, answer => {
      const label = task.labels.find(each => each.name === item.label);
      const right = isRight(item, answer);
      screen(right ? "Right" : "Not right", [], [
        ...textBlock(task, item.text, item.text_pair),
        make("p", { class: `note ${right ? "right" : "wrong"}` }, "The label is ", make("strong", {}, ...shown(label.shown)),
          item.keeps ? ". The text was not changed, so it keeps its meaning." : ". The two texts are different ones, so the meaning is not kept."),
        go("Next"),
      ], () => {
        own.trained += 1;
        next();
      });
    });
  }

  function qualificationScreen(task, own, item) {
    const n = Object.keys(own.round).length + 1;
    ask(task, item, `Qualification, text ${n} of ${task.qualification.length}`, answer => {
      own.round[item.key] = { ...answer, seconds: seconds() };
      next();
    });
  }

  function resultScreen(task, own) {
    const right = task.qualification.filter(item => isRight(item, own.round[item.key])).length;
    const share = right / task.qualification.length;
    const isPassed = share >= data.min_qualification;
    const isLast = own.tries + 1 >= mostTries;
    const words = isPassed ? "You have understood the task. Now the work begins; the answers are not shown any more."
      : isLast ? "That is not enough for this task. Thank you for trying; you may go on with what is left."
        : "That is not enough yet. Please read the instructions, train once more and try again.";
    screen("Your qualification", [], [
      make("p", { class: `note ${isPassed ? "right" : "wrong"}` }, `${right} of ${task.qualification.length} right (${Math.round(100 * share)} %); ${Math.round(100 * data.min_qualification)} % are needed.`),
      make("p", {}, words), go(isPassed || isLast ? "Go on" : "Train again"),
    ], () => {
      own.tries += 1;
      if (isPassed) own.passed = true;
      else if (isLast) own.failed = true;
      else Object.assign(own, { read: false, trained: 0, round: {} });
      next();
    });
  }

  function seconds() {
    return Math.round((performance.now() - began) / 100) / 10;
  }

  function workScreen(task, item) {
    const n = task.work.filter(each => each.key in state.answers).length + 1;
    ask(task, item, `Text ${n} of ${task.work.length}`, answer => {
      state.answers[item.key] = { ...answer, seconds: seconds() };
      next();
    });
  }

  function doneScreen() {
    screen("All done. Thank you!", [], [make("p", {}, "Save your answers as a file, and send the file back to whoever gave you this page."), go("Save answers as a file")], save);
  }

  function next() {
    keep();
    for (const task of data.tasks) {
      const own = state.tasks[task.name];
      if (!own.read) return readScreen(task);
      if (own.trained < task.training.length) return trainingScreen(task, own);
      if (task.qualification.length && !own.passed && !own.failed) {
        const open = task.qualification.find(item => !(item.key in own.round));
        return open ? qualificationScreen(task, own, open) : resultScreen(task, own);
      }
      const item = own.failed ? undefined : task.work.find(each => !(each.key in state.answers));
      if (item) return workScreen(task, item);
    }
    return doneScreen();
  }

  function exported() {
    const rounds = data.tasks.map(task => state.tasks[task.name].round);
    const answers = Object.assign({}, ...rounds, state.answers);
    return {
      schema: "hardfrost/answers/1",
      plan: data.plan,
      annotator: data.annotator,
      kind: "person",
      tries: Object.fromEntries(data.tasks.map(task => [task.name, state.tasks[task.name].tries])),
      answers: Object.entries(answers).map(([key, answer]) => ({ key, ...answer })),
    };
  }

  function save() {
    const blob = new Blob([`${JSON.stringify(exported(), null, 1)}\n`], { type: "application/json" });
    const link = make("a", { href: URL.createObjectURL(blob), download: `${data.annotator}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  document.getElementById("save").addEventListener("click", save);
  document.addEventListener("keydown", event => {
    const isOn = document.getElementById("keys").checked;
    if (!isOn || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const form = main.querySelector("form");
    if (!form) return;
    if (event.key === "Enter" && !event.target.closest("button, summary, input, a")) {
      event.preventDefault();
      form.requestSubmit();
      return;
    }
    // In a row of ratings, digits are the reader's own.
    const input = [...form.querySelectorAll("input[data-key]")].find(each => each.dataset.key === event.key.toLowerCase());
    if (input) {
      event.preventDefault();
      input.checked = true;
      input.focus();
    }
  });
  next();
})();
