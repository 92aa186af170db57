import { expect, it } from 'vitest';

import { judgeConnections } from '../../src/adapters/prisma/doctor/database-checks.ts';
import { parseConfig } from '../../src/adapters/wiring/settings/config.ts';
import { apiProcesses, connectionsOf } from '../../src/adapters/wiring/settings/derived-settings.ts';
import { textOf } from './source.ts';

/** Rounded up to the next ten, while two nodes run. */
const neededWith = (settings: Readonly<Record<string, string>>): number => {
  const config = parseConfig(settings);
  if (!config.ok) throw new Error(config.message);
  const ofOneNode = 1 + apiProcesses(config.value, 1);
  const facts = { reserved: 3, others: 0, running: 2 * ofOneNode, ofOneNode, each: connectionsOf(config.value) };
  const { remedy } = judgeConnections({ ...facts, maximum: 100 });
  const asked = Number(/max_connections to (\d+)/.exec(remedy ?? '')?.[1]);
  expect(judgeConnections({ ...facts, maximum: asked })).toMatchObject({ result: 'ok' });
  expect(judgeConnections({ ...facts, maximum: asked - 1 })).toMatchObject({ result: 'warning' });
  return Math.ceil(asked / 10) * 10;
};

it('docs/deployment.md gives its example of two nodes the max_connections that doctor asks for', () => {
  const [, one, two] =
    /`max_connections = (\d+)`.* opens up to 35, .* With `WORKERS=2` it is `(\d+)`/.exec(textOf('docs/deployment.md')) ?? [];
  expect([one, two]).toEqual([neededWith({}), neededWith({ WORKERS: '2' })].map(String));
});
