import ipaddr from 'ipaddr.js';
import { z } from 'zod';

import { parseDomain } from '../../../domain/identity/store.ts';
import { parseUrl } from '../../../domain/values/url.ts';
import { withoutTrailing } from '../../../domain/values/without-trailing.ts';
import { databaseUrlFault } from '../storage.ts';

export const integerSetting = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${String(min)} and ${String(max)}`);

export const workers = z
  .string()
  .regex(/^(?:auto|[1-9]|[1-5]\d|6[0-4])$/, 'must be auto or a whole number from 1 to 64')
  .transform((text) => (text === 'auto' ? text : Number(text)));

/**
 * Text that `read` accepts or throws at. Its error may contain a secret, so `message` is shown
 * instead, or what is made of an error that holds none.
 */
export const readBy = <T>(read: (text: string) => T, message: string | ((error: unknown) => string)) =>
  z.string().transform((text, context): T => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: typeof message === 'string' ? message : message(error) });
      return z.NEVER;
    }
  });

const entries = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export const proxies = readBy((text) => {
  for (const entry of entries(text)) if (!ipaddr.isValid(entry)) ipaddr.parseCIDR(entry);
  return entries(text);
}, 'must be the addresses or ranges of your own proxies, such as 10.0.0.10, separated by commas');

export const host = z.string().regex(/^[\w.:-]+$/, 'must be an address or a host name');

export const domainName = z
  .string()
  .refine((text) => parseDomain(text) !== null, 'must be a host name without a port')
  .transform((text) => text.toLowerCase());

/** Host names without ports, in lower case. An IPv6 address has no brackets. */
export const hostList = z.string().transform((text, context): string[] => {
  const names = entries(text.toLowerCase());
  if (names.every((name) => host.safeParse(name).success)) return names;
  context.addIssue({ code: 'custom', message: 'must be host names without ports, separated by commas' });
  return z.NEVER;
});

export const kidList = z.string().transform(entries);

export const secondsList = z
  .string()
  .regex(/^\d+(,\d+)*$/, 'must be whole numbers of seconds, separated by commas')
  .transform((text) => text.split(',').map(Number));

const isUrl = (text: string, protocols: readonly string[]): boolean => {
  const parsed = parseUrl(text);
  return parsed !== null && protocols.includes(parsed.protocol);
};

export const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => isUrl(text, protocols),
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );

/** Accepts the addresses of the engines. */
export const databaseUrl = z.string().transform((text, context): string => {
  const message = databaseUrlFault(text);
  if (message === null) return text;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

export const baseUrl = z
  .string()
  .regex(/^https?:\/\/[^\s?#@]+$/, 'must be a URL that begins with http:// or https://, with no credentials, ? or #')
  .refine((text) => parseUrl(text) !== null, 'must be a URL')
  .transform((text) => withoutTrailing(text, '/'));

/** Origin of pages, as a browser names it. */
export const origin = z.string().transform((text, context): string => {
  const parsed = parseUrl(text);
  if (parsed && /^https?:$/.test(parsed.protocol) && [parsed.origin, `${parsed.origin}/`].includes(text.toLowerCase()))
    return parsed.origin;
  context.addIssue({ code: 'custom', message: 'must be http:// or https:// and a host, with no path' });
  return z.NEVER;
});

/**
 * An environment variable. `fallback` is its text form; a function of the other settings' texts
 * where it follows from them, undefined for none.
 */
export interface Setting<S extends z.ZodType> {
  readonly schema: S;
  readonly fallback: string | undefined | ((of: (name: string) => string) => string | undefined);
  readonly about: string;
  /** True where a variable that is set but empty is an empty list. Otherwise it counts as not set. */
  readonly emptyIsValue: boolean;
  /**
   * Parts of the text that are never shown: all, or everything of an address but its server. The
   * password of a URL is not shown in any case.
   */
  readonly secret: 'all' | 'path' | null;
}

export const setting = <S extends z.ZodType>(
  schema: S,
  fallback: Setting<S>['fallback'],
  about: string,
  { emptyIsValue = false, secret = null }: Partial<Pick<Setting<S>, 'emptyIsValue' | 'secret'>> = {},
): Setting<S> => ({ schema, fallback, about, emptyIsValue, secret });

/** A setting that is never shown and has no default. */
export const secretSetting = <S extends z.ZodType>(schema: S, about: string): Setting<S> =>
  setting(schema, undefined, about, { secret: 'all' });

/** The default for development alone: in production there is none. */
export const inDevelopment =
  (development: string, production: string) =>
  (of: (name: string) => string): string =>
    of('NODE_ENV') === 'production' ? production : development;

export const port = integerSetting(0, 65_535);
export const seconds = (max: number) => integerSetting(0, max);
export const WEEK = 604_800;
