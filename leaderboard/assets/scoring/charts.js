// Draws the curves of one task, dimension and setting, as the pages of models have them.
"use strict";
(function (own) {
  const MARKERS = { average: "url(#dot)", worst: "url(#square)" };

  function draw(name, attributes, content) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    if (content !== undefined) element.append(content);
    return element;
  }

  // `frame` holds the measures of all charts: width, height, left, right, top, bottom.
  function curves(score, clean, frame, title, minSamples) {
    // A cell that is not scored has no curve; a curve ends where fewer than a tenth of the samples have a case.
    const all = score.average === null ? [] : Object.entries(score.degrees).filter(([key]) => key !== "any").map(([key, figures]) => ({ degree: Number(key), figures }));
    const highest = Math.max(...all.filter(({ figures }) => figures.share_with_case >= 0.1).map(({ degree }) => degree));
    const points = all.filter(({ degree }) => degree <= highest);
    if (!points.length) return null;
    const furthest = Math.max(...points.map((point) => point.degree)) || 1;
    const x = (degree) => (frame.left + degree / furthest * (frame.width - frame.left - frame.right)).toFixed(1);
    const y = (value) => (frame.top + (1 - value) * (frame.height - frame.top - frame.bottom)).toFixed(1);
    const svg = draw("svg", {
      "class": "chart", viewBox: "0 0 " + frame.width + " " + frame.height, role: "img",
      "aria-label": "Score by degree: " + title + ". The table above holds the same figures."
    });
    svg.append(draw("use", { href: "#frame" }));
    points.forEach(({ degree }) => svg.append(draw("text", { "class": "mid", x: x(degree), y: frame.height - 8 }, String(degree).replace(/^0(?=.)/, ""))));
    if (clean !== null) svg.append(draw("line", { "class": "clean", x1: frame.left, x2: frame.width - frame.right, y1: y(clean.score), y2: y(clean.score) }));
    ["worst", "average"].forEach((name) => {
      const line = points.map(({ degree, figures }) => x(degree) + "," + y(figures[name])).join(" ");
      const marker = MARKERS[name];
      svg.append(draw("polyline", { "class": name, points: line, "marker-start": marker, "marker-mid": marker, "marker-end": marker }));
      points.filter(({ figures }) => figures.n_samples < minSamples).forEach(({ degree, figures }) => svg.append(draw("circle", { "class": "faded", cx: x(degree), cy: y(figures[name]), r: 5 })));
    });
    return svg;
  }

  Object.assign(own, { curves });
})(hardfrost.scoring ??= {});
