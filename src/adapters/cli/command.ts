import { buildCommand } from '@stricli/core';
import type {
  Aliases,
  BaseArgs,
  Command,
  CommandBuilderArguments,
  FlagParametersForType,
  TypedPositionalParameters,
} from '@stricli/core';

import type { AdminApi } from './admin/admin-api.ts';
import { createAdminApi } from './admin/admin-api.ts';
import { findConnection } from './admin/connection.ts';
import type { ConnectionFlags } from './admin/connection.ts';
import type { CliContext } from './context.ts';
import { PRINT_FLAGS, textFlag } from './flags.ts';
import { createPrinter } from './output/printer.ts';
import type { Printer, PrintFlags } from './output/printer.ts';

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

/** As Stricli has it: an interface of flags has no index signature. */
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
  adminUrl: textFlag('Address of the admin API [TENON_ADMIN_URL, or http://127.0.0.1:4001]', 'url'),
  profile: textFlag('Use a saved profile [TENON_PROFILE]', 'name'),
  ...PRINT_FLAGS,
};

type AdminRun<FLAGS, ARGS extends BaseArgs> = (session: Session, flags: FLAGS, ...args: ARGS) => Promise<void>;

/** A command that talks to the admin API. `run` throws a CommandFailure for what the person has to know. */
export const adminCommand = <const FLAGS extends Named<FLAGS> = object, const ARGS extends BaseArgs = []>({
  docs,
  flags,
  run,
  ...rest
}: Parts<NoInfer<FLAGS>, NoInfer<ARGS>> & { readonly run: AdminRun<FLAGS, ARGS> }): Command<CliContext> =>
  buildCommand({
    docs: docsOf(docs),
    parameters: { ...rest, flags: { ...flags, ...ADMIN_FLAGS } },
    func: async function (this: CliContext, given: FLAGS & AdminFlags, ...args: ARGS) {
      const api = createAdminApi(findConnection(this.process.env, given));
      await run({ api, print: createPrinter(this.process, given), context: this }, given, ...args);
    },
  } as unknown as CommandBuilderArguments<FLAGS & AdminFlags, ARGS, CliContext>);
