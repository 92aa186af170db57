/**
 * `npm run contracts`: the suites of the storage ports on every storage adapter, as a table. Arguments are passed on to vitest, such as
 * a folder of test/contract.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Report {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly ancestorTitles: readonly string[]; readonly status: string }[];
  }[];
}

interface Count {
  passed: number;
  failed: number;
  /** Skipped, since the adapter does not promise it. */
  left: number;
}

const own = readdirSync('test/contract', { withFileTypes: true }).filter((entry) => entry.isDirectory());
const given = process.argv.slice(2);
const folders = given.length > 0 ? given : own.map(({ name }) => `test/contract/${name}`);

const directory = mkdtempSync(join(tmpdir(), 'tenon-contracts-'));
const file = join(directory, 'report.json');
const options = ['vitest', 'run', '--project', 'services', '--reporter=json', `--outputFile=${file}`];
const { status } = spawnSync('npx', [...options, ...folders], { stdio: ['ignore', 'ignore', 'inherit'] });
const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
rmSync(directory, { recursive: true });

const table = new Map<string, Map<string, Count>>();
for (const { ancestorTitles, status: result } of report.testResults.flatMap(({ assertionResults }) => assertionResults)) {
  const [, port, adapter] = /^(.+) on ([^,]+)/.exec(ancestorTitles[0] ?? '') ?? [];
  if (port === undefined || adapter === undefined) continue;
  const row = table.get(port) ?? new Map<string, Count>();
  table.set(port, row);
  const count = row.get(adapter) ?? { passed: 0, failed: 0, left: 0 };
  row.set(adapter, count);
  count[result === 'passed' ? 'passed' : result === 'failed' ? 'failed' : 'left'] += 1;
}

const adapters = [...new Set([...table.values()].flatMap((row) => [...row.keys()]))].sort();
const textOf = (count: Count | undefined): string => {
  if (count === undefined) return '-';
  const { passed, failed, left } = count;
  if (failed > 0) return `${String(failed)} of ${String(passed + failed)} failed`;
  return left > 0 ? `${String(passed)} passed, ${String(left)} not promised` : `${String(passed)} passed`;
};
const lines = [
  ['Port', ...adapters],
  ...[...table]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([port, row]) => [port, ...adapters.map((name) => textOf(row.get(name)))]),
];
const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
for (const line of lines)
  console.log(
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
for (const { message } of report.testResults) if (message !== '') console.log(message);
process.exit(status ?? 1);
