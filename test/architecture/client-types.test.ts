import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

import { path, text } from '../../.ci/client-events.ts';
import { root, textOf } from './source.ts';

it('the types of the client agree with docs/openapi.json; `npm run client:types` writes them', async () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };
  const [, input, ...options] = scripts['client:types']!.split(' ');
  const output = options[options.indexOf('--output') + 1]!;
  const others = options.slice(0, options.indexOf('--output'));
  const cli = `${root}/node_modules/openapi-typescript/bin/cli.js`;
  // Without an output it writes to stdout.
  const { stdout } = await promisify(execFile)(process.execPath, [cli, input!, ...others], { cwd: root, maxBuffer: 2 ** 24 });
  expect(textOf(output) === stdout, `${output} is out of date: run \`npm run client:types\` and commit what it writes`).toBe(
    true,
  );
});

it('the fixtures of the client are the examples of docs/openapi.json; `npm run client:types` writes them', () => {
  expect(textOf(path) === text(), `${path} is out of date: run \`npm run client:types\` and commit what it writes`).toBe(true);
});
