import { given, adminOriginOf } from '../../admin/connection.ts';
import { readProfiles, writeProfiles } from '../../admin/profiles.ts';
import { localCommand } from '../../command.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { switchFlag } from '../../flags.ts';
import { readText } from '../../input.ts';
import { createPrinter } from '../../output/printer.ts';

interface Flags {
  readonly adminUrl: string;
  readonly default?: boolean | undefined;
}

/** A name begins with a letter or a digit, so it is not a flag and not __proto__, which no object keeps. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

/** The token comes from the environment or from standard input: other users can see a command line. */
const run = async ({ process: streams }: CliContext, flags: Flags, name: string): Promise<void> => {
  const { env, stdin } = streams;
  if (!NAME.test(name)) {
    const rule = 'must be 1 to 64 letters, digits, spaces, ".", "_" or "-", and begin with a letter or a digit.';
    throw new CommandFailure(`The name of a profile ${rule}`, EXIT.usage);
  }
  const adminUrl = adminOriginOf(flags.adminUrl, '--admin-url');
  const adminToken = given(env, 'TENON_ADMIN_TOKEN') ?? (await readText(stdin));
  if (adminToken === '') throw new CommandFailure('Give the token in TENON_ADMIN_TOKEN or on standard input.', EXIT.usage);
  const kept = readProfiles(env);
  const isDefault = flags.default === true || Object.keys(kept.profiles).length === 0;
  writeProfiles(env, {
    ...kept,
    profiles: { ...kept.profiles, [name]: { adminUrl, adminToken } },
    ...(isDefault && { default: name }),
  });
  createPrinter(streams, {}).say(`Saved ${name}.`);
};

export const saveProfile = localCommand({
  docs: {
    brief: 'Save the address and the admin token of a server',
    about: 'Reads the token from TENON_ADMIN_TOKEN or from standard input. The first profile becomes the default.',
    examples: ['tenon profile save shop --admin-url https://admin.shop.example < token.txt'],
  },
  flags: {
    adminUrl: { kind: 'parsed', parse: String, placeholder: 'url', brief: 'Address of the admin API' },
    default: switchFlag('Make it the default profile'),
  },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'name', brief: 'Name of the profile' }] },
  load: () => Promise.resolve(run),
});
