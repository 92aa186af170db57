import { describe, expect, it } from 'vitest';

import { terminalLog } from '../../../src/adapters/cli/commands/server/terminal-log.ts';

const time = '2026-11-24T15:40:51.024Z';
const request = { level: 'info', time, method: 'POST', path: '/apps/token', status: 401, durationMs: 10.99, msg: 'request' };

const open = () => {
  const written: string[] = [];
  const { write, ...log } = terminalLog({ raw: (text) => written.push(text), paint: (_style, text) => text });
  return { ...log, written, write: (line: object) => write(JSON.stringify(line)) };
};

describe('the log on a terminal', () => {
  it('is a short line for each request and event', () => {
    const { open: begin, write, written } = open();
    begin();
    write({ ...request, requestId: '01a20e37-8a29-7000-a5e7-545fb7571b69', reason: 'wrong secret' });
    write({ level: 'info', time, signal: 'SIGINT', msg: 'stopping' });
    expect(written).toEqual(['15:40:51  401  POST /apps/token  11 ms  wrong secret\n', '15:40:51  stopping\n']);
  });

  it('has the stack of an error, and of a warning its sentence alone', () => {
    const { write, written } = open();
    const err = { message: 'no socket', stack: 'Error: no socket\n    at here' };
    write({ level: 'warn', time, err, msg: 'Work failed.' });
    write({ level: 'error', time, err, msg: 'Work failed.' });
    expect(written).toEqual([
      '15:40:51  warn  Work failed. no socket\n',
      '15:40:51  error  Work failed. no socket\n    at here\n',
    ]);
  });

  it('writes only what is wrong before the greeting, and only errors at a stop', () => {
    const { open: begin, close, write, written } = open();
    const each = ['info', 'warn', 'error'];
    const writeEach = (): void => {
      for (const level of each) write({ level, time, msg: '' });
    };
    for (const act of [() => undefined, begin, close]) {
      act();
      writeEach();
      written.push('---');
    }
    const levels = written.map((line) => line.slice(10).trim());
    expect(levels).toEqual(['warn', 'error', '', '', 'warn', 'error', '', 'error', '']);
  });

  it('shows the control characters of a request as escapes', () => {
    const { open: begin, write, written } = open();
    begin();
    write({ ...request, path: '/apps/\u001B[2J', reason: 'a\nb' });
    expect(written).toEqual(['15:40:51  401  POST /apps/\\u001B[2J  11 ms  a\\nb\n']);
  });
});
