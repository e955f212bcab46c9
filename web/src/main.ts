import './elements/page.ts';
