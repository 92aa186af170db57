import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';

// A process of its own that holds a data directory, for tests that kill it. Says its address and the server's pid on one line.
const [dataDir = ''] = process.argv.slice(2);
startEmbeddedPostgres({ dataDir, onProgress: (message) => console.error(message) }).then(
  ({ url, pid }) => {
    console.log(JSON.stringify({ url, pid }));
    // Nothing else keeps the process from ending once its output is read.
    setInterval(() => undefined, 60_000);
  },
  (error: unknown) => {
    console.log(JSON.stringify({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }));
    process.exitCode = 1;
  },
);
