import type { Operator, Role } from '../../identity/operator.ts';
import type { PlacedPage, PlacedPageOf } from '../../page.ts';

export type NewOperator = Pick<Operator, 'id' | 'name' | 'email' | 'role' | 'storeIds'>;

export interface OperatorChanges {
  readonly name?: string | undefined;
  readonly email?: string | null | undefined;
  readonly role?: Role | undefined;
  readonly storeIds?: readonly string[] | null | undefined;
}

export interface OperatorRepository {
  /**
   * Creates an operator. Returns `name_taken` and writes nothing when an operator who has not ended
   * has the name.
   */
  create(operator: NewOperator): Promise<Operator | 'name_taken'>;
  /** Returns the operator, also one who has ended. Returns null when the operator does not exist. */
  get(id: string): Promise<Operator | null>;
  /** Returns the operators who have not ended and have this email address, in any case of its letters, by creation, then id. */
  withEmail(email: string): Promise<readonly Operator[]>;
  /**
   * Returns a page of all operators by creation, then id, also of those who have ended. Begins behind the place, if one is
   * given.
   */
  list(page: PlacedPage): Promise<PlacedPageOf<Operator>>;
  /**
   * Changes the given fields. Returns `limited_owner` and changes nothing when an owner would be
   * limited to some stores. Returns `name_taken` and changes nothing when another operator who has
   * not ended has the name. Returns null when the operator does not exist, or has ended.
   */
  update(id: string, changes: OperatorChanges): Promise<Operator | 'name_taken' | 'limited_owner' | null>;
  /**
   * Ends the operator for good. Deletes the tokens, sign-in methods, sessions and login codes of the operator. Does nothing when
   * the operator has ended. Frees the name. Returns null when the operator does not exist.
   */
  end(id: string): Promise<Operator | null>;
}
