import { expect, it } from 'vitest';

import { parseConfig } from '../../src/adapters/wiring/settings/config.ts';
import { apiProcesses, connectionsOf } from '../../src/adapters/wiring/settings/derived-settings.ts';
import { textOf } from './source.ts';

/** `superuser_reserved_connections` of PostgreSQL, unless it is set. */
const RESERVED = 3;

/** Rounded up to the next ten, for two nodes and the one more that runs during an upgrade. */
const neededWith = (settings: Readonly<Record<string, string>>): number => {
  const config = parseConfig(settings);
  if (!config.ok) throw new Error(config.message);
  const processes = 3 * (1 + apiProcesses(config.value, 1));
  return Math.ceil((processes * connectionsOf(config.value) + RESERVED) / 10) * 10;
};

it('docs/deployment.md gives its example of two nodes the max_connections that doctor asks for', () => {
  const [, one, two] =
    /`max_connections = (\d+)`.* opens up to 37, .* With `WORKERS=2` it is `(\d+)`/.exec(textOf('docs/deployment.md')) ?? [];
  expect([one, two]).toEqual([neededWith({}), neededWith({ WORKERS: '2' })].map(String));
});
