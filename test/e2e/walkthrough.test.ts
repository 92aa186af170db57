import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { root, textOf } from '../architecture/source.ts';
import { freePort } from '../support/free-port.ts';
import { compiledMain, runMain, type MainProcess } from '../support/main-process.ts';

/**
 * The blocks of shell commands of a page, in order. The first ones install and start Tenon; here
 * the suite has done that.
 */
const commandsOf = (page: string): string =>
  [...textOf(page).matchAll(/^```sh\n(.*?)^```/gms)]
    .map(([, block = '']) => block)
    .filter((block) => !/^npm (ci|start)$/m.test(block))
    .join('\n');

let server: MainProcess;
let folder: string;
let ports: { readonly PORT: string; readonly ADMIN_PORT: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-walk-'));
  await mkdir(join(folder, 'examples'));
  await cp(join(root, 'examples/sample-catalogue.csv'), join(folder, 'examples/sample-catalogue.csv'));
  ports = { PORT: String(await freePort()), ADMIN_PORT: String(await freePort()) };
  server = runMain({ env: { DATA_DIR: join(folder, 'data'), PORT: ports.PORT, ADMIN_PORT: ports.ADMIN_PORT } });
  await server.says('Tenon is ready');
}, 120_000);

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Pastes a page's commands into one shell, with the ports of this test. test/long/guides.test.ts does so with the guides. */
const paste = async (page: string): Promise<string> => {
  const commands = commandsOf(page).replaceAll(':4000', `:${ports.PORT}`).replaceAll('npx tenon', compiledMain().join(' '));
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: folder,
    timeout: 100_000,
    env: { ...process.env, DATA_DIR: join(folder, 'data'), ADMIN_PORT: ports.ADMIN_PORT, XDG_CONFIG_HOME: folder },
  });
  return stdout;
};

it('the commands of the README have the results that it describes', async () => {
  const out = await paste('README.md');
  expect(out).toMatch(/created\t30$/m);
  expect(out).toMatch(/^30$/m);
  expect(out.match(/"requested":30,"succeeded":30,"failed":0/g)).toHaveLength(1);
  expect(out.match(/Idempotent-Replay: true/gi)).toHaveLength(1);
}, 120_000);
