import { ExitCode, proposeCompletions, run, type StricliDynamicCommandContext } from '@stricli/core';

import type { CliContext, CliProcess } from './context.ts';
import { EXIT } from './failure.ts';
import { firstScreen } from './help.ts';
import { takeStopSignals } from '../startup/stop-signals.ts';
import { createPrinter, type Printer } from './output/printer.ts';
import { safeStreams } from './output/safe-output.ts';
import { root, tenon } from './tenon.ts';
import { commandFirst } from './usage.ts';

const USAGE: ReadonlySet<unknown> = new Set([ExitCode.InvalidArgument, ExitCode.UnknownCommand]);

/** Stricli has negative statuses for what it finds itself. */
const statusOf = (code: unknown): number => {
  if (USAGE.has(code)) return EXIT.usage;
  return typeof code === 'number' && code >= 0 ? code : EXIT.failed;
};

/**
 * Scripts of `tenon completion` run this with the words so far. It is not a command: the words may
 * be flags.
 */
const COMPLETE = 'complete';

const complete = async (
  words: readonly string[],
  context: StricliDynamicCommandContext<CliContext>,
  print: Printer,
): Promise<number> => {
  const found = await proposeCompletions(tenon, words, { ...context, words });
  for (const { completion, brief } of found) print.raw(`${completion}\t${brief}\n`);
  return EXIT.done;
};

/**
 * Runs one command. Gives its exit status (failure.ts), and does not end the process.
 */
export const runTenon = async (args: readonly string[], streams: CliProcess, interrupted = takeStopSignals): Promise<number> => {
  // Stricli keeps a status that is there already.
  const own = safeStreams(streams);
  let signal: AbortSignal | undefined;
  const context = {
    process: own,
    interrupted: () => (signal ??= interrupted()),
  } as StricliDynamicCommandContext<CliContext>;
  const [first, ...words] = args;
  const print = createPrinter(own, {});
  if (first === COMPLETE) return complete(words, context, print);
  const asked = first === 'help' ? [...words, '--help'] : commandFirst(args);
  if (asked.length === 0 || (asked.length === 1 && /^(?:-h|--help)$/.test(asked[0] ?? ''))) {
    print.raw(firstScreen(root, (text) => print.paint('bold', text)));
    return EXIT.done;
  }
  await run(tenon, asked, context);
  const status = statusOf(own.exitCode);
  return status === EXIT.done && signal?.aborted === true ? EXIT.interrupted : status;
};
