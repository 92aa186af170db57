import { LRUCache } from 'lru-cache';

import { usedUp } from '../../../domain/identity/sandbox.ts';
import type { Refusal } from '../../../domain/result.ts';
import { storeKey, type StoreKey } from '../../../domain/store-key.ts';
import { StoreTurns } from '../../startup/store-turns.ts';
import { budgetOf } from '../budget.ts';
import { locatedId } from '../store-rule.ts';
import type { Admitted, Budget, ReadInput, RequestContext } from './context.ts';
import { errorReply, type Reply } from './reply/error-reply.ts';
import { TOO_MANY_REQUESTS } from './reply/refusals.ts';

/** Changes of a sandbox store at once in each process, so that no more than one exceeds its budget. */
const MAX_CHANGES = 1;
/** Seconds for which a change waits for those before it. */
const MAX_WAIT_SECONDS = 10;
/** The stores whose kind a process remembers, so that a change by the admin API costs no statement for it. */
const CAPACITY = 20_000;

/** Milliseconds for which a store that has used its budget is refused without another count. */
const KEPT_MS = 10_000;

type UsedUp = Refusal<'conflict'> & { readonly reason: 'sandbox_used_up' };

/** Keeps what changes leave behind in a sandbox store within its budget (docs/specification/credentials.md, "Sandbox stores"). */
export class SandboxBudget implements Budget {
  readonly #turns = new StoreTurns(MAX_CHANGES, MAX_WAIT_SECONDS * 1_000);
  /** A store stays what it is. */
  readonly #isSandbox = new LRUCache<StoreKey, boolean>({ max: CAPACITY });
  /** So a client that repeats what is refused has it counted now and then. A reset is another store. */
  readonly #usedUp = new LRUCache<StoreKey, UsedUp>({ max: CAPACITY, ttl: KEPT_MS });

  /** Answers the request, or refuses it where it may change something in a sandbox store that has used its budget. */
  async around(context: RequestContext, admitted: Admitted, input: ReadInput, run: () => Promise<Reply>): Promise<Reply> {
    const { caller, key } = admitted;
    // An app pays nothing for this in the store of a merchant. A replay changes nothing.
    if (caller?.sandboxAppId === null || (key !== null && key.known !== null)) return run();
    const budget = budgetOf(context.route);
    if (budget === null) return run();
    const storeId = await this.#sandboxOf(context, admitted);
    if (storeId === null || isTrial(context, input)) return run();
    const of = storeKey(storeId);
    const within = async (kept = this.#usedUp.get(of)): Promise<Reply> => {
      context.check = 'work';
      const refusal = kept ?? (await this.#judge(context, storeId));
      return refusal === null || (await hasAnswer(context, admitted)) ? run() : errorReply(context, refusal);
    };
    const refusal = this.#usedUp.get(of);
    if (refusal !== undefined || budget === 'beside others') return within(refusal);
    return (await this.#turns.run(of, () => within())) ?? noTurn(context);
  }

  async #judge({ application }: RequestContext, storeId: string): Promise<UsedUp | null> {
    const count = await application.countSandbox(storeId);
    const refusal = count && usedUp(count);
    if (refusal === null) return null;
    const noted = { ...refusal, reason: 'sandbox_used_up' } as const;
    this.#usedUp.set(storeKey(storeId), noted);
    return noted;
  }

  async #sandboxOf({ application, route, request }: RequestContext, { caller }: Admitted): Promise<string | null> {
    if (caller !== null) return caller.storeId;
    const rule = route.access.kind === 'admin' && 'parameter' in route.access.rule ? route.access.rule : null;
    const id = rule && locatedId(rule, request.params);
    if (rule === null || id === null) return null;
    const storeId = rule.by === 'store' ? id : await application.storeOf(rule.by, id);
    if (storeId === null) return null;
    const isSandbox = this.#isSandbox.get(storeKey(storeId)) ?? (await application.countSandbox(storeId)) !== null;
    this.#isSandbox.set(storeKey(storeId), isSandbox);
    return isSandbox ? storeId : null;
  }
}

const isTrial = ({ route }: RequestContext, input: ReadInput): boolean => {
  if (route.isTrial === null) return false;
  const parsed = input();
  return parsed.ok && route.isTrial(parsed.value.query);
};

/** Where the body was still arriving, the key was not looked up. */
const hasAnswer = async ({ application }: RequestContext, { key }: Admitted): Promise<boolean> =>
  key !== null && (await application.isKnownKey(key.scope));

const noTurn = (context: RequestContext): Reply => {
  context.exceeded('sandbox-changes', { limit: MAX_CHANGES, windowSeconds: MAX_WAIT_SECONDS });
  return errorReply(context, TOO_MANY_REQUESTS);
};
