import './elements/page.ts';

if (new URLSearchParams(location.search).has('embed')) {
  void import('./embed/frame.ts').then(({ showFrame }) => showFrame());
} else {
  document.body.prepend(document.createElement('scaling-page'));
}
