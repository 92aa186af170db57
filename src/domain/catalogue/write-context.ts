import { refuse, type Refusal } from '../result.ts';
import { isLongerThan, lengthRule } from '../values/text.ts';
import type { Product, ProductDocument } from './product.ts';

/**
 * Keeps the first fault of a document. The work continues with a placeholder, and its result is
 * discarded.
 */
export class FirstFault {
  refusal: Refusal<'invalid'> | null = null;

  /** `message` is public and begins with the field's name. */
  add(message: string): void {
    this.refusal ??= refuse('invalid', message);
  }

  /** Returns the value. A missing or empty one is a fault of the field. */
  required(value: string | null | undefined, field: string): string {
    if (value) return value;
    this.add(`${field} is required.`);
    return '';
  }
  /** A text with more than `max` characters is a fault of the field. Null is not. */
  atMost(text: string | null, max: number, field: () => string): void {
    if (text !== null && isLongerThan(text, max)) this.add(`${field()} ${lengthRule(max)}.`);
  }
}

/** Context for the completion of documents. */
export interface WriteContext {
  readonly storeId: string;
  readonly nextId: () => string;
  /** ISO 8601. */
  readonly now: string;
  /** By default an absent field takes its default value, and not its stored one. */
  readonly keepsStored?: boolean;
}

/** A document on its way to a product. */
export interface Completion extends WriteContext {
  readonly document: ProductDocument;
  readonly productId: string;
  readonly current: Product | null;
  readonly faults: FirstFault;
}
