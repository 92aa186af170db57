import { nearestName } from '../../../domain/values/nearest-name.ts';
import { settings } from './settings.ts';

/** Variables of the command line and of apps, which a server's environment may have as well. */
export const OTHER_VARIABLES = [
  'TENON_ADMIN_TOKEN',
  'TENON_ADMIN_URL',
  'TENON_CLIENT_ID',
  'TENON_CLIENT_SECRET',
  'TENON_PROFILE',
  'TENON_SIGNING_SECRET',
] as const;

const NAMES = Object.keys(settings);
const KNOWN: ReadonlySet<string> = new Set([...NAMES, ...OTHER_VARIABLES]);

/** The beginnings of a name: `RATE_` and `RATE_LIMIT_` of RATE_LIMIT_BURST. */
const beginnings = (name: string): string[] => [...name.matchAll(/_/g)].map(({ index }) => name.slice(0, index + 1));

/**
 * Prefixes of several settings, and Tenon's own name. A single setting, such as NODE_ENV, may share
 * its word with other programs.
 */
const FAMILIES = ['TENON_', ...new Set(NAMES.flatMap(beginnings).filter((start, at, all) => all.indexOf(start) !== at))];

/** Kubernetes sets these for each service, such as one with the name admin. */
const OF_OTHERS = /_(SERVICE_HOST|SERVICE_PORT\w*|PORT_\d+_\w+)$/;

/** A shorter name is like too many others. */
const LEAST_LETTERS = 8;
/** A quarter of the letters may be wrong; but OpenTelemetry has many variables with similar names. */
const wrongLetters = (name: string): number => (name.startsWith('OTEL_') ? 2 : name.length / 4);

export interface UnknownSetting {
  readonly name: string;
  readonly message: string;
}

/** Finds variables of the environment that look like settings but are not, so they have no effect. */
export const unknownSettings = (env: Readonly<Record<string, string | undefined>>): UnknownSetting[] =>
  Object.entries(env).flatMap(([name, value]) => {
    if (!value?.trim() || KNOWN.has(name) || OF_OTHERS.test(name)) return [];
    const bare = name.replace(/^TENON_/, '');
    const nearest = nearestName(bare, NAMES);
    // WEBHOOK_TIMEOUT is the beginning of WEBHOOK_TIMEOUT_SECONDS, which is longer than others that are unlike it.
    const meant = NAMES.find((known) => known.startsWith(bare)) ?? nearest?.name ?? '';
    const isFamily = FAMILIES.some((start) => name.startsWith(start));
    const isMisspelt = name.length >= LEAST_LETTERS && nearest !== null && nearest.letters <= wrongLetters(name);
    if (!isFamily && !isMisspelt) return [];
    return [{ name, message: `${name} is not a setting, and has no effect. The nearest setting is ${meant}.` }];
  });
