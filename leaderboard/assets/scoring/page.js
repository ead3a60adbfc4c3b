// The page: takes a file, lists its problems or shows its scores. The file never leaves the browser.
"use strict";
(function (own) {
  const { make } = hardfrost;
  const drop = document.getElementById("drop");
  const picker = document.getElementById("file");
  const status = document.getElementById("status");
  const results = document.getElementById("results");
  const measures = Object.fromEntries(Object.entries(results.dataset).map(([name, value]) => [name, Number(value)]));
  let loading = null;
  let latest = 0;

  // Loaded with the first file; a failure is tried again with the next.
  function loadKey() {
    loading ??= hardfrost.load("answer_key", "data/answer_key.js").then(own.unpackKey).catch((error) => {
      loading = null;
      throw error;
    });
    return loading;
  }

  function say(text) { status.textContent = text; }

  // Reading takes a moment: the page first shows that it has begun.
  function painted() { return new Promise((resolve) => { setTimeout(resolve, 30); }); }

  async function take(files) {
    latest += 1;
    const turn = latest;
    results.replaceChildren();
    if (files.length !== 1) {
      say(files.length ? "Give one file at a time." : "That was no file.");
      return;
    }
    const [file] = files;
    const name = own.visible(file.name);
    say("Reading " + name + " …");
    await painted();
    try {
      const key = await loadKey();
      const bytes = await own.bytesOf(file.name, file);
      if (turn === latest) show(name, own.readPredictions(file.name, bytes, key), key);
    } catch (error) {
      if (turn !== latest) return;
      if (error instanceof own.Refusal) showProblems(name, [{ where: name, message: error.message }], 1);
      else say(name + " cannot be read: " + error.message);
    }
  }

  function show(name, predictions, key) {
    const { problems } = predictions;
    if (problems.size) showProblems(name, problems.list(), problems.size);
    else showScores(name, predictions, key);
  }

  // Puts the findings on the page and leads the reader there.
  function present(title, aside, content) {
    const heading = make("h2", { tabindex: "-1" }, [make("bdi", {}, title), " ", make("span", { "class": "aside" }, aside)]);
    results.replaceChildren(heading, ...content);
    say(title + ": " + aside);
    heading.focus({ preventScroll: true });
    results.scrollIntoView({ block: "start" });
  }

  function showProblems(name, list, count) {
    present(name, own.counted(count) + (count === 1 ? " problem" : " problems") + ", nothing was scored", [
      make("ol", { "class": "card problems" }, list.map((problem) => make("li", {}, [
        make("b", {}, make("bdi", {}, problem.where)), " ", make("bdi", {}, problem.message)
      ])))
    ]);
  }

  function showScores(name, predictions, key) {
    const scores = own.score(key, predictions);
    const parts = [];
    if (scores.overall === null) {
      const why = scores.absent.length ? "Left out: " + scores.absent.join(", ") + ". An entry without them is partial: it has no overall score and no rank." : "No degree has enough samples for an overall score.";
      parts.push(make("p", { "class": "note" }, why), own.tiles(scores, key));
    } else if (!own.hasSkill(scores)) {
      parts.push(make("p", { "class": "note" }, "On clean texts this file is no better than guessing, so its scores say nothing of robustness, and an entry with it is listed without a rank."), own.tiles(scores, key));
    } else {
      parts.push(make("p", { "class": "headline" }, [make("b", {}, "Robustness. "), key.headline]));
      parts.push(make("div", { "class": "two-up" }, [own.tiles(scores, key), make("div", {}, [
        make("div", { "class": "card scroll" }, own.standings(scores.overall, key)),
        make("p", { "class": "aside after" }, ["By points alone. Which neighbours it ties with, a rank such as 2–4, is told by the bootstrap draws in the result that ", make("code", {}, "hardfrost score"), " writes."])
      ])]));
    }
    Object.entries(scores.tasks).forEach(([task, score]) => {
      const clean = score.clean ? "clean score " + hardfrost.percent(score.clean.score) + ", accuracy " + hardfrost.percent(score.clean.accuracy) + " on " + own.counted(score.clean.n_samples) + " samples" : "without clean predictions";
      parts.push(make("section", { "class": "after" }, [
        make("h3", {}, ["Task " + task + " ", make("span", { "class": "aside" }, clean)]),
        make("p", { "class": "aside after" }, "The upper figure is the worst case, the lower the average, at each degree and folded into one by EWMA. A degree in italics is no part of it: too few samples have a case there."),
        document.getElementById("legend").content.cloneNode(true),
        ...Array.from(own.settingsOf(score, key), ([setting, cells]) => make("section", {}, [
          make("h4", {}, "Setting " + setting),
          make("div", { "class": "card scroll fit", tabindex: "0", role: "region", "aria-label": "Scores of task " + task + ", setting " + setting + ", scrolls sideways" }, own.degreeTable(cells, results.dataset)),
          own.panels(score, cells, key, measures)
        ]))
      ]));
    });
    present(name, own.counted(predictions.nRows) + " predictions for " + key.benchmark + ", no problems", parts);
  }

  // From the metrics of the results on this site, so that none is left out in silence.
  function sayNotComputed() {
    const place = document.getElementById("not-computed");
    const missing = own.notComputed(JSON.parse(place.dataset.metrics)).map((metric) => metric.heading);
    if (missing.length) place.append("Not computed on this page, but by ", make("code", {}, "hardfrost score"), ": " + missing.join(", ") + ".");
  }

  sayNotComputed();
  picker.addEventListener("change", () => {
    take(Array.from(picker.files));
    // The same file may be chosen again once it was mended.
    picker.value = "";
  });
  // A file that misses its target must not replace the page.
  ["dragover", "drop"].forEach((name) => window.addEventListener(name, (event) => event.preventDefault()));
  drop.addEventListener("dragover", () => drop.classList.add("over"));
  ["dragleave", "drop"].forEach((name) => drop.addEventListener(name, () => drop.classList.remove("over")));
  drop.addEventListener("drop", (event) => take(Array.from(event.dataTransfer.files)));
})(hardfrost.scoring ??= {});
