const { defineConfig } = require('@medusajs/framework/utils');

/**
 * Medusa's defaults, without the admin dashboard: events, locks and cache are in the process's
 * memory, which is its fastest.
 */
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {
      storeCors: '',
      adminCors: '',
      authCors: '',
      jwtSecret: 'the-secret-of-a-bench',
      cookieSecret: 'another-secret-of-a-bench',
    },
  },
});
