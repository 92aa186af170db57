import { ArgumentScannerError, formatMessageForArgumentScannerError, text_en } from '@stricli/core';

const orList = (names: readonly string[]): string => names.join(names.length > 2 ? ', ' : ' or ');

const didYouMean = (names: readonly string[]): string => (names.length === 0 ? '' : ` Did you mean ${orList(names)}?`);

/** How a mistake in the command line is answered: what is wrong, what was probably meant, and where help is. */
export const USAGE_TEXT = {
  noCommandRegisteredForInput: ({ input, corrections }: { readonly input: string; readonly corrections: readonly string[] }) =>
    `tenon: There is no command ${input}.${didYouMean(corrections)} See \`tenon help\`.`,
  exceptionWhileParsingArguments: (error: unknown): string => {
    if (!(error instanceof ArgumentScannerError)) return `tenon: ${text_en.exceptionWhileParsingArguments(error, false)}`;
    const said = formatMessageForArgumentScannerError(error, {
      FlagNotFoundError: ({ input, corrections }) =>
        corrections.length > 0
          ? `There is no flag --${input}.${didYouMean(corrections.map((name) => `--${name}`))}`
          : `There is no flag --${input}. A setting of the server is a variable: \`tenon config\` lists them.`,
    });
    return `tenon: ${said.replace(/(?<![.?])$/, '.')} Add --help to see what the command takes.`;
  },
};

const WITH_VALUE: ReadonlySet<string> = new Set(['--admin-url', '--profile']);
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['--json', '--quiet']);

/** The flags of every command may also be before it. Stricli reads them behind it. */
export const commandFirst = (args: readonly string[]): readonly string[] => {
  const [flag = ''] = args;
  const count = WITH_VALUE.has(flag) ? 2 : Number(WITHOUT_VALUE.has(flag));
  return count === 0 || args.length <= count ? args : [...commandFirst(args.slice(count)), ...args.slice(0, count)];
};
