import { ALL_SCOPES } from '../../../../domain/identity/scope.ts';

const parseScopes = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** The last scope of the list is completed, behind those before it. */
const scopeNames = (partial: string): Promise<readonly string[]> => {
  const before = /^.*[\s,]/.exec(partial)?.[0] ?? '';
  const named = parseScopes(before);
  const found = ALL_SCOPES.filter((scope) => !named.includes(scope)).map((scope) => before + scope);
  return Promise.resolve(found.filter((value) => value.startsWith(partial)));
};

export const scopesFlag = (brief: string) =>
  ({ kind: 'parsed', parse: parseScopes, placeholder: 'scopes', proposeCompletions: scopeNames, brief }) as const;
