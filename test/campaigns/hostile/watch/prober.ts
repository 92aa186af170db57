import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { rssMb } from '../../../../bench/support/process.ts';
import type { Probe, Probed, Reading, Seen, Setup } from './protocol.ts';

// A process of its own: a process that is busy making hostile bodies can't measure how long others wait.

const EVERY_MS = 5;
const RSS_EVERY_MS = 10;

const failures: string[] = [];

/** Sends a request. A kept connection that the server closed meanwhile is opened again, as any client would. */
const ask = (probe: Probe, agent: Agent): Promise<void> =>
  new Promise((resolve) => {
    const failed = (reason: string): void => {
      failures.push(`${probe.url}: ${reason}`);
      resolve();
    };
    const sent = request(probe.url, { agent, headers: probe.headers }, (answer) => {
      answer.on('error', (error) => failed(error.message));
      answer.on('end', () => (answer.statusCode === 200 ? resolve() : failed(String(answer.statusCode))));
      answer.resume();
    });
    sent.on('error', (error) => {
      if (sent.reusedSocket) void ask(probe, agent).then(resolve);
      else failed(error.message);
    });
    sent.end();
  });

/**
 * From the kernel's account of the process's first thread, in which Node runs its event loop. 0
 * where there is no such account.
 */
const unscheduledMs = (pid: number): number => {
  try {
    const [, waited = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0;
  }
};

const memoryOf = (pid: number): number => {
  try {
    return rssMb(pid);
  } catch {
    return 0;
  }
};

interface Loop {
  readonly longest: () => number;
  /** Resolves once a request has been answered that was sent after this call. */
  readonly fence: () => Promise<void>;
  readonly reset: () => void;
}

const loopOf = (probe: Probe, pid: number): Loop => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const unscheduled = (): number => unscheduledMs(pid) + unscheduledMs(process.pid);
  let longest = 0;
  let sent = 0;
  let waiting: { readonly from: number; readonly resolve: () => void }[] = [];
  const run = async (): Promise<void> => {
    for (;;) {
      sent += 1;
      const [number, begun, before] = [sent, performance.now(), unscheduled()];
      await ask(probe, agent);
      longest = Math.max(longest, performance.now() - begun - (unscheduled() - before));
      for (const { from, resolve } of waiting) if (number > from) resolve();
      waiting = waiting.filter(({ from }) => number <= from);
      await pause(EVERY_MS);
    }
  };
  void run();
  return {
    longest: () => longest,
    fence: () => new Promise((resolve) => waiting.push({ from: sent, resolve })),
    reset: () => (longest = 0),
  };
};

const serverOf = ({ pid, probes }: Probed) => {
  const loops = probes.map((probe) => loopOf(probe, pid));
  let peakRss = memoryOf(pid);
  setInterval(() => (peakRss = Math.max(peakRss, memoryOf(pid))), RSS_EVERY_MS);
  return {
    fence: () => Promise.all(loops.map(({ fence }) => fence())),
    /** Observations since the last call. */
    seen: (): Seen => {
      const rss = memoryOf(pid);
      const seen: Seen = {
        waitMs: Math.max(...loops.map(({ longest }) => longest())),
        peakRss: Math.max(peakRss, rss),
        rss,
      };
      for (const { reset } of loops) reset();
      peakRss = rss;
      return seen;
    },
  };
};

process.once('message', ([first, second]: Setup) => {
  const [target, twin] = [serverOf(first), serverOf(second)];
  const read = async (): Promise<void> => {
    await Promise.all([target.fence(), twin.fence()]);
    const reading: Reading = { seen: [target.seen(), twin.seen()], failures: failures.splice(0) };
    process.send?.(reading);
  };
  process.on('message', () => void read());
});
// The parent has ended.
process.once('disconnect', () => process.exit(0));
