import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { root } from '../architecture/source.ts';
import { freePort } from '../support/free-port.ts';
import { blocksOf, fileOf, promised, words, type Block } from '../support/guide.ts';
import { compiledMain, runMain, type MainProcess } from '../support/main-process.ts';

/** In the order in which a reader takes them: the second continues in the folder of the first. */
const PAGES = ['docs/getting-started.md', 'docs/api-guide.md'];
const MARK = '--- the output of block';
const isStart = ({ kind, text }: Block): boolean => kind === 'sh' && /^npm (ci|start)$/m.test(text);
const blocks = PAGES.flatMap(blocksOf).filter((block) => !isStart(block));

let server: MainProcess;
let folder: string;
/** Output of each block of commands, by its place. */
let printed: ReadonlyMap<number, string>;

/** The pages' commands as one script, with the ports and programs of this test. */
const scriptOf = (ports: Readonly<Record<string, string>>): string =>
  blocks
    .flatMap(({ kind, text }, place) => (kind === 'sh' ? [`echo '${MARK} ${place}'\n${text}`] : []))
    .join('\n')
    .replaceAll(':4000', `:${ports['PORT']}`)
    .replaceAll('npx tenon', compiledMain().join(' '))
    .replaceAll('npx tsx', `${process.execPath} --import tsx`);

/** Prepares the reader's clone. */
const prepare = async (ports: Readonly<Record<string, string>>): Promise<void> => {
  await mkdir(join(folder, 'my-app'));
  for (const name of ['node_modules', 'clients', 'package.json', 'examples']) await symlink(join(root, name), join(folder, name));
  await cp(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  for (const block of blocks.filter(({ kind }) => kind === 'ts')) {
    const text = block.text.replaceAll(':4000', `:${ports['PORT']}`).replaceAll('8090', ports['RECEIVER'] ?? '');
    await writeFile(join(folder, fileOf(block) ?? 'unnamed.ts'), text);
  }
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-guides-'));
  const ports = { PORT: String(await freePort()), ADMIN_PORT: String(await freePort()), RECEIVER: String(await freePort()) };
  await prepare(ports);
  const env = { DATA_DIR: join(folder, 'data'), PORT: ports.PORT, ADMIN_PORT: ports.ADMIN_PORT, XDG_CONFIG_HOME: folder };
  server = runMain({ env });
  await server.says('Tenon is ready');
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', scriptOf(ports)], {
    cwd: folder,
    timeout: 150_000,
    env: { ...process.env, ...env, NO_COLOR: '1' },
  });
  printed = new Map(
    stdout
      .split(MARK)
      .slice(1)
      .map((part) => [Number.parseInt(part, 10), part.slice(part.indexOf('\n') + 1)]),
  );
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a reader who pastes the guides', () => {
  const promises = blocks.flatMap(({ kind, text }, place) => {
    const commands = blocks.findLastIndex((block, before) => before < place && block.kind === 'sh');
    return kind === 'text' ? [{ text, commands, shown: words(text) }] : [];
  });

  it.each(promises)('gets what they say: $shown', ({ text, commands }) => {
    expect(words(printed.get(commands) ?? 'nothing')).toMatch(promised(text));
  });

  it('sees the deliveries as delivered', () => {
    const place = blocks.findIndex(({ text }) => text.includes('deliveries list'));
    expect(printed.get(place)?.match(/\tDelivered\t/g)).toHaveLength(2);
  });

  it('gets code that passes the strict checks of the compiler', async () => {
    const files = (await readdir(join(folder, 'my-app'))).map((name) => join('my-app', name));
    const { compilerOptions } = JSON.parse(await readFile(join(folder, 'tsconfig.json'), 'utf8')) as { compilerOptions: object };
    expect(compilerOptions).toMatchObject({ strict: true, exactOptionalPropertyTypes: true });
    await writeFile(join(folder, 'tsconfig.guides.json'), JSON.stringify({ extends: './tsconfig.json', include: files }));
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.guides.json'], { cwd: folder });
    expect(stdout.toString()).toBe('');
  });
});
