import { api } from '../../api/client.ts';
import type { TrialResponse, TrialToken } from '../../api/types.ts';
import type { Call } from './compose.ts';

/** A token of the app, made for this page. */
export interface Token {
  readonly text: string;
  /** Seconds since the epoch. */
  readonly endsAt: number;
  readonly scopes: readonly string[];
}

export type Answer = TrialResponse & { readonly call: Call };

/** A token that ends this soon is not used: the call may take longer. */
const SPARE_SECONDS = 5;

export const makeToken = async (appId: string): Promise<Token> => {
  const { accessToken, expiresIn, scopes } = await api.post<TrialToken>(`/apps/${appId}/tokens`);
  return { text: accessToken, endsAt: Math.floor(Date.now() / 1000) + expiresIn, scopes };
};

export const isUsable = (token: Token | null): token is Token =>
  token !== null && token.endsAt - SPARE_SECONDS > Date.now() / 1000;

/** Sends the call as the app. A refusal of the app API is an answer as well. */
export const sendAs = async (appId: string, token: Token, call: Call): Promise<Answer> => {
  const { method, path, headers, body } = call;
  const answer = await api.post<TrialResponse>(`/apps/${appId}/try`, {
    method,
    path,
    headers: { ...headers, Authorization: `Bearer ${token.text}` },
    ...(body !== null && { body }),
  });
  return { ...answer, call };
};
