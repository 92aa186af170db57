import { parseArgs, type ParseArgsConfig } from 'node:util';

import { exitOnSignals } from '../../../src/adapters/startup/stop-signals.ts';
import { messageOf } from '../../../src/domain/values/error.ts';

/**
 * The arguments of a campaign, with what to do about wrong ones. `--help` and a wrong one show the usage, and end it. The
 * processes that it starts end with it, too.
 */
export const readArguments = <const O extends NonNullable<ParseArgsConfig['options']>>(usage: string, options: O) => {
  const fail = (message: string): never => {
    process.stderr.write(`${message}\n\n${usage}`);
    process.exit(2);
  };
  const parse = () => {
    try {
      return parseArgs({ options, allowPositionals: true, args: process.argv.slice(2).filter((word) => word !== '--help') });
    } catch (error) {
      return fail(messageOf(error));
    }
  };
  if (process.argv.includes('--help')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  exitOnSignals();
  return {
    ...parse(),
    fail,
    positive: (name: string, given: string): number => {
      const value = Number(given);
      return value > 0 ? value : fail(`${name} must be a number above 0.`);
    },
    oneOf: <T extends string>(name: string, known: readonly T[], given: string | undefined): T | undefined => {
      if (given === undefined) return undefined;
      return known.find((one) => one === given) ?? fail(`There is no ${name} ${given}.`);
    },
    /** The command of this run, for its report. */
    commandOf: (script: string): string => [`npm run ${script} --`, ...process.argv.slice(2)].join(' '),
  };
};
