import { localCommand } from '../../command.ts';
import { fileArgument, MEDIA_FLAG, PRINT_FLAGS, STORE_ARGUMENT } from '../../flags.ts';

export const exportStore = localCommand({
  docs: {
    brief: 'Write one store to a file',
    about:
      'The file has all that belongs to the store, at one moment, while the server runs: its catalogue, its apps and what they need to continue. ' +
      'It needs the SECRET_KEYS of this server. A file that exists is not overwritten.',
    examples: ['tenon store export sunrise.localhost sunrise.store'],
  },
  flags: { media: MEDIA_FLAG, ...PRINT_FLAGS },
  positional: { kind: 'tuple', parameters: [STORE_ARGUMENT, fileArgument('The file to write')] },
  load: async () => (await import('../server/backup.ts')).exportStoreCommand,
});

export const importStore = localCommand({
  docs: {
    brief: 'Import a store beside those of this server',
    about:
      'Ids, secrets and cursors of the feed stay the same. Nothing is imported when the store, its domain or one of its ids exists already. ' +
      'SECRET_KEYS must have the keys of the server that wrote the file.',
    examples: ['tenon store import sunrise.store'],
  },
  flags: PRINT_FLAGS,
  positional: { kind: 'tuple', parameters: [fileArgument('The file of tenon store export')] },
  load: async () => (await import('../server/restore.ts')).importStoreCommand,
});
