import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { root } from '../../src/adapters/cli/tenon.ts';
import { ADMIN_TOKEN, openApp, type OpenApp } from '../support/app.ts';
import { runCommand, type RanOptions } from '../support/command-line.ts';
import { consoleOf } from '../support/console-sign-in.ts';

/** Every command that stops the work of others, as it is given then. */
const ENDINGS: readonly (readonly [command: string, ...given: string[]])[] = [
  ['store update', 'ends.test', '--status', 'Inactive'],
  ['store update', 'ends.test', '--domain', 'moved.test'],
  ['app suspend', 'Sync', '--store', 'ends.test'],
  ['app uninstall', 'Sync', '--store', 'ends.test'],
  ['app rotate-client-secret', 'Sync', '--store', 'ends.test', '--overlap', '0'],
  ['app rotate-signing-secret', 'Sync', '--store', 'ends.test', '--overlap', '0'],
  ['platform-apps suspend', 'Platform'],
  ['platform-apps rotate-client-secret', 'Platform', '--overlap', '0'],
  ['platform-apps rotate-signing-secret', 'Platform', '--overlap', '0'],
  ['subscriptions pause', 'SUBSCRIPTION', '--store', 'ends.test'],
  ['subscriptions delete', 'SUBSCRIPTION', '--store', 'ends.test'],
  ['operators end', 'Ada'],
  ['operators revoke', 'Ada', 'TOKEN'],
  ['operators sessions', '--end', 'SESSION'],
];

/** Commands whose names or briefs sound like an end, and why they do not ask with --yes. */
const WITHOUT: Readonly<Record<string, string>> = {
  'store delete': 'has a person type the domain',
  'profile remove': 'is a file of the person alone',
  'keys forget': 'asks for the database of this machine, in test/long/lost-key.test.ts',
};

/** Commands that ask because they make work for others, or delete what nobody can use. */
const OTHERS = ['deliveries redeliver', 'keys forget'];

const ENDS = /\b(end|stop|suspend|revoke|delete|erase|uninstall|pause|remove|deactivate|replace|cancel|drop|disable)\b/i;

interface Entry {
  readonly name: { readonly original: string };
  readonly target: {
    readonly brief: string;
    readonly getAllEntries?: () => readonly Entry[];
    readonly parameters?: { readonly flags?: object };
  };
}

interface Found {
  readonly path: string;
  readonly brief: string;
  readonly flags: readonly string[];
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const commandsOf = (entries: readonly Entry[], before = ''): Found[] =>
  entries.flatMap(({ name, target }) => {
    const path = `${before}${kebab(name.original)}`;
    if (target.getAllEntries) return commandsOf(target.getAllEntries(), `${path} `);
    return [{ path, brief: target.brief, flags: Object.keys(target.parameters?.flags ?? {}) }];
  });

let app: OpenApp;
let ids: Record<string, string> = {};

const env = () => ({ TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN });
const tenon = (args: readonly string[], options: RanOptions = {}) => runCommand(args, { ...options, env: env() });

const made = async (...args: string[]): Promise<Record<string, string>> => {
  const { status, out, err } = await tenon([...args, '--json']);
  expect(status, err).toBe(0);
  return JSON.parse(out) as Record<string, string>;
};

/** Everything that the commands could change. */
const state = async (): Promise<string> => {
  const lists = [
    ['store', 'list'],
    ['app', 'list', '--store', 'ends.test'],
    ['platform-apps', 'list'],
    ['subscriptions', 'list', '--store', 'ends.test'],
    ['operators', 'list'],
    ['operators', 'tokens', 'Ada'],
    ['operators', 'sessions'],
  ];
  const all: string[] = [];
  for (const list of lists) all.push((await tenon([...list, '--json'])).out);
  // Nobody listens at the address of the subscription, so its health changes by itself.
  return all.join('').replaceAll(/"(?:failingSince|deactivatesAt|nextProbeAt)":(?:"[^"]*"|null)/g, '');
};

beforeAll(async () => {
  app = await openApp({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' });
  await made('store', 'create', 'ends.test');
  await made('app', 'install', 'Sync', '--store', 'ends.test', '--scopes', 'write_products');
  await made('platform-apps', 'add', 'Platform', '--redirect-urls', 'https://app.test/back', '--scopes', 'write_products');
  const url = 'http://127.0.0.1:9/hook';
  const subscription = await made('subscriptions', 'create', url, '--types', 'product.updated', '--store', 'ends.test');
  await made('operators', 'add', 'Ada', '--role', 'viewer');
  const token = await made('operators', 'token', 'Ada');
  await consoleOf(app).signIn({ token: ADMIN_TOKEN }).expect(200);
  const { out } = await tenon(['operators', 'sessions', '--json']);
  const session = JSON.parse(out) as { id: string };
  ids = { SUBSCRIPTION: subscription['id'] ?? '', TOKEN: token['id'] ?? '', SESSION: session.id };
});
afterAll(() => app.close());

describe('a command that stops the work of others', () => {
  it('is in the list if its words say so, and those of the list alone have --yes', () => {
    const commands = commandsOf(root.getAllEntries());
    const listed = new Set(ENDINGS.map(([command]) => command));
    const wordy = commands.filter(({ path, brief }) => ENDS.test(`${path} ${brief}`)).map(({ path }) => path);
    expect(wordy.filter((path) => !listed.has(path) && !(path in WITHOUT))).toEqual([]);
    const asking = commands.filter(({ flags }) => flags.includes('yes')).map(({ path }) => path);
    expect(asking.toSorted()).toEqual([...listed, ...OTHERS].toSorted());
  });

  it.each(ENDINGS)('%s asks, and changes nothing after a no: %s %s %s %s %s', async (command, ...given) => {
    const args = [...command.split(' '), ...given.map((word) => ids[word] ?? word)];
    const before = await state();
    const script = await tenon(args);
    expect([script.status, script.err]).toEqual([
      2,
      expect.stringMatching(
        /^tenon: This .*\. Add --yes to confirm\.\n$|^tenon: From the next request, .*\. Add --yes to confirm\.\n$/,
      ),
    ]);
    const person = await tenon(args, { terminal: true, stdin: 'n\n' });
    expect([person.status, person.err]).toEqual([1, expect.stringContaining('[y/N]')]);
    expect(await state()).toBe(before);
  });
});
