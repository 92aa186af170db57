import { randomBytes } from 'node:crypto';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { judgeBackup } from '../../src/adapters/prisma/doctor/examine.ts';
import { backup } from '../../src/adapters/wiring/archive/backup.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { openApp, type OpenApp } from '../support/app.ts';
import { runTenonCommand } from '../support/tenon-command.ts';

const SECRET_KEYS = `k1:${randomBytes(32).toString('base64')}`;

let app: OpenApp;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-last-backup-'));
  app = await openApp({ ROLE: 'api', MEDIA_STORAGE: join(folder, 'media'), SECRET_KEYS });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const lastBackup = () => app.container.resolve(TOKENS.storage).lastBackup();
const settings = () => ({ ...app.container.resolve(TOKENS.config), DATABASE_URL: app.database.url });

it('a backup of all stores is recorded, and doctor says how old it is; one of a store is not', async () => {
  const { domain } = await app.aStore();
  expect(await lastBackup()).toBeNull();
  await backup(settings(), { file: join(folder, 'one.store'), store: domain });
  expect(await lastBackup()).toBeNull();
  expect(judgeBackup(null)).toMatchObject({ result: 'skipped', message: 'no backup was made by tenon backup' });

  const { rows, bytes } = await backup(settings(), { file: join(folder, 'all.backup') });
  const last = await lastBackup();
  expect(last).toEqual({ rows, bytes, ageSeconds: expect.any(Number) });
  expect(judgeBackup(last)).toMatchObject({ result: 'ok' });
  await app.database.query("UPDATE schema_generation SET backed_up_at = now() - interval '37 hours'");
  expect(judgeBackup(await lastBackup())).toMatchObject({
    result: 'warning',
    message: expect.stringContaining(`the last backup is 37.0 hours old: ${rows.toLocaleString('en')} rows, `),
  });
});

it('a backup of a database of an older version is made, and says that it is not recorded', async () => {
  await app.database.query('ALTER TABLE schema_generation DROP COLUMN backed_up_at');
  const env = { DATABASE_URL: app.database.url, MEDIA_STORAGE: join(folder, 'media'), SECRET_KEYS };
  const { status, said } = await runTenonCommand(['backup', join(folder, 'older.backup')], env).ended;
  expect([status, said]).toEqual([0, expect.stringContaining('The backup is complete, and is not recorded')]);
  await access(join(folder, 'older.backup'));
});
