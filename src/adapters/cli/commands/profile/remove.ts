import { readProfile, readProfiles, writeProfiles } from '../../admin/profiles.ts';
import { localCommand } from '../../command.ts';
import type { CliContext } from '../../context.ts';
import { createPrinter } from '../../output/printer.ts';

const run = ({ process: streams }: CliContext, _flags: object, name: string): Promise<void> => {
  const { env } = streams;
  readProfile(env, name);
  const { profiles, default: standard } = readProfiles(env);
  const { [name]: _removed, ...kept } = profiles;
  writeProfiles(env, { profiles: kept, ...(standard !== name && { default: standard }) });
  createPrinter(streams, {}).say(`Removed ${name}.`);
  return Promise.resolve();
};

export const removeProfile = localCommand({
  docs: { brief: 'Remove a profile', examples: ['tenon profile remove shop'] },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'name', brief: 'Name of the profile' }] },
  load: () => Promise.resolve(run),
});
