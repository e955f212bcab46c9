// What the places of a file began ends with the file. Files share a process and its modules, so that
// this is run for each of them.

import { afterAll } from 'vitest';
import { endAll } from './places.ts';

afterAll(endAll);
