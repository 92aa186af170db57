import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

/** Logs a line when it is asked to, and ends. */
const PROGRAM = `
  const { createLogger } = await import(process.argv[1]);
  const log = createLogger('info');
  process.stdin.once('data', () => {
    log.info('the last line');
    process.exit(3);
  });
  process.stderr.write('ready');
`;

const start = async () => {
  const logger = join(inject('built'), 'src/adapters/node/logger.js');
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, logger]);
  await once(child.stderr, 'data');
  return child;
};

it('a process writes its last line as it ends, and ends where nobody reads it', async () => {
  const read = await start();
  let text = '';
  read.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  read.stdin.write('end');
  expect(await once(read, 'close')).toEqual([3, null]);
  expect(text).toContain('the last line');
  const unread = await start();
  unread.stdout.destroy();
  await once(unread.stdout, 'close');
  unread.stdin.write('end');
  expect(await once(unread, 'exit')).toEqual([3, null]);
});
