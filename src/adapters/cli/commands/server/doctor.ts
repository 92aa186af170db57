import { reachDatabase } from '../../../wiring/archive/reach-database.ts';
import { parseConfig, type Config } from '../../../wiring/settings/config.ts';
import { diagnose } from '../../../wiring/doctor/diagnose.ts';
import { failed, fine, warning, type Finding, type UnnamedFinding, type Severity } from '../../../storage/finding.ts';
import { unknownSettings } from '../../../wiring/settings/unknown-settings.ts';
import { StartFailure } from '../../../startup/start-failure.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure } from '../../failure.ts';
import { createPrinter, type Printer, type PrintFlags } from '../../output/printer.ts';
import type { Style } from '../../output/style.ts';
import { existingSettings } from './settings.ts';

const STYLES: Readonly<Record<Severity, Style>> = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'dim' };
const NAME_WIDTH = 16;

const show = (print: Printer, finding: Finding): void => {
  const { check, result, message, remedy } = finding;
  const marked = { text: result.padEnd(7), style: STYLES[result] };
  if (!print.isForPeople) print.line(finding, [check, result, message, remedy]);
  else {
    print.line(finding, [marked, check.padEnd(NAME_WIDTH), message]);
    if (remedy !== null) print.line(finding, [' '.repeat(7), ' '.repeat(NAME_WIDTH), { text: remedy, style: 'bold' }]);
  }
};

const oneLine = (error: unknown): string => {
  if (error instanceof StartFailure) return error.message;
  throw error;
};

const reach = async (config: Config, print: Printer) => {
  try {
    const { url, stop } = await reachDatabase(config, { isBesideNodes: true, onProgress: print.say });
    return { address: { ok: true, value: url } as const, stop };
  } catch (error) {
    return { address: { ok: false, message: oneLine(error) } as const, stop: () => Promise.resolve() };
  }
};

const checkNames = ({ NODE_ENV }: Config, env: CliContext['process']['env']): UnnamedFinding => {
  const unknown = unknownSettings(env).map(({ message }) => message);
  const message = `valid, for ${NODE_ENV}`;
  return unknown.length === 0
    ? fine(message)
    : warning(`${message}, but ${unknown.join(' ')}`, 'Correct the names, or remove them. See tenon config.');
};

async function* findings(print: Printer, env: CliContext['process']['env']): AsyncGenerator<Finding> {
  let config: Config;
  try {
    config = await existingSettings(parseConfig(env));
  } catch (error) {
    const remedy = 'See tenon config. Run tenon doctor in the folder of the server and with its environment.';
    yield { check: 'settings', ...failed(oneLine(error), remedy) };
    return;
  }
  yield { check: 'settings', ...checkNames(config, env) };
  const { address, stop } = await reach(config, print);
  try {
    yield* diagnose({ config, databaseUrl: address, nodeVersion: process.version });
  } finally {
    await stop();
  }
}

/** Looks at all that a server needs. Fails when it finds a fault; a warning does not fail it. */
export const doctorCommand = async ({ process: streams }: CliContext, flags: PrintFlags): Promise<void> => {
  const print = createPrinter(streams, flags);
  const counted = { ok: 0, warning: 0, failed: 0, skipped: 0 };
  for await (const finding of findings(print, streams.env)) {
    counted[finding.result] += 1;
    if (flags.quiet !== true || finding.result === 'failed' || finding.result === 'warning') show(print, finding);
  }
  if (counted.failed > 0)
    throw new CommandFailure(counted.failed === 1 ? 'One check failed.' : `${String(counted.failed)} checks failed.`);
  print.say(counted.warning === 0 ? 'Everything is fine.' : 'No check failed, but read the warnings.');
};
