import { parseUrl } from '../../../../domain/values/url.ts';
import { defaultOf, parseConfig, settings } from '../../../wiring/settings/config.ts';
import { unknownSettings } from '../../../wiring/settings/unknown-settings.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure } from '../../failure.ts';
import { createPrinter, type ListFlags } from '../../output/printer.ts';

const HIDDEN = '***';

/** Also of a text that is not a URL because of its password: to the last @, which ends it. */
const withoutPassword = (text: string): string =>
  text.replace(/(:\/\/[^:/]*):.*@/, `$1:${HIDDEN}@`).replace(/(password=)[^&]*/gi, `$1${HIDDEN}`);

const shown = (text: string, secret: 'all' | 'path' | null): string => {
  if (secret === null) return withoutPassword(text);
  const server = secret === 'path' ? parseUrl(text)?.origin : undefined;
  return server === undefined ? HIDDEN : `${server}/${HIDDEN}`;
};

/** Lists the settings as a server started here would have them. Never a secret. */
export const configCommand = ({ process: streams }: CliContext, flags: ListFlags): Promise<void> => {
  const { env } = streams;
  const items = Object.entries(settings).map(([name, { about, secret }]) => {
    const given = env[name]?.trim();
    const value = given ? shown(given, secret) : defaultOf(name);
    return { name, value, origin: given ? 'environment' : 'default', about };
  });
  const print = createPrinter(streams, flags);
  print.list(items, [
    { name: 'setting', of: ({ name }) => name },
    { name: 'value', of: ({ value }) => value },
    { name: 'from', of: ({ origin }) => origin },
    { name: 'about', of: ({ about }) => about, drop: 1 },
  ]);
  for (const { message } of unknownSettings(env)) print.say(message);
  const config = parseConfig(env);
  if (!config.ok) return Promise.reject(new CommandFailure(config.message));
  return Promise.resolve();
};
