import { defineConfig } from 'prisma/config';

// `prisma generate` never runs the schema engine, but every command looks for the downloadable one first; any file that exists stops the look-up, so that `npm ci` works offline.
if (process.argv.includes('generate')) process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? '' },
});
