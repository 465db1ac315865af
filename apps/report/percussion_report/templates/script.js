// Values under the pointer, zoom, and a cursor of time in the charts and in the pictures.
(() => {
const all = (s, e = document) => [...e.querySelectorAll(s)], film = all("#film")[0], hero = all("#hero")[0];
const pictures = film ? JSON.parse(film.textContent) : all("img[data-t]").map(i => [+i.dataset.t, i.src]);
pictures.sort((a, b) => a[0] - b[0]);
const nearest = (list, t, at = x => x) => list.reduce(
  (best, x, i) => Math.abs(at(x) - t) < Math.abs(at(list[best]) - t) ? i : best, 0);
const charts = all("svg[data-v]").map(svg => {
  const lines = all("svg", svg)[0], line = document.createElementNS(svg.namespaceURI, "path");
  line.setAttribute("class", "cursor");
  lines.append(line);
  return {svg, lines, line, hit: all(".hit", svg)[0], values: JSON.parse(svg.dataset.v),
    range: svg.dataset.x.split(" ").map(Number), words: all("output", svg.parentNode)};
});
let view = null, slider, label;
const seen = chart => view || chart.range;
const number = x => String(+x.toPrecision(4)).replace("-", "\u2212");
function move(t) {
  for (const c of charts) {
    const x = 1e4 * (t - c.range[0]) / (c.range[1] - c.range[0]);
    c.line.setAttribute("d", `M${x} 0V1000`);
    c.words.forEach((word, i) => {
      const [xs, ys] = c.values[i], k = nearest(xs, t);
      word.textContent = xs.length ? `${ys[k]} ${c.svg.dataset.unit}` : "";
    });
  }
  if (!hero || !pictures.length) return;
  const k = nearest(pictures, t, p => p[0]);
  hero.src = pictures[k][1];
  if (slider) slider.value = k;
  if (label) label.textContent = "t = " + number(pictures[k][0]) + " " + hero.dataset.unit;
}
function zoom(range) {
  view = range;
  for (const c of charts) {
    const [a, b] = seen(c), [low, high] = c.range, box = n => +c.hit.getAttribute(n);
    const begin = 1e4 * (a - low) / (high - low), width = 1e4 * (b - a) / (high - low);
    c.lines.setAttribute("viewBox", `${begin} 0 ${width} 1000`);
    const ticks = all(".ticks", c.svg)[0];
    c.first ??= ticks.innerHTML;
    const power = 10 ** Math.floor(Math.log10((b - a) / 3));
    const step = power * [1, 2, 5, 10].find(m => (b - a) / (m * power) < 5);
    let html = "";
    for (let t = Math.ceil(a / step) * step; t <= b; t += step) {
      const x = box("x") + box("width") * (t - a) / (b - a);
      html += `<path class="grid" d="M${x} ${box("y")}v${box("height")}"/><text x="${x}"
        y="${box("y") + box("height") + 15}" text-anchor="middle">${number(Math.abs(t) < step / 1e6 ? 0 : t / c.range[2])}</text>`;
    }
    ticks.innerHTML = view ? html : c.first;
  }
}
for (const c of charts) {
  const time = e => {
    const box = c.hit.getBoundingClientRect(), [a, b] = seen(c);
    return a + (b - a) * Math.min(Math.max((e.clientX - box.left) / box.width, 0), 1);
  };
  let begin = null;
  c.hit.onpointerdown = e => { begin = [e.clientX, time(e)]; };
  c.hit.onpointermove = e => move(time(e));
  c.hit.onpointerup = e => {
    if (begin && Math.abs(e.clientX - begin[0]) > 8) zoom([begin[1], time(e)].sort((a, b) => a - b));
    begin = null;
  };
  c.hit.ondblclick = () => zoom(null);
}
if (hero && pictures.length > 1) {
  const button = document.createElement("button");
  [slider, label] = ["input", "output"].map(name => document.createElement(name));
  button.textContent = "\u25b6";
  button.title = "play";
  slider.type = "range";
  slider.max = pictures.length - 1;
  slider.ariaLabel = "time";
  slider.oninput = () => move(pictures[slider.value][0]);
  let timer = 0;
  button.onclick = () => {
    timer = timer ? clearInterval(timer) : setInterval(
      () => move(pictures[(+slider.value + 1) % pictures.length][0]), 100);
    button.textContent = timer ? "\u23f8" : "\u25b6";
  };
  const bar = document.createElement("div");
  bar.className = "bar";
  bar.append(button, slider, label);
  hero.after(bar);
}
if (hero) move(+hero.dataset.at);
})();
