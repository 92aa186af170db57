/**
 * `npm run contracts`: the suites of the storage ports on every storage adapter, as a table. Arguments are passed on to vitest, such as
 * a folder of test/contract.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ContractReport } from '../test/support/contract-report.ts';
import { linesOf } from './contract-lines.ts';

const own = readdirSync('test/contract', { withFileTypes: true }).filter((entry) => entry.isDirectory());
const given = process.argv.slice(2);
const folders = given.length > 0 ? given : own.map(({ name }) => `test/contract/${name}/`);

const directory = mkdtempSync(join(tmpdir(), 'tenon-contracts-'));
const file = join(directory, 'report.json');
const env = { ...process.env, CONTRACT_REPORT: file };
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'services', ...folders], {
  env,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (existsSync(file)) {
  const report = JSON.parse(readFileSync(file, 'utf8')) as ContractReport;
  for (const line of linesOf(report)) console.log(line);
} else console.log('The run ended before it could say anything. Run npx vitest run test/contract to see why.');
rmSync(directory, { recursive: true });
process.exit(status ?? 1);
