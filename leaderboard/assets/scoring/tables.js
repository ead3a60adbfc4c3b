// Scores as tables: per cent, worst above average. Whatever comes from a file is set as text.
"use strict";
(function (own) {
  const { make, percent, heat } = hardfrost;
  const NEIGHBOURS = 3;

  function tile(name, value, below, kind) {
    const content = [value].concat(below ? make("small", { "class": "ci" }, below) : []);
    return make("div", { "class": "card" + (kind ? " " + kind : "") }, [make("dt", {}, name), make("dd", {}, content)]);
  }

  function pairTile(name, pair) { return pair ? [tile(name, percent(pair.worst.ewma), "average " + percent(pair.average.ewma))] : []; }

  function tiles(scores, key) {
    const overall = scores.overall;
    if (overall === null) {
      const clean = Object.entries(scores.tasks).filter(([, task]) => task.clean !== null);
      return make("dl", { "class": "tiles" }, [tile("Rank", "–", "partial")].concat(clean.map(([name, task]) => tile("Clean, " + name, percent(task.clean.score)))));
    }
    const score = overall[key.rankedBy].ewma;
    const place = own.placeOf(score, key.standings);
    const settings = Object.entries(overall.settings);
    return make("dl", { "class": "tiles" }, [
      own.hasSkill(scores) ? tile("Rank by points", String(place), "of " + (key.standings.length + 1) + " with yours") : tile("Rank", "–", "no skill"),
      tile("Robustness", percent(score), "", "worst"),
      tile("Average", percent(overall.average.ewma), "", "average"),
      tile("Clean", percent(overall.clean), "accuracy " + percent(overall.clean_accuracy)),
      ...settings.flatMap(([name, pair]) => pairTile("Setting " + name, pair))
    ]);
  }

  // The entries around the place that the file would take.
  function standings(overall, key) {
    const score = overall[key.rankedBy].ewma;
    const place = own.placeOf(score, key.standings);
    const rows = key.standings.map((entry) => ({ ...entry, place: own.placeOf(entry.score, key.standings.concat({ score })) }));
    rows.splice(place - 1, 0, { place, isYours: true, score, average: overall.average.ewma });
    const first = Math.max(0, place - 1 - NEIGHBOURS);
    return make("table", { "class": "board plain-board", id: "standings" }, [
      make("caption", { "class": "sr" }, "Your file among the ranked entries, by robustness"),
      make("thead", {}, make("tr", {}, [head("Place", "rank"), head("Model", "name"), head("Robustness", "num"), head("Average", "num")])),
      make("tbody", {}, rows.slice(first, place + NEIGHBOURS).map((row) => make("tr", row.isYours ? { "class": "yours" } : {}, [
        make("td", { "class": "rank" }, String(row.place)),
        make("th", { scope: "row", "class": "name" }, row.isYours ? "Your file" : make("a", { href: "models/" + row.page + ".html" }, make("bdi", {}, row.name))),
        make("td", { "class": "num" }, percent(row.score)), make("td", { "class": "num" }, percent(row.average))
      ])))
    ]);
  }

  function head(text, kind) { return make("th", { scope: "col", "class": kind }, text); }

  function cell(pair, scale, note) {
    if (!pair) return make("td", { "class": "est" }, make("span", { "class": "none" }, "–"));
    const attributes = note ? { "class": "est unused", title: note } : { "class": "est" };
    return make("td", attributes, [
      make("span", { "class": "e w " + heat(pair[0], scale) }, percent(pair[0])),
      make("span", { "class": "e a " + heat(pair[1], scale) }, percent(pair[1]))
    ]);
  }

  function tag(name) { return name ? [make("span", { "class": "tag tag-" + name[0], title: name }, name)] : []; }

  // A dimension's name without the tag that stands beside it, with its page where the site has one.
  function dimensionName(info) {
    const label = info.tag && info.name.endsWith("-" + info.tag) ? info.name.slice(0, -info.tag.length - 1) : info.name;
    return [info.page ? make("a", { href: "dimensions/" + info.page + ".html" }, label) : label, " ", ...tag(info.tag)];
  }

  // The cells of a task by setting: a table or a row of charts never mixes settings.
  function settingsOf(task, key) {
    return own.grouped(key.dimensions.flatMap((info) => Object.entries(task.dimensions[info.name] ?? {}).map(([setting, score]) => (
      { info, setting, score }))), (cell) => cell.setting);
  }

  function degreeTable(cells, scale) {
    const degrees = Array.from(new Set(cells.flatMap(({ score }) => Object.keys(score.degrees)))).sort((one, other) => one - other);
    return make("table", { "class": "board degree-board" }, [
      make("caption", { "class": "sr" }, "Worst above average by degree, then EWMA over the degrees"),
      make("thead", {}, make("tr", {}, [head("Dimension", "name"), ...degrees.map((degree) => head(degree === "any" ? "all" : degree, "num est")), head("EWMA", "num est")])),
      make("tbody", {}, cells.map(({ info, score }) => make("tr", {}, [
        make("th", { scope: "row", "class": "name" }, dimensionName(info)),
        ...degrees.map((degree) => {
          const figures = score.degrees[degree];
          return cell(figures && [figures.worst, figures.average], scale, score.degrees_used.includes(degree) ? "" : "Too few samples have a case: not part of the EWMA");
        }),
        score.worst ? cell([score.worst.ewma, score.average.ewma], scale) : make("td", { "class": "est", title: score.not_scored }, "not scored")
      ])))
    ]);
  }

  function panels(task, cells, key, frame) {
    return make("div", { "class": "panels" }, cells.flatMap(({ info, setting, score }) => {
      const svg = own.curves(score, task.clean, frame, info.name + ", setting " + setting, key.minSamples);
      return svg ? [make("article", { "class": "card panel" }, [make("h3", {}, [...dimensionName(info), " ", make("span", { "class": "aside" }, setting)]), svg])] : [];
    }));
  }

  Object.assign(own, { tiles, standings, settingsOf, degreeTable, panels });
})(hardfrost.scoring ??= {});
