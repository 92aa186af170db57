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

/** Only when both ends are terminals: a script has to give the flag. */
const answerTo = (context: CliContext, question: string, prompt: string, flag: string): Promise<string> => {
  const { stdin, stderr } = context.process;
  if (stdin.isTTY !== true || stderr.isTTY !== true) throw new CommandFailure(`${question} Add ${flag} to confirm.`, EXIT.usage);
  stderr.write(`${question} ${prompt} `);
  return firstLine(context);
};

/**
 * Asks before something that stops the work of others or that cannot be undone. Throws a CommandFailure unless the answer is yes.
 */
export const confirm = async (context: CliContext, question: string, yes: boolean | undefined): Promise<void> => {
  if (yes === true) return;
  const answer = await answerTo(context, question, '[y/N]', '--yes');
  if (!/^y(es)?$/.test(answer)) throw new CommandFailure('Nothing was changed.', EXIT.failed);
};

/** Has a person type what something is called, before it is gone for good. Throws a CommandFailure when nothing is typed. */
export const askFor = async (
  context: CliContext,
  question: string,
  { what, flag }: { readonly what: string; readonly flag: string },
): Promise<string> => {
  const answer = await answerTo(context, question, `Type ${what}:`, `${flag} with ${what}`);
  if (answer === '') throw new CommandFailure('Nothing was changed.', EXIT.failed);
  return answer;
};
