import type { z } from 'zod';

import { ok, refuse, type Result } from '../../../domain/result.ts';
import { settings } from './settings.ts';

export { settings };

type Settings = typeof settings;

/**
 * The settings, read. `ADMIN_TOKEN` and `SECRET_KEYS` are always there in production, elsewhere
 * once `withLocalSecrets` has made them.
 */
export type ParsedConfig = { readonly [Name in keyof Settings]: z.output<Settings[Name]['schema']> };

export type Config = ParsedConfig & { readonly [Name in 'ADMIN_TOKEN' | 'SECRET_KEYS']: NonNullable<ParsedConfig[Name]> };

export type ConfigResult = Result<ParsedConfig, 'invalid'>;

type Environment = Readonly<Record<string, string | undefined>>;

const REQUIRED_IN_PRODUCTION = ['DATABASE_URL', 'ADMIN_TOKEN', 'SECRET_KEYS'] as const;

/** Each of the first needs the second. */
const TOGETHER: readonly (readonly [keyof Settings, keyof Settings])[] = [
  ['INCIDENT_WEBHOOK_URL', 'INCIDENT_WEBHOOK_SECRET'],
  ['INCIDENT_MAIL_TO', 'INCIDENT_SMTP_URL'],
  ['INCIDENT_MAIL_TO', 'INCIDENT_MAIL_FROM'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
];

/**
 * A variable that is set but empty counts as not set, because shells and compose files make such.
 * Only for a list it is a value: nothing.
 */
const textOf = (env: Environment, name: string): string | undefined => {
  const text = env[name]?.trim();
  return text === '' && !settings[name as keyof Settings].emptyIsValue ? undefined : text;
};

/**
 * The text of a setting. If the environment does not set it, its default, which may depend on other
 * settings.
 */
const settingText = (env: Environment, name: string): string | undefined => {
  const { fallback } = settings[name as keyof Settings];
  const standard = typeof fallback === 'function' ? fallback((other) => settingText(env, other) ?? '') : fallback;
  return textOf(env, name) ?? standard;
};

/**
 * A setting's text in the development profile where nothing is set; empty where it has no default.
 */
export const defaultOf = (name: string): string => settingText({}, name) ?? '';

/**
 * Reads the environment. A bad value gives one line that names the setting, never its value: that
 * may be a secret.
 */
export const parseConfig = (env: Environment): ConfigResult => {
  const config: Record<string, unknown> = {};
  for (const [name, { schema }] of Object.entries(settings)) {
    const parsed = schema.safeParse(settingText(env, name));
    if (!parsed.success) return refuse('invalid', `${name}: ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
    config[name] = parsed.data;
  }
  const missing = config['NODE_ENV'] === 'production' && REQUIRED_IN_PRODUCTION.find((name) => config[name] === undefined);
  if (missing) return refuse('invalid', `${missing}: must be set when NODE_ENV is production`);
  const alone = TOGETHER.find(([name, other]) => config[name] !== undefined && config[other] === undefined);
  if (alone) return refuse('invalid', `${alone[0]}: needs ${alone[1]}`);
  return ok(config as ParsedConfig);
};

/** The environment of this process; the only place that reads it. */
export const readConfig = (): ConfigResult => parseConfig(process.env);
