import { api } from './client.ts';

/**
 * Sends changes under idempotency keys. Until the server has answered a change, the same change has
 * the same key: neither a second click nor a retry after a lost answer does it twice.
 */
export const postOnce = <T>(path: string): ((body: unknown) => Promise<T>) => {
  let open: { readonly text: string; readonly key: string } | null = null;
  return async (body) => {
    const text = JSON.stringify(body);
    const asked = open?.text === text ? open : { text, key: crypto.randomUUID() };
    open = asked;
    const answer = await api.post<T>(path, body, { 'Idempotency-Key': asked.key });
    if (open === asked) open = null;
    return answer;
  };
};
