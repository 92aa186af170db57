import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

import { settingsTable } from '../../.ci/settings-table.ts';
import { STATUS_OF } from '../../src/adapters/http/serving/reply/refusals.ts';
import { diagnose } from '../../src/adapters/wiring/doctor/diagnose.ts';
import { parseConfig, type Config } from '../../src/adapters/wiring/settings/config.ts';
import { connectionsOf } from '../../src/adapters/wiring/settings/derived-settings.ts';
import { INCIDENT_KINDS, INCIDENT_RULES } from '../../src/domain/insight/incident-rules.ts';
import { blocksOf, fileOf } from '../support/guide.ts';
import { root, sourceFiles, textOf } from './source.ts';

/** Written by a run or by a tool; their own tests judge them. */
const GENERATED = ['docs/licences.md'];
const pages = ['docs', 'docs/specification'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
);
const guides = pages.filter((page) => !GENERATED.includes(page));
const all = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...pages];

const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```/gms, '');
const rows = (text: string): string[] =>
  text.split('\n').flatMap((line) => (/^\| *`[A-Z_]+` *\|/.test(line) ? [line.replaceAll(/ *\| */g, '|').trim()] : []));

it('the README has at most 120 lines', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

it('the table in docs/configuration.md lists the settings of the program', () => {
  const listed = rows(textOf('docs/configuration.md'));
  expect(listed.length).toBeGreaterThan(0);
  expect(listed).toEqual(rows(settingsTable()));
});

it.each([
  ['docs/configuration.md', (more: string) => `Background work uses up to ${more} more.`],
  ['docs/deployment.md', (more: string) => `connections for requests and up to ${more} more for its background work`],
  ['docs/kubernetes.md', (more: string) => `(20) connections, and up to ${more} more for background work`],
  ['docs/scaling.md', (more: string) => `20 connections for requests and ${more} for background work`],
])('%s says how many connections a process has beside those of its requests', (page, says) => {
  expect(textOf(page)).toContain(says(String(connectionsOf({ DATABASE_CONNECTIONS: 0 }))));
});

it('the table of incidents in docs/operations.md says the rules of the program', () => {
  const rules = INCIDENT_KINDS.map((kind) => {
    const { beginsWhen, endsWhen } = INCIDENT_RULES[kind];
    return `|\`${kind}\`|${beginsWhen}|${endsWhen}|`;
  });
  const [, section = ''] = textOf('docs/operations.md').split('## Incidents');
  const listed = section
    .split('\n')
    .flatMap((line) => (/^\| *`[a-z_]+` *\|/.test(line) ? [line.replaceAll(/ *\| */g, '|').trim()] : []));
  expect(listed.slice(0, rules.length)).toEqual(rules);
});

it.each(guides)('%s begins with whom it is for', (page) => {
  const [, opening = ''] = /^# .+\n+((?:.+\n)+)/.exec(textOf(page)) ?? [];
  expect(opening).toMatch(/\bfor\b/i);
});

it.each(all)('%s has no table with more than six columns', (page) => {
  const wide = withoutCode(textOf(page))
    .split('\n')
    .filter((line) => line.startsWith('|') && line.replaceAll('\\|', '').split('|').length - 2 > 6);
  expect(wide).toEqual([]);
});

it.each(all)('every link of %s leads to a file that exists', (page) => {
  const links = [...withoutCode(textOf(page)).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
});

/** Makes GitHub's anchor for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (page: string): string[] =>
  [...withoutCode(textOf(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

it.each(all)('every link of %s to a heading leads to one', (page) => {
  const links = [...withoutCode(textOf(page)).matchAll(/\]\((?!https?:)([^)#\s]*\.md)?#([^)\s]+)\)/g)];
  const lost = links.filter(([, file, anchor = '']) => {
    const target = file === undefined ? page : normalize(join(dirname(page), file));
    return !anchorsOf(target).includes(anchor);
  });
  expect(lost.map(([link]) => link)).toEqual([]);
});

it.each(all.filter((page) => page !== 'docs/benchmarks.md'))('every path that %s names exists', (page) => {
  const named = [...textOf(page).matchAll(/(?:^|[`(\s])((?:src|test|prisma|examples)\/[\w./-]*\w)(?![\w./-]*[*<{])/gm)].map(
    ([, path = '']) => path,
  );
  expect(named.filter((path) => !existsSync(join(root, normalize(path))))).toEqual([]);
});

it.each(all)('every npm script that %s names exists', (page) => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };
  const named = [...textOf(page).matchAll(/npm run (\w[\w:-]*\w)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

it('docs/errors.md says of every error code its status, and what to do', () => {
  const listed = [...textOf('docs/errors.md').matchAll(/^## ([a-z_]+)\n\nStatus (\d{3})\. .+\n\n\*\*What to do:\*\* .+$/gm)];
  const statuses = listed.map(([, code = '', status]) => [code, Number(status)] as const);
  expect(Object.fromEntries(statuses)).toEqual(STATUS_OF);
  expect(statuses).toHaveLength(Object.keys(STATUS_OF).length);
});

/** Without a database the checks are left out, and still named. */
const doctorChecks = async (): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-docs-'));
  try {
    const config = parseConfig({ NODE_ENV: 'test', DATA_DIR: folder, MEDIA_STORAGE: folder });
    if (!config.ok) throw new Error(config.message);
    const databaseUrl = { ok: false, message: 'not asked' } as const;
    // The command checks the settings itself, before all others.
    const names = ['settings'];
    const findings = diagnose({ config: config.value as Config, databaseUrl, nodeVersion: process.version });
    for await (const { check } of findings) names.push(check);
    return names;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

it('docs/troubleshooting.md says what to do about each check of tenon doctor', async () => {
  const [, section = ''] = textOf('docs/troubleshooting.md').split('## What doctor says');
  const [table = ''] = section.split('\n### ');
  expect([...table.matchAll(/^\| `([\w. ]+)`/gm)].map(([, name]) => name)).toEqual(await doctorChecks());
});

it.each(['docs/getting-started.md', 'docs/api-guide.md'])('each block of TypeScript of %s names its file', (page) => {
  const code = blocksOf(page).filter(({ kind }) => kind === 'ts');
  expect(code.length).toBeGreaterThan(0);
  expect(code.filter((block) => fileOf(block) === undefined)).toEqual([]);
});

describe('a command that a sentence of src names', () => {
  const documented = [...textOf('docs/command-line.md').matchAll(/^### tenon (.+)$/gm)].map(([, command = '']) => command);
  /** `tenon help COMMAND` is `tenon COMMAND --help`. */
  const commands = [...documented, 'help'];
  const exists = (group: string, name: string): boolean =>
    commands.some((command) => command === group || command === `${group} ${name}` || (!name && command.startsWith(`${group} `)));
  /** The file has parts of scripts. */
  const others = ['src/adapters/cli/commands/completion.ts'];
  const named = sourceFiles('src')
    .filter((file) => !others.includes(file))
    .flatMap((file) =>
      [...textOf(file).matchAll(/(?<=[\w,.:;] |[`(])tenon ([a-z-]+)(?: ([a-z-]+))?/g)].map(([words, group = '', name = '']) => ({
        ...{ file, words, group, name },
      })),
    );

  it.each(named)('exists: $words in $file', ({ group, name }) => {
    expect(exists(group, name)).toBe(true);
  });
});
