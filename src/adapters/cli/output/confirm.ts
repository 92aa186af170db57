import type { CliContext } from '../context.ts';
import { CommandFailure, EXIT } from '../failure.ts';

const firstLine = async (context: CliContext): Promise<string> => {
  let text = '';
  for await (const chunk of context.process.stdin) {
    text += chunk.toString();
    if (text.includes('\n')) break;
  }
  return text.trim().toLowerCase();
};

/**
 * Asks before something that cannot be undone. Only when both ends are terminals: a script has to give
 * --yes. Throws a CommandFailure unless the answer is yes.
 */
export const confirm = async (context: CliContext, question: string, yes: boolean | undefined): Promise<void> => {
  if (yes === true) return;
  const { stdin, stderr } = context.process;
  if (stdin.isTTY !== true || stderr.isTTY !== true) throw new CommandFailure(`${question} Add --yes to do it.`, EXIT.usage);
  stderr.write(`${question} [y/N] `);
  if (!/^y(es)?$/.test(await firstLine(context))) throw new CommandFailure('Nothing was changed.', EXIT.failed);
};
