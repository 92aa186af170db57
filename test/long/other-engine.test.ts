import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { root } from '../architecture/source.ts';
import { runMain, type MainProcess } from '../support/main-process.ts';
import { redisAvailable, startRedis, type TestRedis } from '../support/redis.ts';
import { asAdmin, SETTINGS } from '../support/server.ts';

const FROM = 'test/support/other-engine';
const TO = 'src/adapters/other';

/** A copy of the source with another engine in a folder of its own, and one line in the list. */
const copyWithEngine = async (): Promise<string> => {
  // Beside the packages: Node resolves the real path of a link.
  const copy = await mkdtemp(join(root, 'node_modules/.other-engine-'));
  for (const name of ['src', 'test/memory', 'test/support/other-engine', 'prisma', 'docs', '.ci', 'package.json'])
    await cp(join(root, name), join(copy, name), { recursive: true });
  for (const name of ['tsconfig.json', '.dependency-cruiser.cjs', '.oxlintrc.json']) await cp(join(root, name), join(copy, name));
  await symlink(join(root, 'console'), join(copy, 'console'));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  await mkdir(join(copy, TO));
  for (const file of ['engine.ts', 'index.ts']) {
    const text = await readFile(join(root, FROM, file), 'utf8');
    const moved = text
      .replaceAll('../../../src/adapters/', '../')
      .replaceAll('../../../src/', '../../')
      .replaceAll('../../memory/', '../../../test/memory/');
    await writeFile(join(copy, TO, file), moved);
  }
  const list = join(copy, 'src/adapters/wiring/storage.ts');
  const text = await readFile(list, 'utf8');
  await writeFile(
    list,
    text.replace('[postgresql]', '[postgresql, other]').replace(/^/, "import { other } from '../other/engine.ts';\n"),
  );
  return copy;
};

describe.skipIf(!redisAvailable)('an engine that one line adds', () => {
  let copy: string;
  let redis: TestRedis;
  let env: Record<string, string>;
  const tenon = (command: string, more: Record<string, string> = {}): MainProcess =>
    runMain({
      cwd: copy,
      command: [process.execPath, '--import', 'tsx', 'src/main.ts', command],
      env: { ...SETTINGS, ...env, ...more },
    });

  beforeAll(async () => {
    [copy, redis] = await Promise.all([copyWithEngine(), startRedis()]);
    const media = join(copy, 'media');
    await mkdir(media);
    env = {
      DATABASE_URL: `other:${join(copy, 'rows')}`,
      REDIS_URL: redis.url,
      WORKERS: '1',
      MEDIA_STORAGE: media,
      DATA_DIR: copy,
    };
  });
  afterAll(async () => {
    await redis.stop();
    await rm(copy, { recursive: true });
  });

  it('migrates', async () => {
    const migration = tenon('migrate');
    expect([await migration.ended, migration.err()]).toEqual([0, expect.stringContaining('The database is up to date.')]);
  });

  it('is refused where the settings need what it does not promise, or its address is wrong', async () => {
    const [noQueue, wrong, unknown] = [
      tenon('start', { REDIS_URL: '' }),
      tenon('start', { DATABASE_URL: 'other:rows' }),
      tenon('start', { DATABASE_URL: 'another:/rows' }),
    ];
    expect(await Promise.all([noQueue.ended, wrong.ended, unknown.ended])).toEqual([1, 1, 1]);
    expect(noQueue.err() + noQueue.out()).toContain('cannot keep the queue: set REDIS_URL');
    expect(wrong.err() + wrong.out()).toContain('DATABASE_URL: must be a URL that begins with other:/');
    expect(unknown.err() + unknown.out()).toContain('name, or with other:/ and the path of a file');
  });

  it('is examined: the doctor names its ports that are missing, and the queue that it cannot keep', async () => {
    const doctor = tenon('doctor', { REDIS_URL: '' });
    expect(await doctor.ended).toBe(1);
    expect(doctor.out()).toMatch(/ports\s+failed\s+the storage adapter is not complete: there is no finder\b/);
    expect(doctor.out()).toMatch(/queue\s+failed\s+Other cannot keep the queue/);
    expect(doctor.out()).toMatch(/database\s+ok\s+Other 1\.0/);
  });

  it('serves requests, alone, and answers a port that is missing as an outage with its name', async () => {
    const server = tenon('start');
    const { adminUrl } = JSON.parse(
      (await server.says('"msg":"listening"')).split('\n').find((line) => line.includes('"listening"')) ?? '',
    ) as {
      adminUrl: string;
    };
    const made = await asAdmin({ adminUrl }, 'POST', '/admin/stores', { domain: 'shop.test', name: 'Shop', currency: 'EUR' });
    expect(made.status).toBe(201);
    const { id } = JSON.parse(made.body) as { id: string };
    const found = await asAdmin({ adminUrl }, 'GET', `/admin/stores/${id}/search?q=lamp`);
    expect(found.status).toBe(503);
    await server.says('There is no finder.find yet.');

    const second = tenon('start');
    expect(await second.ended).toBe(1);
    expect(second.err() + second.out()).toContain('The database of DATABASE_URL is in use.');

    // A process that was killed leaves its socket, and another one may start.
    await server.stop('SIGKILL');
    const third = tenon('start');
    await third.says('"msg":"listening"');
    expect(await third.stop()).toBe(0);
  });
});
