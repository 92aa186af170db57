import { plural } from '../../../../domain/values/plural.ts';
import { WHY_NOT_SENDABLE } from '../../../../domain/webhooks/why-not-sendable.ts';
import { WHY_WAITING } from '../../../../domain/webhooks/why-waiting.ts';
import type { RedeliveredMatching, Redelivery } from '../../../http/answers.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { findDeliveryId } from '../../admin/short-id.ts';
import { adminCommand, type Session } from '../../command.ts';
import { deliveryIds } from '../../completions.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { idArgument, switchFlag, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import type { Printer } from '../../output/printer.ts';
import { pause } from '../../../startup/deadline.ts';
import { DELIVERY_FILTER_FLAGS, deliveryFilter, type DeliveryFilterFlags } from './list.ts';

interface Flags extends DeliveryFilterFlags {
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

const POLL_MS = 500;

/** Each by itself: one that is refused does not keep the others. */
const redeliverEach = async ({ api, print }: Session, named: readonly string[], store: string | undefined): Promise<void> => {
  const ids = await Promise.all(named.map((text) => findDeliveryId(api, text, store)));
  let refused: CommandFailure | undefined;
  for (const id of ids) {
    try {
      await api.post(`/deliveries/${id}/redeliver`);
      print.bare({ id }, id);
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.status === EXIT.unreachable) throw error;
      if (ids.length === 1) throw error;
      print.say(`${id}: ${error.message}`);
      refused = error;
    }
  }
  if (refused !== undefined) throw new CommandFailure('Some deliveries were not sent again.', refused.status);
};

/** Lists the deliveries that wait or cannot be sent, with the reasons. */
const sayWhy = (print: Printer, { held, refused }: RedeliveredMatching): void => {
  for (const { reason, count } of held)
    print.say(`${String(count)} will wait: ${WHY_WAITING[reason].name}. ${WHY_WAITING[reason].help}`);
  for (const { reason, count } of refused) print.say(`${String(count)} cannot be sent. ${WHY_NOT_SENDABLE[reason]}`);
};

/** Waits until all are made due again. A crash of the server does not end the redelivery. */
const finished = async (api: AdminApi, id: string): Promise<Redelivery> => {
  for (;;) {
    const progress = await api.get<Redelivery>(`/redeliveries/${id}`);
    if (progress.isFinished) return progress;
    await pause(POLL_MS);
  }
};

const redeliverMatching = async ({ api, print, context }: Session, { dryRun, yes, ...flags }: Flags): Promise<void> => {
  const { storeId, filter } = await deliveryFilter(api, flags);
  const path = `/stores/${storeId}/deliveries/redeliver`;
  const preview = await api.post<RedeliveredMatching>(path, { ...filter, dryRun: true });
  const { deliveries, refused, isComplete } = preview;
  const least = isComplete ? '' : 'at least ';
  const isNothing = deliveries === 0 && isComplete;
  if (dryRun === true || isNothing) print.one(preview, { deliveries: `${least}${String(deliveries)}` });
  sayWhy(print, preview);
  if (isNothing && refused.length === 0) print.say('No delivery matches.');
  if (dryRun === true) print.say('Nothing was sent: this was a dry run.');
  if (dryRun === true || isNothing) return;
  await confirm(context, `This queues ${least}${plural(deliveries, 'delivery', 'deliveries')} again.`, yes);
  const { id } = await api.post<RedeliveredMatching>(path, filter);
  if (id === null) throw new CommandFailure('No delivery matches anymore.', EXIT.refused);
  const { sent, skipped, ...rest } = await finished(api, id);
  print.one({ sent, skipped, ...rest }, { id, queued: sent, skipped });
};

export const redeliver = adminCommand({
  docs: {
    brief: 'Redeliver by id or by filter',
    about:
      'Sends the same id and body again, with a new retry schedule. With a filter, it asks for confirmation, redelivers in batches, and waits until all are queued. ' +
      'Deliveries that change in the meantime are skipped.',
    examples: [
      'tenon deliveries redeliver 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11',
      'tenon deliveries redeliver --status Failed --since 1h --app "Stock sync" --dry-run',
    ],
  },
  flags: { ...DELIVERY_FILTER_FLAGS, dryRun: switchFlag('Count the deliveries and send nothing'), yes: YES_FLAG },
  positional: { kind: 'array', parameter: idArgument('Id of a delivery', deliveryIds) },
  run: async (session, flags, ...ids) => {
    const { yes: _yes, dryRun, store: _store, ...filter } = flags;
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    if (ids.length > 0 && (isFiltered || dryRun === true)) {
      throw new CommandFailure('Give delivery ids or a filter, not both.', EXIT.usage);
    }
    if (ids.length > 0) await redeliverEach(session, ids, flags.store);
    else if (isFiltered) await redeliverMatching(session, flags);
    else throw new CommandFailure('Give delivery ids, or a filter such as --status Failed.', EXIT.usage);
  },
});
