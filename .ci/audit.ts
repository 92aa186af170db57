import { spawnSync } from 'node:child_process';

/**
 * `npm run audit`: fails on known vulnerabilities of high or critical severity, and where nobody
 * could be asked.
 */
interface Report {
  /** By severity. */
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly name: string; readonly severity: string; readonly range: string }>
  >;
  readonly statusCode?: number;
  readonly message?: string;
}

const FAILING = ['high', 'critical'];
/** Lets the caller distinguish "vulnerable" (1) from "unknown" (2). */
const NOT_KNOWN = 2;

export interface Verdict {
  readonly code: 0 | 1 | 2;
  readonly text: string;
}

/**
 * Reads npm's JSON. A registry without the audit endpoint (404, 405), or one that can't be reached,
 * gives no report.
 */
export const verdictOf = (json: string): Verdict => {
  let report: Report;
  try {
    report = JSON.parse(json) as Report;
  } catch {
    return { code: NOT_KNOWN, text: 'npm audit gave no report: nothing is known of vulnerabilities.' };
  }
  const counts = report.metadata?.vulnerabilities;
  if (!counts) {
    const why = report.statusCode === undefined ? '' : ` (${report.statusCode})`;
    return {
      code: NOT_KNOWN,
      text: `The registry has no audit endpoint${why}: nothing is known of vulnerabilities. Run it where npm's own registry answers. ${report.message ?? ''}`,
    };
  }
  const grave = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) => FAILING.includes(severity));
  const told = Object.entries(counts).map(([severity, count]) => `${severity} ${count}`);
  const lines = grave.map(({ name, severity, range }) => `${severity}: ${name} ${range}`);
  return { code: grave.length > 0 ? 1 : 0, text: [`Known vulnerabilities: ${told.join(', ')}.`, ...lines].join('\n') };
};

if (process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].split('/').at(-1) ?? '')) {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8' });
  const { code, text } = verdictOf(stdout);
  process.stdout.write(`${text}\n`);
  process.exitCode = code;
}
