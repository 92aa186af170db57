import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import { root, textOf } from '../architecture/source.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { SETTINGS, startProcess, type ServerProcess } from '../support/server.ts';

interface Step {
  readonly command: string;
  readonly output: string;
}

/** The commands of the page's sessions, each with what it shows, a list for each terminal. */
const sessions = (): Step[][] =>
  [...textOf('docs/command-line.md').matchAll(/^```console\n(.*?)^```/gms)].map(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...lines] = step.split('\n');
        return { command, output: lines.join('\n').trimEnd() };
      }),
  );

/** Whole ids, and the beginnings that a table shows. */
const IDS = /[0-9a-f]{8}-[0-9a-f]{4}(?:(?:-[0-9a-f]{4}){2}-[0-9a-f]{12})?/g;

/**
 * Normalises a terminal's text: values that differ from run to run are replaced. An overwritten
 * line is not seen.
 */
const steady = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.split('\r').at(-1) ?? '').replace('\u001B[K', '').trimEnd())
    .join('\n')
    .trimEnd()
    .replaceAll(/\b(whsec_|tnn_cid_|tnn_cs_)[\w+/=.]+/g, '$1#')
    .replaceAll(IDS, '#id#')
    .replaceAll(/\b(?:\d+[smhd] ago|now)\b/g, '#time#')
    // Columns are as wide as their widest cell.
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+Z)?/g, '#date#')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, '#time#')
    // Row counts of the invariants differ.
    .replaceAll(/\bok +\d+/g, 'ok #')
    .replaceAll(/[\d,]+(?=\/s| ms)/g, '#');

/** Has the process take its pipes for a terminal. */
const TERMINAL = `data:text/javascript,${encodeURIComponent(
  `for (const s of [process.stdin, process.stdout, process.stderr]) Object.assign(s, { isTTY: true, columns: 120, setRawMode() {} });`,
)}`;

let database: TestDatabase;
let receiver: Receiver;
let server: ServerProcess;
let env: Record<string, string>;
beforeAll(async () => {
  [database, receiver] = await Promise.all([openTestDatabase(), startReceiver()]);
  const port = String(await freePort());
  server = await startProcess({ databaseUrl: database.url, env: { ADMIN_PORT: port } });
  const { PATH = '' } = process.env;
  env = { PATH, HOME: '/nonexistent', NO_COLOR: '1', ADMIN_PORT: port, ADMIN_TOKEN: SETTINGS.ADMIN_TOKEN };
});
afterAll(async () => {
  await server.end();
  await Promise.all([database.close(), receiver.close()]);
});

/** The page's ids, and those of this run in their places. */
const ids = new Map<string, string>();

/** Runs a command line of the page; `seen` is what its terminal shows so far. */
const run = (command: string) => {
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
  const [name, ...args] = words.map((word) => (ids.get(word) ?? word).replace(':3000', `:${String(receiver.port)}`));
  expect(name).toBe('tenon');
  const main = join(inject('built'), 'src/main.js');
  // Both outputs on one pipe, so that their lines keep their order.
  const child = spawn('sh', ['-c', 'exec "$0" "$@" 2>&1', process.execPath, '--import', TERMINAL, main, ...args], {
    cwd: root,
    env: { ...env, XDG_STATE_HOME: join(inject('built'), 'state') },
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'close');
  return { child, ended, seen: () => text.replaceAll(`:${String(receiver.port)}`, ':3000') };
};

const learn = (shown: string, seen: string): void => {
  const found = seen.match(IDS) ?? [];
  for (const [index, id] of (shown.match(IDS) ?? []).entries()) {
    const real = found[index] ?? '';
    expect(ids.get(id) ?? real, `${id} of the page`).toBe(real);
    ids.set(id, real);
  }
};

/** Runs the commands one after the other. A delivery is on its way for a moment, so a list is read until it is as shown. */
const follow = async (steps: readonly Step[]): Promise<void> => {
  for (const { command, output } of steps) {
    const compare = async (): Promise<string> => {
      const ran = run(command);
      await ran.ended;
      expect(steady(ran.seen()), command).toBe(steady(output));
      return ran.seen();
    };
    learn(output, command.includes(' list ') ? await eventually(compare) : await compare());
  }
};

it('the session of docs/command-line.md runs as it is shown', async () => {
  const [prepare = [], [listen] = [], trigger = []] = sessions();
  if (listen === undefined || trigger.length === 0) throw new Error('the page has three parts');
  await follow(prepare);
  const listener = run(listen.command);
  await eventually(() => expect(listener.seen()).toContain('Press r'));
  await follow(trigger);
  await eventually(() => expect(steady(listener.seen())).toBe(steady(listen.output)));
  learn(listen.output, listener.seen());
  listener.child.stdin.write('q');
  expect(await listener.ended).toEqual([0, null]);
}, 120_000);
