import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { commandReference, withReference } from '../../../.ci/command-line.ts';
import { COMMAND_GROUPS } from '../../../src/adapters/cli/run.ts';
import { root } from '../../../src/adapters/cli/tenon.ts';
import { runCommand } from '../../support/command-line.ts';

describe('tenon', () => {
  it('docs/command-line.md describes every command as it is', () => {
    const page = readFileSync('docs/command-line.md', 'utf8');
    // When this fails: npm run command-line
    expect(page).toBe(withReference(page, commandReference()));
  });

  it('offers --json only where there is data: not for a migration', async () => {
    expect(await runCommand(['migrate', '--json'])).toMatchObject({ status: 2, err: expect.stringContaining('--json') });
  });

  it('suggests the command and the flag that were meant', async () => {
    expect(await runCommand(['store', 'lst'])).toMatchObject({ status: 2, err: expect.stringContaining('list') });
    expect(await runCommand(['store', 'list', '--jsn'])).toMatchObject({ status: 2, err: expect.stringContaining('--json') });
  });

  it('says of a mistake what was meant, or where help is', async () => {
    expect((await runCommand(['logs'])).err).toBe('tenon: There is no command logs. See `tenon help`.\n');
    expect((await runCommand(['stor'])).err).toBe('tenon: There is no command stor. Did you mean `store`? See `tenon help`.\n');
  });

  it.each([
    ['store list --serch x', 'Did you mean --search?'],
    ['store list --nonsense', ''],
    [
      'start --port 5000',
      'PORT is a setting of the server, which is a variable: PORT=... tenon start. `tenon config` lists them.',
    ],
    [
      'start --data-dri x',
      'DATA_DIR is a setting of the server, which is a variable: DATA_DIR=... tenon start. `tenon config` lists them.',
    ],
    ['store update shop.test --currncy EUR', 'The currency of a store is chosen by tenon store create, and cannot be changed.'],
    ['app resume Sync --yes', 'This command does not ask for confirmation.'],
    ['platform-apps edit Sync --redirect-url x', 'Did you mean --redirect-urls?'],
  ])('says of an unknown flag what it is, if that is known: %s', async (line, said) => {
    const { status, err } = await runCommand(line.split(' '));
    const [, flag] = /(--\S+)/.exec(line) ?? [];
    const known = said === '' ? '' : ` ${said}`;
    expect([status, err]).toEqual([2, `tenon: There is no flag ${flag}.${known} Add --help to see what the command takes.\n`]);
  });

  it('takes the flags of every command before it, too', async () => {
    const { status, err } = await runCommand(['--json', '--admin-url', 'nonsense', 'store', 'list']);
    expect([status, err]).toEqual([2, expect.stringContaining('--admin-url must be a URL')]);
  });

  it('takes one of several words in any case, and names them all where it is another', async () => {
    const env = { TENON_ADMIN_TOKEN: 'x', TENON_ADMIN_URL: 'http://127.0.0.1:9' };
    expect((await runCommand(['store', 'list', '--status', 'ACTIVE'], { env })).status).toBe(6);
    const { status, err } = await runCommand(['store', 'list', '--status', 'gone'], { env });
    expect([status, err]).toEqual([2, expect.stringContaining('gone is not one of Active, Inactive')]);
  });

  it.each([[['--help']], [[]], [['store', '--help']], [['--version']]])('%j exits with 0', async (args) => {
    expect(await runCommand(args)).toMatchObject({ status: 0, err: '' });
  });

  it.each([[['store', 'get']], [['store', 'update', 'a.test']], [['store', 'list', '--admin-url', 'nonsense']]])(
    '%j exits with 2, which is a mistake in the command line',
    async (args) => {
      const { status, err } = await runCommand(args, { env: { TENON_ADMIN_TOKEN: 'x' } });
      expect(status, err).toBe(2);
    },
  );

  it('exits with 4 without a token, and with 6 when the server does not answer', async () => {
    expect((await runCommand(['store', 'list'], { env: { DATA_DIR: '/nonexistent' } })).status).toBe(4);
    const env = { TENON_ADMIN_URL: 'http://127.0.0.1:1', TENON_ADMIN_TOKEN: 'secret-of-the-test' };
    const { status, err } = await runCommand(['store', 'list'], { env });
    expect(status).toBe(6);
    expect(err).toContain('cannot be reached');
    expect(err).not.toContain('secret-of-the-test');
  });

  it('the first screen has every command once, and fits 40 lines of 80 characters', async () => {
    const { out } = await runCommand([]);
    const names = root.getAllEntries().map(({ name }) => name.original);
    expect(Object.values(COMMAND_GROUPS).flat().toSorted()).toEqual(names.toSorted());
    const lines = out.split('\n');
    expect(lines.length).toBeLessThanOrEqual(41);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    for (const args of [['help'], ['--help'], ['-h']]) expect((await runCommand(args)).out).toBe(out);
  });

  it.each([['deliveries list'], ['store'], ['start']])('help %s is the help of the command', async (text) => {
    const words = text.split(' ');
    expect(await runCommand(['help', ...words])).toEqual(await runCommand([...words, '--help']));
  });

  it('completes commands and flags with their briefs', async () => {
    expect((await runCommand(['complete', 'sto'])).out).toBe('store\tStores of this server\n');
    expect((await runCommand(['complete', 'store', 'list', '--js'])).out).toContain('--json\t');
  });

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that asks the command itself', async (shell) => {
    expect((await runCommand(['completion', shell])).out).toContain('tenon complete');
  });

  it.each([
    ['by npx, which may install nothing, where there is no such command', 'npx', String.raw`--no\ tenon\ complete\ app\ a,b`],
    ['by the command', 'tenon', String.raw`complete\ app\ a,b`],
  ])('completes in bash %s', async (_case, command, asked) => {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-completion-'));
    try {
      // The command proposes its own arguments.
      writeFileSync(join(folder, command), `#!/bin/sh\nprintf '%s\\tbrief\\n' "$*"\n`, { mode: 0o755 });
      const { out } = await runCommand(['completion', 'bash']);
      const typed = `${out}COMP_WORDS=(tenon app a,b); COMP_CWORD=2; _tenon; echo "\${COMPREPLY[@]}"`;
      const { stdout } = spawnSync('/bin/bash', ['-c', typed], { env: { PATH: folder }, encoding: 'utf8' });
      expect(stdout).toBe(`${asked}\n`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('completes each scope of a list, and none twice', async () => {
    const offered = async (scopes: string): Promise<string[]> =>
      (await runCommand(['complete', 'app', 'install', 'My app', '--scopes', scopes])).out
        .split('\n')
        .flatMap((line) => line.split('\t')[0] || []);
    expect(await offered('write_pro')).toEqual(['write_products']);
    expect(await offered('write_products,write_we')).toEqual(['write_products,write_webhooks']);
    expect(await offered('write_products,write_pro')).toEqual([]);
  });
});
