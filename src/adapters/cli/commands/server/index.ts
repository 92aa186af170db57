import { buildRouteMap } from '@stricli/core';

import { localCommand } from '../../command.ts';
import { fileArgument, MEDIA_FLAG, PRINT_FLAGS, switchFlag } from '../../flags.ts';

export const serverCommands = {
  start: localCommand({
    docs: {
      brief: 'Start the server',
      about:
        'Without DATABASE_URL it starts the PostgreSQL that comes with the package, in DATA_DIR. Settings come from the environment: ' +
        'tenon config lists them. Ctrl-C stops the server once the requests in flight are answered.',
      examples: ['tenon start', 'PORT=8080 DATA_DIR=/srv/tenon tenon start'],
    },
    load: async () => (await import('./start.ts')).startCommand,
  }),
  config: localCommand({
    docs: {
      brief: 'List the settings with their values',
      about: 'Shows what a server started here would use, without secrets. Exits 1 when a value is not valid.',
      examples: ['tenon config', 'tenon config --json | jq -r .name'],
    },
    flags: PRINT_FLAGS,
    load: async () => (await import('./config.ts')).configCommand,
  }),
  doctor: localCommand({
    docs: {
      brief: 'Find out what keeps a server from working well',
      about:
        'Checks Node.js, settings, database, clock, connections, migrations, secret keys, queue, Redis, disk, media storage, proxies, late deliveries and ' +
        'failing receivers, and says what to do about each fault. Run it with the environment and in the folder of the server. Exits 1 when a check fails.',
      examples: ['tenon doctor', 'tenon doctor --quiet'],
    },
    flags: PRINT_FLAGS,
    load: async () => (await import('./doctor.ts')).doctorCommand,
  }),
  migrate: localCommand({
    docs: {
      brief: 'Apply the migrations that the database lacks',
      about: 'Each start does the same. With --check nothing is applied, and it exits 1 when migrations are missing.',
      examples: ['tenon migrate', 'tenon migrate --check'],
    },
    flags: { check: switchFlag('Only say whether migrations are missing'), ...PRINT_FLAGS },
    load: async () => (await import('./migrate.ts')).migrateCommand,
  }),
  backup: localCommand({
    docs: {
      brief: 'Write a backup of all stores to a file',
      about:
        'The backup has the database as it is at one moment, while the server runs. SECRET_KEYS are not in it, and it is of no use without them. ' +
        'Access tokens and console sessions are not in it either. A file that exists is not overwritten.',
      examples: ['tenon backup tenon.backup', 'tenon backup --media /var/backups/tenon-$(date +%F).backup'],
    },
    flags: { media: MEDIA_FLAG, ...PRINT_FLAGS },
    positional: { kind: 'tuple', parameters: [fileArgument('The file to write')] },
    load: async () => (await import('./backup.ts')).backupCommand,
  }),
  restore: localCommand({
    docs: {
      brief: 'Restore a backup into an empty database',
      about:
        'The database is the one of DATABASE_URL, or the embedded one in DATA_DIR. It must have no stores. SECRET_KEYS must have the keys of the server ' +
        'that wrote the backup. Everything is restored, or nothing: after a failure the database is as it was.',
      examples: ['tenon restore tenon.backup', 'DATABASE_URL=postgresql://tenon@db.example.com/tenon tenon restore tenon.backup'],
    },
    flags: PRINT_FLAGS,
    positional: { kind: 'tuple', parameters: [fileArgument('The file of tenon backup')] },
    load: async () => (await import('./restore.ts')).restoreCommand,
  }),
  keys: buildRouteMap({
    routes: {
      rotate: localCommand({
        docs: {
          brief: 'Seal every secret again under the first of SECRET_KEYS',
          about:
            'Put a new key first in SECRET_KEYS and restart the servers. Then run this with the same SECRET_KEYS, while the servers run. Afterwards nothing ' +
            'needs the old keys, and you can remove them. It can be repeated at any time.',
          examples: ['tenon keys rotate'],
        },
        flags: PRINT_FLAGS,
        load: async () => (await import('./keys.ts')).rotateKeysCommand,
      }),
    },
    docs: { brief: 'The keys of SECRET_KEYS' },
  }),
};
