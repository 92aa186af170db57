import type { Actor, OperatorToken } from '../../identity/operator.ts';

export interface NewOperatorToken {
  readonly id: string;
  readonly operatorId: string;
  readonly name: string;
  /** SHA-256 in hex. */
  readonly hash: string;
  /** ISO 8601; null for never. */
  readonly expiresAt: string | null;
}

export interface TokenUse {
  readonly id: string;
  readonly actor: Actor;
}

export interface OperatorTokens {
  /** Issues a token. Returns null and writes nothing when the operator does not exist, or has ended. */
  issue(token: NewOperatorToken): Promise<OperatorToken | null>;
  /** Returns the tokens of the operator by creation, then id, also those that have expired. */
  list(operatorId: string): Promise<readonly OperatorToken[]>;
  /** Deletes the token. Returns false when the operator does not have it. */
  revoke(operatorId: string, id: string): Promise<boolean>;
  /**
   * Returns the token with this SHA-256 in hex and its operator, with the present role and stores.
   * Returns null when there is no such token, or it has expired. Returns null when the operator has
   * ended. Notes the time of the use, at most once a minute.
   */
  authenticate(hash: string): Promise<TokenUse | null>;
}
