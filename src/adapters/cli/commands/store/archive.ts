import { localCommand } from '../../command.ts';
import { fileArgument, MEDIA_FLAG, PRINT_FLAGS, STORE_ARGUMENT } from '../../flags.ts';

export const exportStore = localCommand({
  docs: {
    brief: 'Export one store to a file',
    about:
      'Takes a consistent snapshot of the store while the server runs: its catalogue, its apps and everything they need to continue. ' +
      'Importing the file requires the SECRET_KEYS of this server. An existing file is not overwritten. ' +
      'With --media, it exits 1 after it has written the file if media files are missing from the storage.',
    examples: ['tenon store export sunrise.localhost sunrise.store'],
  },
  flags: { media: MEDIA_FLAG, ...PRINT_FLAGS },
  positional: { kind: 'tuple', parameters: [STORE_ARGUMENT, fileArgument('The file to write')] },
  load: async () => (await import('../server/backup.ts')).exportStoreCommand,
});

export const importStore = localCommand({
  docs: {
    brief: 'Import a store into this server',
    about:
      'Ids, secrets and feed cursors stay the same. Nothing is imported if the store, its domain or one of its ids already exists. ' +
      'SECRET_KEYS must include the keys of the server that wrote the file.',
    examples: ['tenon store import sunrise.store'],
  },
  flags: PRINT_FLAGS,
  positional: { kind: 'tuple', parameters: [fileArgument('A file written by tenon store export')] },
  load: async () => (await import('../server/restore.ts')).importStoreCommand,
});
