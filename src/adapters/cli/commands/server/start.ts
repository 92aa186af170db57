import { redactingToken, type Redact } from '../../../../domain/identity/redact.ts';
import { parent, type Parent } from '../../../wiring/processes/fork.ts';
import { createLogger } from '../../../node/logger.ts';
import { readConfig, type ParsedConfig } from '../../../wiring/settings/config.ts';
import { runApiProcess } from '../../../wiring/processes/api-process.ts';
import { start } from '../../../wiring/start.ts';
import { unknownSettings } from '../../../wiring/settings/unknown-settings.ts';
import { StartFailure } from '../../../startup/start-failure.ts';
import type { CliContext } from '../../context.ts';
import { EXIT } from '../../failure.ts';
import { createPrinter } from '../../output/printer.ts';
import { terminalLog } from './terminal-log.ts';

/** Without a token that the operator chose, the first start makes one with a prefix. */
const redactOf = ({ ADMIN_TOKEN }: ParsedConfig): Redact | undefined =>
  ADMIN_TOKEN === undefined ? undefined : redactingToken(ADMIN_TOKEN);

/** An API process, which the primary process forked and stops. A signal to all of them is for the primary. */
const runForked = async (config: ParsedConfig, forkedBy: Parent, { interrupted }: CliContext): Promise<never> => {
  interrupted();
  const log = createLogger(config.LOG_LEVEL, { base: { pid: process.pid }, redact: redactOf(config) });
  try {
    await runApiProcess(config, log, forkedBy);
  } catch (error) {
    log.fatal({ err: error }, 'the API process cannot run');
    process.exit(EXIT.failed);
  }
  process.exit(EXIT.done);
};

/**
 * Starts the server and runs until a signal. Its signals are listened for from the beginning: one that
 * comes while it starts stops it once it has, and leaves no database behind.
 */
export const startCommand = async (context: CliContext): Promise<void> => {
  const config = readConfig();
  if (!config.ok) throw new StartFailure(config.message);
  const forkedBy = parent();
  if (forkedBy !== null) return runForked(config.value, forkedBy, context);
  const print = createPrinter(context.process, {});
  const terminal = print.isForPeople && config.value.NODE_ENV === 'development' ? terminalLog(print) : null;
  const log = createLogger(config.value.LOG_LEVEL, { redact: redactOf(config.value), write: terminal?.write });
  for (const { name, message } of unknownSettings(context.process.env)) log.warn({ setting: name }, message);
  const signal = context.interrupted();
  signal.addEventListener('abort', () => {
    log.info({ signal: signal.reason as string }, 'stopping');
    terminal?.close();
  });
  const running = await start(config.value, log);
  if (running.greeting !== null) print.raw(running.greeting);
  if (!signal.aborted) terminal?.open();
  const signalled = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const outdated = await Promise.race([signalled, running.outdated]);
  await running.stop({ drains: outdated === null });
  if (outdated !== null) print.say(`tenon: ${outdated}`);
  // Idle connections would keep the process for some seconds.
  process.exit(outdated === null ? EXIT.done : EXIT.outdated);
};
