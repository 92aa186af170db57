import { liveProcesses } from '../../../../domain/insight/processes.ts';
import type { Processes } from '../../../../domain/ports/insight/processes.ts';
import { plural } from '../../../../domain/values/plural.ts';
import type { SecretKeyUse, SealedSecrets, SecretOwner, Unneeded } from '../../../storage/sealed-secrets.ts';
import { reachDatabase } from '../../../wiring/archive/reach-database.ts';
import { storageAt } from '../../../wiring/storage.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { confirm } from '../../output/confirm.ts';
import { createPrinter, type PrintFlags } from '../../output/printer.ts';
import { plain } from '../../output/style.ts';
import { requireMigrations } from './migrate.ts';
import { existingSettings } from './settings.ts';

export interface ForgetKeyFlags extends PrintFlags {
  readonly yes?: boolean;
}

/** The most owners of secrets that a refusal names. */
const MAX_NAMED = 10;

const textOf = ({ expiredSigningSecrets, signingSecretsOfUninstalledApps, peppers }: Unneeded): string => {
  const parts = [
    [expiredSigningSecrets, plural(expiredSigningSecrets, 'expired signing secret')],
    [
      signingSecretsOfUninstalledApps,
      plural(signingSecretsOfUninstalledApps, 'signing secret of an uninstalled app', 'signing secrets of uninstalled apps'),
    ],
    [peppers, plural(peppers, 'pepper')],
  ] as const;
  return parts.flatMap(([count, text]) => (count > 0 ? [text] : [])).join(', ');
};

const commandOf = ({ kind, id, domain }: SecretOwner): string => {
  if (kind === 'platform app') return `tenon platform-apps rotate-signing-secret ${id} --overlap 0`;
  return kind === 'app'
    ? `tenon app rotate-signing-secret ${id} --store ${String(domain)} --overlap 0`
    : `tenon subscriptions delete ${id} --store ${String(domain)}`;
};

const stillNeeded = (kid: string, needed: number, owners: readonly SecretOwner[]): string =>
  [
    `${plural(needed, 'secret')} of key ${kid} ${needed === 1 ? 'is' : 'are'} still needed. Nothing was deleted. Replace each one, and create a deleted subscription again:`,
    ...owners.map((owner) => plain(`  ${commandOf(owner)}  # ${owner.name}`)),
    ...(owners.length === MAX_NAMED && needed > MAX_NAMED ? ['  ...'] : []),
  ].join('\n');

/** Throws a CommandFailure where deliveries still need a secret. */
const requireUnneeded = async (secrets: SealedSecrets, kid: string, { needed }: SecretKeyUse): Promise<void> => {
  if (needed > 0) throw new CommandFailure(stillNeeded(kid, needed, await secrets.ownersOf(kid, MAX_NAMED)), EXIT.refused);
};

/** Throws a CommandFailure where a process that runs has the key: then it is not lost. */
const requireLost = async (processes: Pick<Processes, 'list'>, kid: string): Promise<void> => {
  const knowing = liveProcesses((await processes.list()).seen).filter(({ keys }) => keys.includes(kid));
  if (knowing.length === 0) return;
  const names = knowing.map(({ name }) => name).join(', ');
  throw new CommandFailure(
    `${plural(knowing.length, 'process that runs still has', 'processes that run still have')} ${kid}: ${names}. Only a lost key can be forgotten. Nothing was deleted.`,
    EXIT.refused,
  );
};

/** Deletes what is sealed under a lost key, once nothing needs it. */
export const forgetKeyCommand = async (context: CliContext, flags: ForgetKeyFlags, kid: string): Promise<void> => {
  const settings = await existingSettings();
  if (settings.SECRET_KEYS.some((key) => key.kid === kid))
    throw new CommandFailure(
      `SECRET_KEYS still has ${kid}. Only a lost key can be forgotten. Nothing was deleted.`,
      EXIT.refused,
    );
  const print = createPrinter(context.process, flags);
  const server = await reachDatabase(settings);
  const storage = (await storageAt(server.url)).openTool(server.url);
  try {
    await requireMigrations(storage);
    await requireLost(storage.processes, kid);
    const use = await storage.secrets.useOf(kid);
    await requireUnneeded(storage.secrets, kid, use);
    const isThere = Object.values(use.unneeded).some((count) => count > 0);
    if (isThere) {
      const question = `This deletes what is encrypted with ${kid}: ${textOf(use.unneeded)}. It cannot be undone.`;
      await confirm(context, question, flags.yes);
    }
    const deleted = isThere ? await storage.secrets.forget(kid) : use.unneeded;
    if (flags.json === true) print.one({ kid, ...deleted }, {});
    print.say(isThere ? `Deleted: ${textOf(deleted)}.` : `Nothing is encrypted with ${kid}.`);
    if (settings.LOST_SECRET_KEYS.includes(kid)) print.say(`Remove ${kid} from LOST_SECRET_KEYS and restart the servers.`);
  } finally {
    await storage.close();
    await server.stop();
  }
};
