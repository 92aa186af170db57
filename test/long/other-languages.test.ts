import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventOf, sign } from '../../clients/typescript/src/testing.ts';
import { root, textOf } from '../architecture/source.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { blocksIn, promised, words } from '../support/guide.ts';
import { compiledMain, runMain, type MainProcess } from '../support/main-process.ts';

const PAGE = 'docs/other-languages.md';
/** Each language by its heading, with its interpreter. */
const LANGUAGES = [
  ['Python', 'python3 --version'],
  ['Go', 'go version'],
  ['PHP', 'php --version'],
  ['Ruby', 'ruby --version'],
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

const isThere = (version: string): boolean => spawnSync('sh', ['-c', version]).status === 0;

const sections = textOf(PAGE).split(/^## /m);
const sectionOf = (heading: string): string => sections.find((text) => text.startsWith(`${heading}\n`)) ?? '';

const commandsIn = (text: string): string[] => blocksIn(text).flatMap((block) => (block.kind === 'sh' ? [block.text] : []));

let server: MainProcess;
let folder: string;
let port: string;
let env: Environment;

/** Adapts the pasted text to the ports and the command of this test. */
const pasted = (text: string): string => text.replaceAll(':4000', `:${port}`).replaceAll('npx tenon', compiledMain().join(' '));

const shell = async (text: string, more: Environment = {}): Promise<string> => {
  const options = { cwd: folder, env: { ...env, ...more } };
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', pasted(text)], options)).stdout;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-languages-'));
  port = String(await freePort());
  const settings = { PORT: port, ADMIN_PORT: String(await freePort()), DATA_DIR: join(folder, 'data'), XDG_CONFIG_HOME: folder };
  env = { ...process.env, ...settings, NO_COLOR: '1', GOCACHE: join(folder, 'go-cache') };
  await cp(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
  server = runMain({ env: settings });
  await server.says('Tenon is ready');
  const [steps = ''] = commandsIn(textOf('docs/getting-started.md')).filter((text) => text.includes('tenon store create'));
  // The page repeats the last line of these steps.
  expect(commandsIn(sectionOf('Before you begin'))).toEqual([steps.slice(steps.lastIndexOf('npx'))]);
  const last = 'export TOKEN; node -p "JSON.stringify(process.env)"';
  const printed = await shell([steps, ...commandsIn(sectionOf('Reach the store')), last].join('\n'));
  env = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Environment;
  for (const [, text = '', name = ''] of textOf(PAGE).matchAll(
    /^```\w+\n((?:<\?php )?(?:#|\/\/) (my-app\/[a-z]+\.[a-z]+).*?)^```/gms,
  ))
    await writeFile(join(folder, name), text);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A receiver in a group of processes of its own, because `go run` has a child. */
const startReceiver = async (command: string, more: Environment = {}) => {
  const own = String(await freePort());
  const child = spawn('bash', ['-c', pasted(command).replaceAll(':8090', `:${own}`)], {
    cwd: folder,
    env: { ...env, RECEIVER_PORT: own, ...more },
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    port: own,
    said: () => said,
    ended,
    listens: () => eventually(() => expect(said).toMatch(/listening on|Development Server/)),
    end: () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
    },
  };
};

type Signature = (id: string, body: string) => Promise<Record<string, string>>;

const signedBy =
  (secret: string): Signature =>
  (id, body) =>
    sign(secret, { id, body });

/** A signature that anybody can make. */
const signedByNobody: Signature = (id, body) => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', '').update(`${id}.${timestamp}.${body}`).digest('base64');
  return Promise.resolve({ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` });
};

const statusOf = async (receiver: { readonly port: string }, signature: Signature): Promise<number> => {
  const id = randomUUID();
  const body = JSON.stringify(eventOf('product.updated'));
  const headers = await signature(id, body);
  return (await fetch(`http://127.0.0.1:${receiver.port}/`, { method: 'POST', headers, body })).status;
};

const aSecret = (bytes: number): string => `whsec_${btoa('x'.repeat(bytes))}`;
const NO_SECRETS = [undefined, '', '...', 'whsec_', aSecret(16)];

// A machine without the interpreter skips them, and the report says so.
describe.each(LANGUAGES)('the programs of docs/other-languages.md in %s', (heading, version) => {
  const [receive = '', subscribeAndRun = ''] = commandsIn(sectionOf(heading));
  const [first = '', second = ''] = blocksIn(sectionOf(heading)).flatMap(({ kind, text }) => (kind === 'text' ? [text] : []));
  const client = subscribeAndRun.trim().split('\n').at(-1) ?? '';

  it.skipIf(!isThere(version))('print what the page shows, and receive what is signed and nothing else', async () => {
    const receiver = await startReceiver(receive);
    try {
      await receiver.listens();
      const own = (text: string): string => text.replaceAll(':8090', `:${receiver.port}`);
      expect(words(await shell(own(subscribeAndRun)))).toMatch(promised(own(first)));
      await eventually(() => expect(words(receiver.said())).toMatch(promised(own(second))));
      expect(await statusOf(receiver, signedBy(env['SIGNING_SECRET'] ?? ''))).toBe(204);
      expect(await statusOf(receiver, signedBy(aSecret(24)))).toBe(400);
      expect(await statusOf(receiver, signedByNobody)).toBe(400);
      expect(await shell(client)).toContain('updated 1\n');
    } finally {
      receiver.end();
    }
  });

  it.skipIf(!isThere(version)).each(NO_SECRETS)('take nothing with the signing secret %j', async (secret) => {
    const receiver = await startReceiver(receive, { SIGNING_SECRET: secret });
    try {
      // PHP's own server starts the program for each request.
      if (heading === 'PHP') {
        await receiver.listens();
        expect(await statusOf(receiver, signedByNobody)).toBe(500);
      } else expect(await receiver.ended).toBe(1);
      expect(receiver.said()).toContain('SIGNING_SECRET must be whsec_ and base64 of at least 24 bytes.');
    } finally {
      receiver.end();
    }
  });

  it.skipIf(!isThere(version))('say why a request is refused', async () => {
    const refused = (await shell(client, { STORE: undefined }).catch((error: unknown) => error)) as { stderr: string };
    const [, id = ''] = /^POST \/apps\/token: 401 *\nX-Request-Id: (\S+)/im.exec(refused.stderr) ?? [];
    expect(id, refused.stderr).not.toBe('');
    expect(await shell(`npx tenon requests why ${id}`)).toMatch(/\b127\.0\.0\.1\b/);
  });
});

it('the subscription of docs/webhooks.md works on the machine of the reader', async () => {
  const [subscribe = ''] = commandsIn(textOf('docs/webhooks.md')).filter((text) => text.includes('http://127.0.0.1:8090/'));
  expect(await shell(subscribe)).toContain('"url":"http://127.0.0.1:8090/"');
});
