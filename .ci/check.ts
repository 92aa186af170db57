import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';

/** The scripts of package.json that judge the code without running it, the longest first. */
const PARTS = ['lint', 'types', 'language', 'unused', 'format:check', 'boundaries'];

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };

/** `npm run check`, from the repository's root: these scripts side by side, each with its seconds. What fails says why, and the rest still runs. */
const run = async (part: string): Promise<void> => {
  const start = performance.now();
  const [code, output] = await new Promise<[number, string]>((resolve) => {
    // npm has put node_modules/.bin on the PATH.
    const child = exec(scripts[part] ?? 'false', { maxBuffer: 2 ** 26 }, (_error, stdout, stderr) => {
      resolve([child.exitCode ?? 1, stdout + stderr]);
    });
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${part} (${seconds} s)\n${code === 0 ? '' : output}`);
  if (code !== 0) process.exitCode = 1;
};

const waiting = [...PARTS];
await Promise.all(
  Array.from({ length: Math.min(availableParallelism(), PARTS.length) }, async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) await run(part);
  }),
);
