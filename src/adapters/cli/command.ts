import {
  buildCommand,
  type Aliases,
  type BaseArgs,
  type Command,
  type CommandBuilderArguments,
  type FlagParametersForType,
  type TypedPositionalParameters,
} from '@stricli/core';

import { createAdminApi, type AdminApi } from './admin/admin-api.ts';
import { findConnection, type ConnectionFlags } from './admin/connection.ts';
import type { ProposeCompletions } from './completions.ts';
import type { CliContext } from './context.ts';
import { PRINT_FLAGS, textFlag } from './flags.ts';
import { createPrinter, type Printer, type PrintFlags } from './output/printer.ts';

export interface Docs {
  readonly brief: string;
  readonly about?: string;
  readonly examples: readonly [string, ...string[]];
}

const docsOf = ({ brief, about, examples }: Docs): { brief: string; fullDescription: string } => ({
  brief,
  fullDescription: [`${brief}.`, about, ['For example:', ...examples.map((line) => `  $ ${line}`)].join('\n')]
    .filter(Boolean)
    .join('\n\n'),
});

/** Stricli's interface of flags has no index signature. */
type Named<FLAGS> = Readonly<Partial<Record<keyof FLAGS, unknown>>>;

interface Parts<FLAGS extends Named<FLAGS>, ARGS extends BaseArgs> {
  readonly docs: Docs;
  readonly flags?: FlagParametersForType<FLAGS, CliContext>;
  readonly aliases?: Aliases<keyof FLAGS & string>;
  readonly positional?: TypedPositionalParameters<ARGS, CliContext>;
}

// Stricli types a builder by the flags that a command really has, and TypeScript cannot follow that for flags which are
// a parameter themselves, so two casts are below. The plain line is `buildCommand({ docs, parameters, func })` in
// each command, which has to repeat the flags of the connection and the output.

type LocalRun<FLAGS, ARGS extends BaseArgs> = (context: CliContext, flags: FLAGS, ...args: ARGS) => Promise<void>;

/**
 * A command that works on this machine. Its code is loaded when it runs: a server's modules take half a
 * second, for which `tenon store list` does not wait.
 */
export const localCommand = <const FLAGS extends Named<FLAGS> = object, const ARGS extends BaseArgs = []>({
  docs,
  load,
  ...parameters
}: Parts<NoInfer<FLAGS>, NoInfer<ARGS>> & { readonly load: () => Promise<LocalRun<FLAGS, ARGS>> }): Command<CliContext> =>
  buildCommand({
    docs: docsOf(docs),
    parameters,
    loader: async () => {
      const run = await load();
      return async function (this: CliContext, flags: FLAGS, ...args: ARGS) {
        await run(this, flags, ...args);
      };
    },
  } as unknown as CommandBuilderArguments<FLAGS, ARGS, CliContext>);

export interface Session {
  readonly api: AdminApi;
  readonly print: Printer;
  readonly context: CliContext;
}

export interface AdminFlags extends ConnectionFlags, PrintFlags {}

const ADMIN_FLAGS: FlagParametersForType<AdminFlags, CliContext> = {
  adminUrl: textFlag('Address of the admin API [TENON_ADMIN_URL, or the server of DATA_DIR]', 'url'),
  profile: textFlag('Use a saved profile [TENON_PROFILE]', 'name'),
  ...PRINT_FLAGS,
};

/** A flag or an argument, as Stricli has it. */
interface Declared {
  readonly kind?: 'parsed' | 'boolean';
  readonly brief: string;
  readonly placeholder?: string;
  readonly parse?: (text: string) => unknown;
  readonly optional?: boolean;
  readonly variadic?: boolean | string;
  readonly withNegated?: boolean;
  readonly default?: string;
  readonly proposeCompletions?: ProposeCompletions;
}

type One<F> = F extends { kind: 'boolean' } ? boolean : F extends { parse: (text: string) => infer Value } ? Value : never;

type ValueOf<F> =
  (F extends { variadic: string | true } ? readonly One<F>[] : One<F>) | (F extends { optional: true } ? undefined : never);

type Positional =
  { readonly kind: 'tuple'; readonly parameters: readonly Declared[] } | { readonly kind: 'array'; readonly parameter: Declared };

type ArgumentsOf<P> = P extends { kind: 'tuple'; parameters: infer List extends readonly unknown[] }
  ? { -readonly [K in keyof List]: ValueOf<List[K]> }
  : P extends { kind: 'array'; parameter: infer F }
    ? ValueOf<F>[]
    : [];

interface AdminParts<F, P extends Positional | undefined> {
  readonly docs: Docs;
  readonly flags?: F;
  readonly positional?: P;
  readonly aliases?: Aliases<keyof F & string>;
  readonly run: (session: Session, flags: { readonly [K in keyof F]: ValueOf<F[K]> }, ...args: ArgumentsOf<P>) => Promise<void>;
}

/**
 * A command that talks to the admin API. The types of its flags follow from their declaration. `run` throws a CommandFailure for
 * what the person has to know.
 */
export const adminCommand = <
  const F extends Readonly<Record<string, Declared>> = Readonly<Record<string, never>>,
  const P extends Positional | undefined = undefined,
>({
  docs,
  flags,
  run,
  ...rest
}: AdminParts<F, P>): Command<CliContext> =>
  buildCommand({
    docs: docsOf(docs),
    parameters: { ...rest, flags: { ...flags, ...ADMIN_FLAGS } },
    func: async function (this: CliContext, given: Parameters<typeof run>[1] & AdminFlags, ...args: ArgumentsOf<P>) {
      const api = createAdminApi(await findConnection(this.process.env, given));
      // Keeps the command's own flags: a command may take all that it is given for a filter.
      const own = Object.fromEntries(Object.entries(given).filter(([name]) => !(name in ADMIN_FLAGS))) as typeof given;
      await run({ api, print: createPrinter(this.process, given), context: this }, own, ...args);
    },
  } as unknown as CommandBuilderArguments<Record<string, unknown>, [], CliContext>);
