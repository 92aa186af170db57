import { localCommand } from '../../command.ts';
import { PRINT_FLAGS } from '../../flags.ts';

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
};
