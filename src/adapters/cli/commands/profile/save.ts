import { given, originOf } from '../../admin/connection.ts';
import { readProfiles, writeProfiles } from '../../admin/profiles.ts';
import { localCommand } from '../../command.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { switchFlag } from '../../flags.ts';
import { readText } from '../../input.ts';

interface Flags {
  readonly adminUrl: string;
  readonly default?: boolean | undefined;
}

/** The token comes from the environment or from standard input: other users can see a command line. */
const run = async ({ process: { env, stdin, stderr } }: CliContext, flags: Flags, name: string): Promise<void> => {
  const adminUrl = originOf(flags.adminUrl, '--admin-url');
  const adminToken = given(env, 'TENON_ADMIN_TOKEN') ?? (await readText(stdin));
  if (adminToken === '') throw new CommandFailure('Give the token in TENON_ADMIN_TOKEN or on standard input.', EXIT.usage);
  const kept = readProfiles(env);
  const isDefault = flags.default === true || Object.keys(kept.profiles).length === 0;
  writeProfiles(env, {
    ...kept,
    profiles: { ...kept.profiles, [name]: { adminUrl, adminToken } },
    ...(isDefault && { default: name }),
  });
  stderr.write(`Saved ${name}.\n`);
};

export const saveProfile = localCommand({
  docs: {
    brief: 'Save the address and the admin token of a server',
    about: 'The token is read from TENON_ADMIN_TOKEN or from standard input. The first profile becomes the default one.',
    examples: ['tenon profile save shop --admin-url https://admin.shop.example < token.txt'],
  },
  flags: {
    adminUrl: { kind: 'parsed', parse: String, placeholder: 'url', brief: 'Address of the admin API' },
    default: switchFlag('Use it where no profile is named'),
  },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'name', brief: 'Name of the profile' }] },
  load: () => Promise.resolve(run),
});
