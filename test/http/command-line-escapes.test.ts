import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runCommand } from '../support/command-line.ts';

/** A title that changes the window's, colours, a line of its own, DEL, C1, each kind of bidi control, both separators. */
const NASTY = '\u001B]0;PWN\u0007\u001B[31m\u001B[2J\u007F\u009B\u202E\u2066\u061C\u200F\u2028\u2029\uFDD0';
const SAID = `${NASTY}\r\ntenon: Done.`;

/** Without what is painted here, and the line breaks and tabs. */
const controlsIn = (text: string): string[] =>
  text
    .replace(new RegExp(String.raw`\u001B\[(?:1|2|22|31|32|33|36|39)m`, 'gu'), '')
    .match(/(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\uFDD0-\uFDEF]/gu) ?? [];

const ID = '01a20000-0000-7000-8000-000000000001';

let server: Server;
let env: Record<string, string> = {};

beforeAll(async () => {
  server = createServer((request, response) => {
    const isFound = request.url?.startsWith('/admin/stores?') === true || request.url === '/admin/stores';
    const store = { id: ID, domain: SAID, name: SAID, currency: SAID, status: SAID, createdAt: SAID };
    const problem = { detail: SAID, title: SAID, code: SAID, errors: { [SAID]: [SAID] } };
    response.setHeader('x-request-id', '\u009B31mred');
    response.writeHead(isFound ? 200 : 422, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isFound ? { items: [store], total: 1 } : problem));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  env = { TENON_ADMIN_URL: url, TENON_ADMIN_TOKEN: 'token', FORCE_COLOR: '1' };
});
afterAll(() => server.close());

const COMMANDS: readonly (readonly string[])[] = [
  ['store', 'list'],
  ['store', 'get', NASTY],
  ['store', 'get', ID],
  ['store', 'create', NASTY],
  ['app', 'list', '--store', NASTY],
  ['app', 'get', NASTY],
  ['requests', 'why', NASTY],
  ['events', 'list'],
  ['deliveries', 'tail'],
  ['verify'],
  [NASTY],
  ['store', 'list', NASTY],
  ['store', `--${NASTY}`],
  ['store', 'list', '--admin-url', NASTY],
  ['profile', 'save', NASTY, '--admin-url', 'http://127.0.0.1:1'],
];

describe.each([
  ['on a terminal', true, []],
  ['in a pipe', false, []],
  ['as JSON on a terminal', true, ['--json']],
])('what a server says and what is echoed, %s', (_title, terminal, flags) => {
  it.each(COMMANDS.map((command) => [command.join(' ').replace(/[^ -~]/g, '?'), command] as const))(
    'does nothing to the terminal: %s',
    async (_name, command) => {
      const { out, err } = await runCommand([...command, ...flags], { env, terminal });
      expect(controlsIn(`${out}${err}`)).toEqual([]);
      // A line that the server makes up.
      expect(`${out}${err}`).not.toMatch(/^tenon: Done/m);
    },
  );
});

it('JSON has the same value', async () => {
  const { out } = await runCommand(['store', 'list', '--json'], { env, terminal: true });
  expect(JSON.parse(out)).toMatchObject({ id: ID, name: SAID });
});

it('an error is one line, and the fields and the request are the other lines', async () => {
  const { err } = await runCommand(['verify'], { env, terminal: true });
  expect(
    err
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(0, 9)),
  ).toEqual(['tenon: \\u', '  \\u001B]', '  request']);
});
