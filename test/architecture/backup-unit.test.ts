import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { textOf } from './source.ts';

/**
 * Extracts the script that the unit gives to `sh -eu -c`, with another folder, and with a command
 * in place of Tenon's.
 */
const scriptOf = (unit: string, folder: string, command: string): string => {
  const [, script = ''] = /^ExecStart=\/bin\/sh -eu -c '([^']*)'$/m.exec(unit) ?? [];
  return script
    .replaceAll('\\\n', '')
    .replaceAll('%%', '%')
    .replaceAll('/var/lib/tenon-backup', folder)
    .replace('/usr/bin/node /opt/tenon/node_modules/tenon/bin/tenon.js backup --media', command);
};

const HOUR = 3600;
const aged = (folder: string, name: string, hours: number): void => {
  const path = join(folder, name);
  writeFileSync(path, '');
  utimesSync(path, Date.now() / 1000 - hours * HOUR, Date.now() / 1000 - hours * HOUR);
};

it.each([
  ['is complete', 'touch', ['new.backup.b.unfinished', 'recent.backup']],
  ['fails', 'false', ['new.backup.b.unfinished', 'old.backup', 'recent.backup']],
])('a backup of the unit that %s leaves no draft of one that was killed', (_how, command, left) => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-backup-unit-'));
  try {
    aged(folder, 'killed.backup.a.unfinished', 13);
    aged(folder, 'new.backup.b.unfinished', 11);
    aged(folder, 'recent.backup', 13);
    aged(folder, 'old.backup', 16 * 24);
    const script = scriptOf(textOf('deploy/tenon-backup.service'), folder, command);
    expect(script).toContain(command);
    const run = () => execFileSync('/bin/sh', ['-eu', '-c', script], { env: { PATH: process.env['PATH'], KEEP_DAYS: '14' } });
    if (command === 'false') expect(run).toThrow();
    else run();
    const made = readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\dT\d{4}\d\dZ\.backup$/.test(name));
    expect(made).toHaveLength(command === 'false' ? 0 : 1);
    expect(readdirSync(folder).filter((name) => !made.includes(name))).toEqual(left);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
