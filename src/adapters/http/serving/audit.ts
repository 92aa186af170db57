import type { AuditRefused } from '../../../application/insight/gather-audit-refusals.ts';
import type { AuditedPlace } from '../../../application/insight/audit-change.ts';
import { auditedOf, UNKNOWN_OPERATOR, type AuditAnswer, type Way } from '../../../domain/insight/audit.ts';
import { MAX_REFUSED_PATH } from '../../../domain/insight/audit-refusal.ts';
import type { Redact } from '../../../domain/identity/redact.ts';
import type { Actor } from '../../../domain/identity/operator.ts';
import { Unavailable } from '../../../domain/unavailable.ts';
import { CLI_AGENT } from '../../startup/version.ts';
import type { Outcome } from '../handler.ts';
import { locatedId } from '../store-rule.ts';
import type { Audit, RequestContext } from './context.ts';
import { clientAddress, type TrustsProxy } from './listener/host.ts';
import type { Reply } from './reply/error-reply.ts';
import { addressKey } from './reply/rate-limit.ts';
import { STATUS_OF } from './reply/refusals.ts';

interface AuditOptions {
  readonly redact: Redact;
  readonly trusts: TrustsProxy;
  /** Never waits. */
  readonly onAuditRefused: (refused: AuditRefused) => void;
}

/** The wrong tokens of strangers are counted together, for every route. */
const WRONG_TOKENS = 'wrong tokens';

const wayOf = ({ sessionId, request }: RequestContext): Way => {
  if (sessionId !== null) return 'console';
  return request.headers['user-agent']?.startsWith(CLI_AGENT) === true ? 'command_line' : 'api';
};

/** An entry in the erased store would be erased with it, although it says who erased the store. */
const placeOf = ({ route, request }: RequestContext): AuditedPlace => {
  const rule = route.access.kind === 'admin' ? route.access.rule : null;
  if (rule === null || !('parameter' in rule) || (route.method === 'delete' && route.path === '/admin/stores/:storeId'))
    return null;
  const id = locatedId(rule, request.params);
  return id === null ? null : { by: rule.by, id };
};

/** The id of what was created, where the answer has one. */
const createdOf = (value: unknown): string | null => {
  const { id, installation } = (value ?? {}) as { readonly id?: unknown; readonly installation?: { readonly id?: unknown } };
  return typeof id === 'string' ? id : typeof installation?.id === 'string' ? installation.id : null;
};

/** Reads the code of an answer under a key, which may be remembered: a refusal has its code in the problem. */
const replyCode = ({ status, body }: Reply): string | null =>
  status < 400 || !(body instanceof Uint8Array) ? null : (JSON.parse(Buffer.from(body).toString()) as { code: string }).code;

const answerOf = ({ route }: RequestContext, outcome: Outcome | Reply, after: unknown): AuditAnswer => {
  if (!('ok' in outcome)) return { status: outcome.status, code: replyCode(outcome), created: null, after };
  if (!outcome.ok) return { status: STATUS_OF[outcome.code], code: outcome.code, created: null, after };
  const created = route.method === 'post' ? createdOf(outcome.value) : null;
  return { status: outcome.status ?? route.status, code: null, created, after };
};

/**
 * Records each change that an operator asks for: what is asked for before it is done, or nothing is
 * done, and its outcome afterwards. The change is done by then, so a failure to record the outcome is
 * for the log.
 */
export const createAudit = ({ redact, trusts, onAuditRefused }: AuditOptions): Audit => ({
  refused: (context, actor, { code, reason }) => {
    const { notes, request, route } = context;
    if (!route.isAudited) return;
    const address = clientAddress(request, trusts);
    onAuditRefused({
      kind: actor?.operatorId ?? WRONG_TOKENS,
      sender: actor === null ? addressKey(address) : null,
      operatorId: actor?.operatorId ?? null,
      // A stranger's request is not looked up: its path alone says what it is about.
      place: actor === null ? null : placeOf(context),
      reason,
      asked: {
        operator: actor?.name ?? UNKNOWN_OPERATOR,
        way: wayOf(context),
        address,
        what: route.summary,
        route: notes.route ?? '',
        path: redact(request.path).slice(0, MAX_REFUSED_PATH),
        requestId: notes.requestId,
        // The body was not read.
        body: null,
      },
      answer: { status: STATUS_OF[code], code },
    });
  },
  around: async (context, actor: Actor, { params, body }, run) => {
    const { application, backend, notes, request, route } = context;
    const look = async (): Promise<unknown> => {
      const found = (await route.audits?.(application, params, body)) ?? null;
      return auditedOf(found?.ok === true ? found.value : null, redact);
    };
    const record = await application.auditChange({
      operatorId: actor.operatorId,
      place: placeOf(context),
      asked: {
        operator: actor.name,
        way: wayOf(context),
        address: clientAddress(request, trusts),
        what: route.summary,
        route: notes.route ?? '',
        path: redact(request.path),
        requestId: notes.requestId,
        // A stream of any size is not kept.
        body: route.streams.length > 0 ? null : auditedOf(body, redact),
        before: await look(),
      },
    });
    const answered = async (answer: () => Promise<AuditAnswer>): Promise<void> => {
      try {
        await record(await answer());
      } catch (error) {
        backend.log.error(
          { err: error, requestId: notes.requestId },
          'The outcome of a change was not recorded in the audit log.',
        );
      }
    };
    try {
      const outcome = await run();
      await answered(async () => answerOf(context, outcome, await look()));
      return outcome;
    } catch (error) {
      const status = error instanceof Unavailable ? 503 : 500;
      await answered(() => Promise.resolve({ status, code: null, created: null, after: null }));
      throw error;
    }
  },
});
