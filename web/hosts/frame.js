// Each frame of a Scaling Calculator gets the height that it asks for.
addEventListener('message', ({ source, data }) => {
  const height = data?.scalingCalculator?.height;
  if (!Number.isFinite(height) || height < 100 || height > 5000) return;
  for (const frame of document.querySelectorAll('iframe')) {
    if (frame.contentWindow === source) frame.style.height = `${Math.ceil(height)}px`;
  }
});
