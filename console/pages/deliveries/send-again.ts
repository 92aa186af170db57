import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import { messageOf } from '../../parts/notice.tsx';
import type { DeliveryDetail } from '../../api/types.ts';
import { isHold, WHY_WAITING } from '../../../src/adapters/http/console/shared.ts';
import { errorName } from './words.ts';

/** An attempt takes 15 seconds at most, and its turn comes within a second. */
const WAIT_MS = 20_000;
const POLL_MS = 300;

/** Result of a request to send a delivery again. */
export interface Outcome {
  readonly kind: 'delivered' | 'failed' | 'held' | 'queued' | 'refused';
  /** The outcome as a sentence. */
  readonly text: string;
}

const read = (id: string): Promise<DeliveryDetail> => api.get<DeliveryDetail>(paths.delivery(id));

/** The outcome of the attempt, once one was made or cannot be made now; null until then. */
const outcomeOf = (
  { status, waitingBecause, attempts, error, responseStatus }: DeliveryDetail,
  before: number,
): Outcome | null => {
  const answer = responseStatus === null ? errorName(error) : String(responseStatus);
  if (attempts > before) {
    if (status === 'Delivered') return { kind: 'delivered', text: `Sent again and delivered: the receiver answered ${answer}.` };
    const next = status === 'Retrying' ? 'It is tried again later.' : 'Fix the receiver first.';
    return { kind: 'failed', text: `Sent again, and it failed: ${answer}. ${next}` };
  }
  if (!isHold(waitingBecause)) return null;
  const { name, help } = WHY_WAITING[waitingBecause];
  return { kind: 'held', text: `Not sent now: ${name}. ${help}` };
};

/** Sends the delivery again, and waits for its attempt. Throws nothing: what was refused is an outcome. */
export const sendAgain = async (id: string): Promise<Outcome> => {
  try {
    const { attempts } = await read(id);
    await api.post(paths.redeliver(id));
    for (const end = Date.now() + WAIT_MS; Date.now() < end;) {
      const outcome = outcomeOf(await read(id), attempts);
      if (outcome !== null) return outcome;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return { kind: 'queued', text: 'It is queued. No attempt has ended within 20 seconds.' };
  } catch (error) {
    return { kind: 'refused', text: `Not sent: ${messageOf(error)}` };
  }
};
