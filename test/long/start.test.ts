import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { createEmptyDatabase } from '../support/postgres.ts';
import { BUILT, startsOfThisFile } from '../support/starts.ts';

const starts = startsOfThisFile();

describe('the server', () => {
  it('LOG_LEVEL is the lowest severity that it logs', async () => {
    const made = starts.run({ LOG_LEVEL: 'error' });
    await made.says('Tenon is ready');
    expect(made.out()).not.toContain('"msg":"listening"');
    expect(await made.stop()).toBe(0);
  });

  it('names an unknown setting at once', async () => {
    const made = starts.run({ RATE_LIMIT_PERSECOND: '5', DATABASE_URL: 'postgresql://127.0.0.1:1/nowhere' });
    await made.says('RATE_LIMIT_PERSECOND is not a setting, and has no effect. The nearest setting is RATE_LIMIT_PER_SECOND.');
    await made.stop();
  });

  it('--help starts nothing', async () => {
    const made = starts.run({}, [...BUILT, '--help']);
    expect(await made.ended).toBe(0);
    expect(made.out()).toContain('tenon start --help');
  });

  it('two nodes that start at the same time on an empty database create one demo store', async () => {
    const database = await createEmptyDatabase();
    const nodes = [starts.run({ DATABASE_URL: database.url }), starts.run({ DATABASE_URL: database.url })];
    const printed = await Promise.all(nodes.map((node) => node.says('Tenon is ready')));
    expect(printed.filter((text) => text.includes('These secrets are shown once'))).toHaveLength(1);
    expect(printed.filter((text) => text.includes('The data of earlier starts is kept'))).toHaveLength(1);
    expect(await Promise.all(nodes.map((node) => node.stop()))).toEqual([0, 0]);
    await database.drop();
  });

  it('a signal during the start leaves no database behind', async () => {
    const DATA_DIR = join(starts.dataDir, 'interrupted');
    const made = starts.run({ DATA_DIR });
    await made.says('Making a database');
    expect(await made.stop()).toBe(0);
    expect(made.out().indexOf('"stopping"')).toBeLessThan(made.out().indexOf('"listening"'));
    expect(await readdir(DATA_DIR)).toEqual(['media', 'postgres', 'secrets.json', 'server.json']);
    expect(await readdir(join(DATA_DIR, 'postgres'))).not.toContain('postmaster.pid');
  });
});

describe('a failed start says why in one line and exits with 1', () => {
  /**
   * Root without its privileges: permissions apply to it as to any user. The tests' own user where
   * that is not root.
   */
  const asAnybody = process.geteuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', ...BUILT] : BUILT;

  it('a data directory that is a file, or below one', async () => {
    const file = join(starts.dataDir, 'file');
    await writeFile(file, '');
    for (const DATA_DIR of [file, join(file, 'below')]) expect(await starts.fails({ DATA_DIR })).toContain(DATA_DIR);
  });

  it.runIf(process.platform === 'linux')('a data directory in which no folder can be created', async () => {
    expect(await starts.fails({ DATA_DIR: '/proc/tenon' })).toMatch(
      /^tenon: The data directory \/proc\/tenon cannot be written: ENOENT/,
    );
  });

  it('a data directory of another user that cannot be written or entered', async () => {
    const foreign = join(starts.dataDir, 'foreign');
    await mkdir(foreign);
    await chmod(foreign, 0o500);
    expect(await starts.fails({ DATA_DIR: foreign }, asAnybody)).toMatch(
      /^tenon: The data directory .*foreign cannot be written: EACCES/,
    );
    expect(await starts.fails({ DATA_DIR: join(foreign, 'new') }, asAnybody)).toMatch(/cannot be written: EACCES/);
    await chmod(foreign, 0);
    expect(await starts.fails({ DATA_DIR: foreign }, asAnybody)).toMatch(/^tenon: .*foreign cannot be written: EACCES/);
  });

  it('a port that is taken', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    try {
      const DATA_DIR = join(starts.dataDir, 'not-made');
      expect(await starts.fails({ DATA_DIR, HOST: '127.0.0.1', PORT: String(port) })).toMatch(
        /^tenon: Port .* is taken\. .* PORT\.$/,
      );
      expect(await readdir(starts.dataDir)).not.toContain('not-made');
    } finally {
      holder.close();
    }
  });
});
