import { startApp } from './app.ts';

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}. See examples/README.md.`);
  return value;
};

/** Runs the app with the credentials of an installation, from the environment. */
const { url } = await startApp({
  store: setting('STORE'),
  clientId: setting('CLIENT_ID'),
  clientSecret: setting('CLIENT_SECRET'),
  signingSecret: setting('SIGNING_SECRET'),
  databaseUrl: setting('INDEX_DATABASE_URL'),
  port: Number(process.env['INDEX_PORT'] ?? 3000),
  publicUrl: process.env['PUBLIC_URL'],
});
console.log(`Search: curl '${url}/search?q=saw'`);
