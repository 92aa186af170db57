import { ArgumentScannerError, formatMessageForArgumentScannerError, text_en } from '@stricli/core';

import { nearestName } from '../../domain/values/nearest-name.ts';
import { settings } from '../wiring/settings/settings.ts';

const orList = (names: readonly string[]): string => names.join(names.length > 2 ? ', ' : ' or ');

const didYouMean = (names: readonly string[]): string => (names.length === 0 ? '' : ` Did you mean ${orList(names)}?`);

/** Every third letter may be wrong. The beginning of a name is meant for it. */
const resembles = (given: string, name: string): boolean =>
  name.startsWith(given) || nearestName(given, [name], Math.max(1, Math.floor(given.length / 3))) !== null;

const asFlag = (name: string): string => name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Words that people give as a flag where there is none, and what to know about them. */
const NO_FLAGS: Readonly<Record<string, string>> = {
  yes: 'This command does not ask for confirmation.',
  currency: 'The currency of a store is chosen by tenon store create, and cannot be changed.',
};

const aboutUnknownFlag = (input: string, corrections: readonly string[]): string => {
  const near = corrections.map(asFlag).filter((name) => resembles(input, name));
  if (near.length > 0) return didYouMean(near.map((name) => `--${name}`));
  const [, known] = Object.entries(NO_FLAGS).find(([name]) => resembles(input, name)) ?? [];
  if (known !== undefined) return ` ${known}`;
  const setting = Object.keys(settings).find((name) => resembles(asFlag(input), asFlag(name.toLowerCase())));
  if (setting === undefined) return '';
  return ` ${setting} is a setting of the server, which is a variable: ${setting}=... tenon start. \`tenon config\` lists them.`;
};

/** Answers to a mistake in the command line: what is wrong, what was probably meant, and where help is. */
export const USAGE_TEXT = {
  noCommandRegisteredForInput: ({ input, corrections }: { readonly input: string; readonly corrections: readonly string[] }) =>
    `tenon: There is no command ${input}.${didYouMean(corrections.filter((name) => resembles(input, name.replaceAll('`', ''))))} See \`tenon help\`.`,
  exceptionWhileParsingArguments: (error: unknown): string => {
    if (!(error instanceof ArgumentScannerError)) return `tenon: ${text_en.exceptionWhileParsingArguments(error, false)}`;
    const said = formatMessageForArgumentScannerError(error, {
      FlagNotFoundError: ({ input, corrections }) => `There is no flag --${input}.${aboutUnknownFlag(input, corrections)}`,
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
