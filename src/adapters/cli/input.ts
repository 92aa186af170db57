import type { CliInput } from './context.ts';

/** All of standard input, without the white space at its ends. Empty at once on a terminal. */
export const readText = async (stdin: CliInput): Promise<string> => {
  if (stdin.isTTY === true) return '';
  let text = '';
  for await (const chunk of stdin) text += chunk.toString();
  return text.trim();
};
