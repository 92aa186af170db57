import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded by a server under fire before its own code. Answers two questions on a Unix socket: for how long the event loop was blocked at
// most, and, once the garbage has been collected, that it has been.

const EVERY_MS = 5;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Milliseconds for which the thread of the event loop was ready to run and had no processor. 0
 * where the kernel keeps no account of it.
 */
const unscheduledMs = (): number => {
  try {
    const [, waited = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0;
  }
};

let longestMs = 0;
let last = { at: performance.now(), unscheduled: unscheduledMs() };
setInterval(() => {
  const now = { at: performance.now(), unscheduled: unscheduledMs() };
  // The time without a processor is subtracted from each delay. The server causes the rest.
  longestMs = Math.max(longestMs, now.at - last.at - EVERY_MS - (now.unscheduled - last.unscheduled));
  last = now;
}, EVERY_MS).unref();

const answers: Readonly<Record<string, () => number>> = {
  read: () => {
    const ms = longestMs;
    longestMs = 0;
    return ms;
  },
  collect: () => {
    collect();
    return 0;
  },
};

const server = createServer((socket) => {
  socket.unref();
  createInterface(socket).on('line', (question) => socket.write(`${String(answers[question]?.())}\n`));
});
server.listen(process.env['METER_SOCKET']).unref();
