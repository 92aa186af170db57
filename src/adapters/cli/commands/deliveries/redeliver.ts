import { setTimeout as sleep } from 'node:timers/promises';

import type { RedeliveredMatching, Redelivery } from '../../../http/schemas/answers.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { adminCommand, type Session } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { switchFlag, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import type { Printer } from '../../output/printer.ts';
import { DELIVERY_FILTER_FLAGS, deliveryFilter, type DeliveryFilterFlags } from './filter.ts';

interface Flags extends DeliveryFilterFlags {
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

const POLL_MS = 500;

/** Each by itself: one that is refused does not keep the others. */
const redeliverEach = async (api: AdminApi, print: Printer, ids: readonly string[]): Promise<void> => {
  let refused: CommandFailure | undefined;
  for (const id of ids) {
    try {
      await api.post(`/deliveries/${encodeURIComponent(id)}/redeliver`);
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

/** Waits until all are made due again. A crash of the server does not end the redelivery. */
const finished = async (api: AdminApi, id: string): Promise<Redelivery> => {
  for (;;) {
    const progress = await api.get<Redelivery>(`/redeliveries/${id}`);
    if (progress.isFinished) return progress;
    await sleep(POLL_MS);
  }
};

const redeliverMatching = async ({ api, print, context }: Session, { dryRun, yes, ...flags }: Flags): Promise<void> => {
  const { storeId, filter } = await deliveryFilter(api, flags);
  const path = `/stores/${storeId}/deliveries/redeliver`;
  const counted = await api.post<RedeliveredMatching>(path, { ...filter, dryRun: true });
  const count = `${counted.isComplete ? '' : 'more than '}${String(counted.deliveries)}`;
  if (dryRun === true || counted.deliveries === 0) {
    print.one(counted, { deliveries: counted.deliveries });
    print.say(dryRun === true ? 'Nothing was sent: this was a dry run.' : 'No delivery matches.');
    return;
  }
  await confirm(context, `This sends ${count} deliveries again.`, yes);
  const { id } = await api.post<RedeliveredMatching>(path, filter);
  if (id === null) throw new CommandFailure('No delivery matches anymore.', EXIT.refused);
  const { sent, skipped, ...rest } = await finished(api, id);
  print.one({ sent, skipped, ...rest }, { id, sent, skipped });
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
  positional: { kind: 'array', parameter: { parse: String, placeholder: 'id', brief: 'Delivery ids' } },
  run: async (session, flags, ...ids) => {
    const { yes: _yes, dryRun, store: _store, ...filter } = flags;
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    if (ids.length > 0 && (isFiltered || dryRun === true)) {
      throw new CommandFailure('Give delivery ids or a filter, not both.', EXIT.usage);
    }
    if (ids.length > 0) await redeliverEach(session.api, session.print, ids);
    else if (isFiltered) await redeliverMatching(session, flags);
    else throw new CommandFailure('Give delivery ids, or a filter such as --status Failed.', EXIT.usage);
  },
});
