// A frame that tries to speak for the one beside it. What it sends, the tests say.
addEventListener('message', ({ data }) => {
  for (const message of data.toParent ?? []) parent.postMessage(message, '*');
  for (const message of data.toSibling ?? []) parent.frames[0].postMessage(message, '*');
});
