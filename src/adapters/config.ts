import type { z } from 'zod';

import { SETTINGS } from './settings.ts';
import { StartFailure } from './start-failure.ts';

type Settings = typeof SETTINGS;

/** The settings, read. `ADMIN_TOKEN` and `SECRET_KEYS` are there in production, and may be missing elsewhere until they are made. */
export type Config = { readonly [Name in keyof Settings]: z.output<Settings[Name]['schema']> };

const REQUIRED_IN_PRODUCTION = ['DATABASE_URL', 'ADMIN_TOKEN', 'SECRET_KEYS'] as const;

const valueOf = (name: keyof Settings, env: NodeJS.ProcessEnv): unknown => {
  const { schema, fallback } = SETTINGS[name];
  const given = env[name];
  // A variable that is set to nothing counts as not set: shells and compose files make such.
  const text = given === undefined || given === '' ? (typeof fallback === 'function' ? fallback(env['NODE_ENV'] ?? 'development') : fallback) : given;
  const parsed = schema.safeParse(text);
  if (parsed.success) return parsed.data;
  // The value itself may be a secret, so it is not told.
  throw new StartFailure(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
};

/** Reads the environment. Throws a StartFailure of one line that names the setting at fault. */
export const parseConfig = (env: NodeJS.ProcessEnv): Config => {
  const names = Object.keys(SETTINGS) as (keyof Settings)[];
  const config = Object.fromEntries(names.map((name) => [name, valueOf(name, env)])) as unknown as Config;
  const missing = config.NODE_ENV === 'production' ? REQUIRED_IN_PRODUCTION.find((name) => config[name] === undefined) : undefined;
  if (missing) throw new StartFailure(`${missing} must be set with NODE_ENV=production`);
  return config;
};

/** The environment of this process; the only place that reads it. */
export const readConfig = (): Config => parseConfig(process.env);
