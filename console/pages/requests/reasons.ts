import type { RefusedRequest } from '../../api/types.ts';
import { CHECK_REASONS } from './check-reasons.ts';
import { CREDENTIAL_REASONS } from './credential-reasons.ts';
import type { Words } from './words.ts';
import { WORK_REASONS } from './work-reasons.ts';

const KNOWN: Readonly<Record<string, Words>> = { ...CREDENTIAL_REASONS, ...WORK_REASONS };

const NEEDS = /^needs (\w+)$/;

/** The scope that the app lacked; null for every other refusal. */
export const missingScope = ({ reason }: Pick<RefusedRequest, 'reason'>): string | null => NEEDS.exec(reason)?.[1] ?? null;

type Refusal = Pick<RefusedRequest, 'reason' | 'code' | 'check'>;

/** A refusal in words. One that is not known here is named by its code. */
export const wordsOf = (refusal: Refusal): Words => {
  const { reason, code, check } = refusal;
  const scope = missingScope(refusal);
  if (scope !== null) {
    return {
      name: `Needs ${scope}`,
      why: `The route needs the scope ${scope}, which the app did not have.`,
      help: 'Grant the scope on the page of the app. It counts from the next request, without a new token.',
    };
  }
  return (
    KNOWN[reason] ??
    CHECK_REASONS[`${check} ${reason}`] ??
    KNOWN[code ?? ''] ??
    CHECK_REASONS[`${check} ${code ?? ''}`] ?? {
      name: code ?? reason,
      why: `The server answered with the code ${code ?? reason}.`,
      help: 'The response of the request says more. Find it in the log of the app by the id of this request.',
    }
  );
};
