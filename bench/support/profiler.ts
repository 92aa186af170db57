import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';

// Loaded before a process that is to be profiled: from SIGUSR2 on, until it ends. What it does to start up is not of interest.
const session = new Session();
session.connect();
process.once('SIGUSR2', () => {
  session.post('Profiler.enable');
  session.post('Profiler.start');
  process.once('exit', () => {
    session.post('Profiler.stop', (_error, { profile }) => {
      writeFileSync(join(process.env['BENCH_PROFILES'] ?? '', `${process.pid}.cpuprofile`), JSON.stringify(profile));
    });
  });
});
