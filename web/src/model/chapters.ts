// The origins of worked questions, and of what is read beside the concepts.

import file from '../../../shared/examples.json';

/** A chapter of the book, an article, a paper. */
export interface Chapter {
  id: string;
  kind: 'book' | 'article' | 'paper';
  url?: string;
}

export const chapters = file.chapters as Chapter[];
