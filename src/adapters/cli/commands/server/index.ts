import { buildRouteMap } from '@stricli/core';

import { getKey } from '../insight/key.ts';
import { localCommand } from '../../command.ts';
import { fileArgument, MEDIA_FLAG, PRINT_FLAGS, switchFlag, WIDE_FLAG, YES_FLAG } from '../../flags.ts';

const KEY_NAME_ARGUMENT = { parse: String, placeholder: 'key', brief: 'Name of the lost key' } as const;

export const serverCommands = {
  start: localCommand({
    docs: {
      brief: 'Start the server',
      about:
        'Without DATABASE_URL, it also starts the embedded PostgreSQL in DATA_DIR. Settings come from the environment: ' +
        'tenon config lists them. Ctrl-C stops the server after it has answered the requests in flight.',
      examples: ['tenon start', 'PORT=8080 DATA_DIR=/srv/tenon tenon start'],
    },
    load: async () => (await import('./start.ts')).startCommand,
  }),
  config: localCommand({
    docs: {
      brief: 'List the settings and their values',
      about: 'Shows the settings that a server started here would use, without secrets. Exits 1 if a value is not valid.',
      examples: ['tenon config', 'tenon config --json | jq -r .name'],
    },
    flags: { ...PRINT_FLAGS, ...WIDE_FLAG },
    load: async () => (await import('./config.ts')).configCommand,
  }),
  doctor: localCommand({
    docs: {
      brief: 'Diagnose problems of a server',
      about:
        'Checks Node.js, settings, database, clock, connections, migrations, secret keys, queue, Redis, disk, media storage, proxies, late deliveries, ' +
        'failing receivers and the nodes of a Citus cluster, and says how to fix each problem. Run it in the folder of the server and with its environment. Exits 1 if a check fails.',
      examples: ['tenon doctor', 'tenon doctor --quiet'],
    },
    flags: PRINT_FLAGS,
    load: async () => (await import('./doctor.ts')).doctorCommand,
  }),
  migrate: localCommand({
    docs: {
      brief: 'Apply pending database migrations',
      about: 'Every start does this too. With --check, nothing is applied; it exits 1 if migrations are pending.',
      examples: ['tenon migrate', 'tenon migrate --check'],
    },
    flags: { check: switchFlag('Only check for pending migrations'), quiet: PRINT_FLAGS.quiet },
    load: async () => (await import('./migrate.ts')).migrateCommand,
  }),
  backup: localCommand({
    docs: {
      brief: 'Back up all stores to a file',
      about:
        'Takes a consistent snapshot of the database while the server runs. SECRET_KEYS are not included, and the backup is useless without them. ' +
        'Access tokens and console sessions are not included either. An existing file is not overwritten. ' +
        'With --media, it exits 1 after it has written the file if media files are missing from the storage.',
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
        'Restores into DATABASE_URL, or into the embedded database in DATA_DIR, which must have no stores. SECRET_KEYS must include the keys of the server ' +
        'that wrote the backup. Either everything is restored or nothing: a failure leaves the database unchanged.',
      examples: ['tenon restore tenon.backup', 'DATABASE_URL=postgresql://tenon@db.example.com/tenon tenon restore tenon.backup'],
    },
    flags: PRINT_FLAGS,
    positional: { kind: 'tuple', parameters: [fileArgument('A file written by tenon backup')] },
    load: async () => (await import('./restore.ts')).restoreCommand,
  }),
  keys: buildRouteMap({
    routes: {
      get: getKey,
      rotate: localCommand({
        docs: {
          brief: 'Encrypt every secret again with the first of SECRET_KEYS',
          about:
            'Put a new key first in SECRET_KEYS and restart the servers, one after the other. Processes seal with it once all of them know it. Then run ' +
            'this command with the same SECRET_KEYS while the servers run. Keep the old keys for WEBHOOK_LOG_DAYS after that: cursors of the feed that apps keep ' +
            'need them. You can repeat the command at any time.',
          examples: ['tenon keys rotate'],
        },
        flags: PRINT_FLAGS,
        load: async () => (await import('./keys.ts')).rotateKeysCommand,
      }),
      forget: localCommand({
        docs: {
          brief: 'Delete what is encrypted with a lost key',
          about:
            'For a key that LOST_SECRET_KEYS names, once the secrets of the apps are rotated. It deletes expired signing secrets, those of uninstalled apps, ' +
            'and peppers. It refuses while an app, a platform app or a subscription still needs a secret of the key, and names the commands that replace it. ' +
            'Afterwards you can remove the key from LOST_SECRET_KEYS.',
          examples: ['tenon keys forget k-2026-11-28-3f9a1c07'],
        },
        flags: { yes: YES_FLAG, ...PRINT_FLAGS },
        positional: { kind: 'tuple', parameters: [KEY_NAME_ARGUMENT] },
        load: async () => (await import('./forget-key.ts')).forgetKeyCommand,
      }),
    },
    docs: { brief: 'Idempotency keys of apps, and SECRET_KEYS' },
  }),
};
