// What an audit says: that nothing was found is not said where nobody was asked.

import { expect, test } from 'vitest';
import { readAudit } from '../../web/tools/commands/audit.mjs';

const answered = (total: number, vulnerabilities = {}): string =>
  JSON.stringify({ vulnerabilities, metadata: { vulnerabilities: { total } } });

test.each([
  ['nothing found', answered(0), 0, 'asked: nothing found'],
  [
    'a fault',
    answered(1, { lit: { name: 'lit', severity: 'high' } }),
    1,
    'asked: 1 found: lit (high)',
  ],
  [
    'a registry without the service',
    '{"message":"404 Not Found","error":{"code":"ENOAUDIT","summary":"","detail":""}}',
    2,
    'not asked: 404 Not Found',
  ],
  ['no network', 'npm error network', 2, 'not asked: npm error network'],
  ['no output', '', 2, 'not asked: no answer'],
  ['an answer without counts', '{}', 2, 'not asked: no answer'],
])('%s', (_what, output, code, text) => {
  expect(readAudit(output)).toEqual({ code, text });
});
