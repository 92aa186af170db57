import { type RouteMap, ExitCode, proposeCompletions, run, type StricliDynamicCommandContext } from '@stricli/core';

import { takeStopSignals } from '../startup/stop-signals.ts';
import type { CliContext, CliProcess } from './context.ts';
import { EXIT } from './failure.ts';
import { createPrinter, type Printer } from './output/printer.ts';
import { safeStreams } from './output/safe-output.ts';
import { root, tenon } from './tenon.ts';
import { commandFirst } from './usage.ts';

/** The commands by what a person wants to do, in the order of the first screen. */
export const COMMAND_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Run a server': ['start', 'config', 'doctor', 'migrate', 'backup', 'restore', 'keys', 'shards', 'verify'],
  'Look at a store': ['attention', 'incidents', 'stats', 'search', 'requests', 'open'],
  'Stores and apps': ['store', 'products', 'warehouses', 'app', 'platformApps', 'operators', 'audit'],
  'Events and webhooks': ['events', 'deliveries', 'subscriptions', 'listen'],
  'This machine': ['profile', 'completion'],
};

const NAME_WIDTH = 15;

const asTyped = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The first screen, which fits one terminal of 40 lines. */
const firstScreen = (root: RouteMap<CliContext>, heading: (text: string) => string): string => {
  const briefs = new Map(root.getAllEntries().map(({ name, target }) => [name.original, target.brief]));
  const groups = Object.entries(COMMAND_GROUPS).map(([title, names]) =>
    [heading(title), ...names.map((name) => `  ${asTyped(name).padEnd(NAME_WIDTH)}${briefs.get(name) ?? ''}`)].join('\n'),
  );
  return [
    `${root.brief}. Start with: tenon start`,
    groups.join('\n\n'),
    '',
    'Help: tenon help COMMAND. Remote: set TENON_ADMIN_URL and TENON_ADMIN_TOKEN.',
    '',
  ].join('\n');
};

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
