import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { LoadRound, Prepared } from './load.ts';

const isInstalled = (): boolean => {
  try {
    execFileSync('which', ['wrk'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/**
 * wrk takes a tenth of autocannon's processor time, which counts where the servers are to fill all
 * processors.
 */
export const hasWrk = isInstalled();

/** A Lua string. Lua has the same escapes as JSON, except for characters outside ASCII. */
const quoted = (text: string): string => {
  const json = JSON.stringify(text);
  if (json.includes('\\u') || /[^\x20-\x7e]/.test(json)) throw new Error('wrk is given requests of ASCII alone');
  return json;
};

/** wrk adds a Host of its own where it finds none under this very name. */
const nameOf = (header: string): string => (header === 'host' ? 'Host' : header);

const script = (requests: readonly Prepared[], offset: number): string => `
local requests = {
${requests
  .map(({ method, path, headers, body }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${quoted(nameOf(name))}]=${quoted(value)}`);
    return `  {${quoted(method)}, ${quoted(path)}, {${fields.join(', ')}}, ${body === undefined ? 'nil' : quoted(body)}},`;
  })
  .join('\n')}
}
local raw, at = {}, ${offset}
function init()
  for n, r in ipairs(requests) do raw[n] = wrk.format(r[1], r[2], r[3], r[4]) end
end
function request()
  at = at % #raw + 1
  return raw[at]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"count":%d,"micros":%d,"p50":%d,"p99":%d,"errors":%d}\\n', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end`;

interface Done {
  readonly count: number;
  readonly micros: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

const run = async (directory: string, url: string, connections: number, seconds: number, text: string): Promise<Done> => {
  const file = join(directory, `${new URL(url).port}.lua`);
  writeFileSync(file, text);
  const args = ['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`, '--script', file, url];
  const { stdout } = await promisify(execFile)('wrk', args);
  const line = stdout.split('\n').find((text) => text.startsWith('{'));
  if (line === undefined) throw new Error(`wrk told no figures: ${stdout}`);
  return JSON.parse(line) as Done;
};

/**
 * Sends the requests in turn for `seconds`, with one wrk per address that gets its share of the
 * connections. The percentiles are those of the worst address.
 */
export const sendByWrk = async (
  requests: readonly Prepared[],
  urls: readonly string[],
  connections: number,
  seconds: number,
): Promise<LoadRound> => {
  const directory = mkdtempSync(join(tmpdir(), 'tenon-wrk-'));
  try {
    const each = Math.floor(connections / urls.length);
    const done = await Promise.all(
      urls.map((url, at) =>
        run(directory, url, each, seconds, script(requests, Math.floor((at * requests.length) / urls.length))),
      ),
    );
    const most = (of: 'p50' | 'p99'): number => Math.max(...done.map((one) => one[of])) / 1000;
    return {
      count: done.reduce((total, { count }) => total + count, 0),
      rate: done.reduce((total, { count, micros }) => total + (count * 1e6) / micros, 0),
      p50: most('p50'),
      p99: most('p99'),
      errors: done.reduce((total, { errors }) => total + errors, 0),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
};
