import { CHECK_REASONS } from './check-reasons.ts';
import { CODE_REASONS } from './code-reasons.ts';
import { NOTED_REASONS } from './noted-reasons.ts';
import type { Words } from './words.ts';

const KNOWN: Readonly<Record<string, Words | undefined>> = { ...CODE_REASONS, ...CHECK_REASONS, ...NOTED_REASONS };

const NEEDS = /^needs (\w+)$/;

export interface Refused {
  readonly check: string;
  readonly reason: string;
  readonly code: string | null;
  /** The host, where the log knows that no store has it. */
  readonly host?: string | null;
}

/** The scope that the app lacked; null for every other refusal. */
export const missingScope = ({ reason }: Pick<Refused, 'reason'>): string | null => NEEDS.exec(reason)?.[1] ?? null;

const needs = (scope: string): Words => ({
  name: `Needs ${scope}`,
  why: `The route needs the scope ${scope}, which the app did not have.`,
  help: 'Grant the scope on the page of the app, or with tenon app update --scopes. It counts from the next request, without a new token.',
});

const noStore = (host: string): Words => ({
  name: 'No such store',
  why: `No store has the domain ${host}, so no credentials are valid there.`,
  help: 'Check the address that the app calls. The Stores page and tenon store list show the domains.',
});

const knownAt = (check: string, name: string): Words | undefined => KNOWN[`${check} ${name}`] ?? KNOWN[name];

const unknown = (name: string): Words => ({
  name,
  why: `The server answered with the code ${name}.`,
  help: 'The response of the request says more. Find it in the log of the app by the id of this request.',
});

export const whyRefused = (refused: Refused): Words => {
  const { reason, code, check, host } = refused;
  const scope = missingScope(refused);
  if (scope !== null) return needs(scope);
  if (host && check === 'token') return noStore(host);
  const name = code ?? reason;
  return knownAt(check, reason) ?? knownAt(check, name) ?? unknown(name);
};
