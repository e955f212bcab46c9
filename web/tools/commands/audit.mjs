// npm run audit: known faults of the packages that the lock file names. Says "not asked" where the
// registry can't be asked, which is not the same as nothing found.

import { main, run } from '../run.mjs';

/** What `npm audit --json` has found, in words, with an exit code. */
export function readAudit(output) {
  let report;
  try {
    report = JSON.parse(output);
  } catch {
    return { code: 2, text: `not asked: ${output.trim().split('\n')[0] || 'no answer'}` };
  }
  const found = report.metadata?.vulnerabilities;
  if (!found) {
    const reason = report.error?.summary || report.message || report.error?.code || 'no answer';
    return { code: 2, text: `not asked: ${reason}` };
  }
  if (found.total === 0) return { code: 0, text: 'asked: nothing found' };
  const names = Object.values(report.vulnerabilities).map(
    ({ name, severity }) => `${name} (${severity})`,
  );
  return { code: 1, text: `asked: ${found.total} found: ${names.join(', ')}` };
}

await main(import.meta, async () => {
  const { output } = await run('npm', ['audit', '--json', '--loglevel=silent'], {
    accept: true,
  });
  const { code, text } = readAudit(output);
  console.log(text);
  return code;
});
