import { plural } from '../../../../domain/values/plural.ts';
import type { Balancing, Shards } from '../../../storage/shards.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure } from '../../failure.ts';
import { createPrinter, type Printer, type PrintFlags } from '../../output/printer.ts';
import { showLine } from '../../output/progress.ts';
import { pause } from '../../../startup/deadline.ts';
import { moveText } from './move.ts';
import { withShards } from './connect.ts';

export interface BalanceFlags extends PrintFlags {
  readonly stop?: boolean;
}

const LOOK_MS = 1_000;

const balanceText = ({ done, total, moves, error }: Balancing): string => {
  const [move] = moves;
  return [
    `${String(done)} of ${String(total)} moved`,
    move && `${move.from} to ${move.to}: ${moveText(move)}`,
    error !== null && `a move failed and is tried again: ${error}`,
  ]
    .filter(Boolean)
    .join('; ');
};

/** Follows the moves until they end. Null where the person has left before. */
const follow = async (shards: Shards, context: CliContext, flags: BalanceFlags): Promise<Balancing | null> => {
  const signal = context.interrupted();
  let text = 'begins';
  const hide = showLine({ process: context.process, quiet: flags.quiet === true, read: () => text });
  try {
    while (!signal.aborted) {
      const now = await shards.balancing();
      if (now?.state !== 'running') return now;
      text = balanceText(now);
      await pause(LOOK_MS, { signal });
    }
    return null;
  } finally {
    hide();
  }
};

const say = (print: Printer, ended: Balancing, flags: BalanceFlags): void => {
  const { state, done, total, error } = ended;
  if (flags.json === true) print.one({ state, moved: done, of: total, error }, {});
  const moved = `${String(done)} of ${plural(total, 'shard group')} moved`;
  if (state === 'failed')
    throw new CommandFailure(`Not all moves could be made, ${moved}: ${error ?? 'see the log of the coordinator'}`);
  if (state === 'cancelled' && flags.stop !== true) throw new CommandFailure(`Somebody has stopped the moves: ${moved}.`);
  print.say(`${state === 'cancelled' ? 'Stopped' : 'Done'}: ${moved}.`);
};

export const balanceShards = (context: CliContext, flags: BalanceFlags): Promise<void> =>
  withShards(context, async (shards) => {
    const print = createPrinter(context.process, flags);
    const isRunning = (await shards.balancing())?.state === 'running';
    if (flags.stop === true) {
      if (!isRunning) throw new CommandFailure('No shard group is being moved.');
      await shards.stopBalancing();
    } else if (isRunning) print.say('The moves run already.');
    else if (!(await shards.balance())) {
      if (flags.json === true) print.one({ state: 'finished', moved: 0, of: 0, error: null }, {});
      print.say('The nodes are balanced. Nothing is moved.');
      return;
    }
    const ended = await follow(shards, context, flags);
    if (ended === null)
      print.say('The moves continue without this command. tenon shards balance shows them again, and --stop ends them.');
    else say(print, ended, flags);
  });
