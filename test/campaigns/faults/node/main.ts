import { join } from 'node:path';

import { runApiProcess } from '../../../../src/adapters/wiring/processes/api-process.ts';
import { parent, type Parent } from '../../../../src/adapters/wiring/processes/fork.ts';
import { openProcesses } from '../../../../src/adapters/wiring/processes/open-processes.ts';
import { parseConfig, readConfig } from '../../../../src/adapters/wiring/settings/config.ts';
import { apiProcesses } from '../../../../src/adapters/wiring/settings/derived-settings.ts';
import { NEVER_EMPTY, withLocalSecrets } from '../../../../src/adapters/startup/local-secrets.ts';
import { createLogger } from '../../../../src/adapters/node/logger.ts';
import { startServer, type Server } from '../../../../src/adapters/wiring/serve/server.ts';
import { fillDisk, tellingOfFullDisk } from './disk.ts';
import { arm, withFailpoints } from './failpoints.ts';
import type { Command, Report, StartCommand } from './commands.ts';
import { withBug } from './bugs.ts';

// A Tenon of the campaign's: it loads everything, waits for the order to start, and can be made to die at a named point. The product holds
// no line of it. Loading costs a second of processor time, so a campaign keeps some that have done it.

const tell = (report: Report): void => void process.send?.(report);

/** Sets this node's clock wrong, for all that asks it in JavaScript; timers go by another. */
const skewClock = (offsetMs: number): void => {
  const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...args: [] | ConstructorParameters<DateConstructor>) {
      if (args.length === 0) super(Right.now() + offsetMs);
      else super(...args);
    }
    static override now(): number {
      return Right.now() + offsetMs;
    }
  } as DateConstructor;
};

let dataFolder = '';

const start = async ({ settings, databaseUrl, clockOffsetMs, plant }: StartCommand): Promise<Server> => {
  if (clockOffsetMs !== 0) skewClock(clockOffsetMs);
  const parsed = parseConfig({ ...settings, DATABASE_URL: databaseUrl });
  if (!parsed.ok) throw new Error(parsed.message);
  const config = await withLocalSecrets(parsed.value, NEVER_EMPTY);
  dataFolder = config.DATA_DIR;
  const processes = apiProcesses(config, 1);
  // Settings of the API processes, which this process got by its order. Nothing is planted in them.
  if (processes > 0) Object.assign(process.env, settings);
  return startServer(config, databaseUrl, createLogger(config.LOG_LEVEL), {
    decorate: (ports) => withFailpoints(withBug(tellingOfFullDisk(ports), plant, databaseUrl)),
    ...(processes > 0 && { openProcesses: openProcesses(processes, databaseUrl) }),
  });
};

let starting: Promise<Server> | undefined;

const begin = (order: StartCommand): void => {
  starting = start(order);
  starting.then(
    ({ url, adminUrl }) => tell({ kind: 'listening', url: url ?? '', adminUrl }),
    (error: unknown) => tell({ kind: 'failed', message: error instanceof Error ? (error.stack ?? '') : String(error) }),
  );
};

/** An API process of such a Tenon. */
const runForked = async (forkedBy: Parent): Promise<void> => {
  const parsed = readConfig();
  if (!parsed.ok) throw new Error(parsed.message);
  await runApiProcess(parsed.value, createLogger(parsed.value.LOG_LEVEL), forkedBy);
};

const listen = (): void => {
  process.on('message', (order: Command) => {
    if (order.kind === 'start') begin(order);
    else if (order.kind === 'disk') fillDisk(order.full && join(dataFolder, order.full));
    else arm(order.kind === 'arm' ? order : null);
    if (order.kind === 'disarm') tell({ kind: 'disarmed' });
  });
  // Equals src/main.ts.
  process.on('SIGTERM', () => {
    void starting?.then((server) => server.stop()).then(() => process.exit(0));
  });
  // Without the campaign nobody would end it.
  process.on('disconnect', () => process.exit());
  tell({ kind: 'loaded' });
};

const forkedBy = parent();
if (forkedBy) void runForked(forkedBy).then(() => process.exit());
else listen();
