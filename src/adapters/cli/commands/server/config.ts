import { defaultOf, parseConfig, settings } from '../../../wiring/settings/config.ts';
import { unknownSettings } from '../../../wiring/settings/unknown-settings.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure } from '../../failure.ts';
import { createPrinter, type ListFlags } from '../../output/printer.ts';

const SECRETS: ReadonlySet<string> = new Set(['ADMIN_TOKEN', 'SECRET_KEYS', 'OIDC_CLIENT_SECRET', 'INCIDENT_WEBHOOK_SECRET']);

const withoutPassword = (text: string): string => text.replace(/(:\/\/[^:@/\s]*):[^@/\s]*@/g, '$1:***@');

const shown = (name: string, text: string): string => (SECRETS.has(name) ? '***' : withoutPassword(text));

/** Lists the settings as a server started here would have them. Never a secret. */
export const configCommand = ({ process: streams }: CliContext, flags: ListFlags): Promise<void> => {
  const { env } = streams;
  const items = Object.entries(settings).map(([name, { about }]) => {
    const given = env[name]?.trim();
    const value = given ? shown(name, given) : defaultOf(name);
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
