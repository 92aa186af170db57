import { readProfiles } from '../../admin/profiles.ts';
import { localCommand } from '../../command.ts';
import type { CliContext } from '../../context.ts';
import { PRINT_FLAGS } from '../../flags.ts';
import { createPrinter, type PrintFlags } from '../../output/printer.ts';

const run = ({ process: streams }: CliContext, flags: PrintFlags): Promise<void> => {
  const { profiles, default: standard } = readProfiles(streams.env);
  const items = Object.entries(profiles).map(([name, { adminUrl }]) => ({ name, adminUrl, isDefault: name === standard }));
  createPrinter(streams, flags).list(items, [
    { name: 'name', of: ({ name }) => name },
    { name: 'url', of: ({ adminUrl }) => adminUrl },
    { name: 'default', of: ({ isDefault }) => (isDefault ? 'yes' : '') },
  ]);
  return Promise.resolve();
};

export const listProfiles = localCommand({
  docs: { brief: 'List the profiles, without their tokens', examples: ['tenon profile list'] },
  flags: PRINT_FLAGS,
  load: () => Promise.resolve(run),
});
