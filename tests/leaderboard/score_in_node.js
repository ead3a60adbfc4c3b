// Runs the page's scoring without a page: a request on stdin, what the page would know on stdout.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const request = JSON.parse(fs.readFileSync(0, "utf8"));
globalThis.hardfrost = {};
globalThis.hardfrostData = (name, value) => { globalThis.packed = value; };
[...request.scripts, request.key].forEach((script) => vm.runInThisContext(fs.readFileSync(script, "utf8"), script));

const scoring = globalThis.hardfrost.scoring;
const key = scoring.unpackKey(globalThis.packed);

async function answerOf(file) {
  const name = path.basename(file);
  const bytes = await scoring.bytesOf(name, new Blob([fs.readFileSync(file)])).catch((error) => error);
  if (bytes instanceof scoring.Refusal) return { problems: [name + ": " + bytes.message], n_rows: 0, scores: null };
  const predictions = scoring.readPredictions(name, bytes, key);
  const problems = predictions.problems.list().map((problem) => problem.where + ": " + problem.message);
  const scores = problems.length ? null : scoring.score(key, predictions);
  const place = scores?.overall ? scoring.placeOf(scores.overall[key.rankedBy].ewma, key.standings) : null;
  return { problems, n_rows: predictions.nRows, scores, place, has_skill: scores && scoring.hasSkill(scores) };
}

Promise.all(request.files.map(answerOf)).then((answers) => process.stdout.write(JSON.stringify({ ids: key.ids, answers, not_computed: scoring.notComputed(request.metrics) })));
