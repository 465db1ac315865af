// Typesets the formulas, which Markdown's extension arithmatex has marked.
document.querySelectorAll(".arithmatex").forEach((element) => {
  const text = element.textContent.trim();
  katex.render(text.slice(2, -2), element, { displayMode: text.startsWith("\\["), throwOnError: true });
});
