import { shortened } from './text.ts';

export const MAX_FAULTS = 20;

const MAX_FIELD_LENGTH = 255;

/** Collects the first faults by field name, in the order found. */
export const faultList = () => {
  const errors: Record<string, string[]> = {};
  let count = 0;
  return {
    errors,
    add: (field: string, ...messages: string[]): void => {
      const key = shortened(field, MAX_FIELD_LENGTH);
      for (const message of messages.slice(0, MAX_FAULTS - count)) {
        if (Object.hasOwn(errors, key)) errors[key]?.push(message);
        else errors[key] = [message];
        count += 1;
      }
    },
    any: (): boolean => count > 0,
    isFull: (): boolean => count >= MAX_FAULTS,
  };
};

export type Faults = ReturnType<typeof faultList>;
