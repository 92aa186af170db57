import { parseArgs } from 'node:util';
import pino from 'pino';

import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { parseConfig } from '../../src/adapters/wiring/settings/config.ts';
import { start } from '../../src/adapters/wiring/start.ts';
import { fillLarge } from './fill.ts';

const ABOUT = `Makes the demo store, and fills it: 1,000,000 events, 500,000 deliveries, 271 apps, 1,002 stores and 14 receivers that fail.
A second run changes nothing.

  npm run demo:large -- --data-dir=data/large
  npm run demo:large -- --database-url=postgresql://... --data-dir=data/large

The data directory has the secrets, and the database where none is named. Then start a server on it:`;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: 'data/large' },
    'database-url': { type: 'string' },
    // For a short run, in thousands of events.
    thousands: { type: 'string', default: '1000' },
  },
});
const { 'data-dir': dataDir, 'database-url': given, thousands } = values;
say(ABOUT);
say(`  DATA_DIR=${dataDir}${given === undefined ? '' : ' DATABASE_URL=...'} npm start\n`);

const database = given === undefined ? await startEmbeddedPostgres({ dataDir, onProgress: say }) : null;
const url = database?.url ?? given ?? '';
try {
  // The demo of a first start: its catalogue, its app and its receiver, by the use cases.
  const env = { ...process.env, NODE_ENV: 'development', DATA_DIR: dataDir, DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0' };
  const config = parseConfig(env);
  if (!config.ok) throw new Error(config.message);
  const running = await start(config.value, pino({ level: 'error' }, pino.destination(2)));
  await running.stop({ drains: false });
  await fillLarge(url, Number(thousands) * 1_000, say);
} finally {
  await database?.stop();
}
