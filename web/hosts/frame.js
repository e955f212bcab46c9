// Each frame of a Scaling Calculator gets the height that it asks for; no other frame does.
{
  const { src: from, dataset } = document.currentScript;
  // The calculator's address, if this script is told so or comes from there.
  const home = dataset.calculator ?? /.*(?=hosts\/frame\.js$)/.exec(from)?.[0] ?? '';
  addEventListener('message', ({ source, origin, data }) => {
    const height = data?.scalingCalculator?.height;
    if (!Number.isFinite(height) || height < 100 || height > 5000) return;
    for (const { src, contentWindow, style } of document.querySelectorAll('iframe')) {
      if (contentWindow !== source || !src.startsWith(home) || !URL.canParse(src)) continue;
      const { origin: its, searchParams } = new URL(src); // sandboxed, it has none
      if (searchParams.has('embed') && [its, 'null'].includes(origin)) style.height = `${height}px`;
    }
  });
}
