import type { Input } from './context.ts';

/** All of standard input, without the white space at its ends. Empty at once on a terminal. */
export const readText = async (stdin: Input): Promise<string> => {
  if (stdin.isTTY === true) return '';
  let text = '';
  for await (const chunk of stdin) text += chunk.toString();
  return text.trim();
};
