import type { StoragePorts } from '../../../src/adapters/storage/storage.ts';
import type { TransactionPorts } from '../../../src/domain/ports/transaction.ts';
import type { Shop } from './shop.ts';

/**
 * An example of a call. `reads` looks at a store; `knows` does too, and may tell that a token or an id is of another store; `writes`
 * changes a store; `ends` removes what other calls need.
 */
type Kind = 'reads' | 'knows' | 'writes' | 'ends';

export interface Call<Given extends readonly unknown[], From> {
  readonly kind: Kind;
  readonly given: (shop: Shop, ports: From) => Given | Promise<Given>;
}

/** A method that is not asked for one store, with the reason. */
type Elsewhere = 'of no store' | 'of all stores' | 'by an id alone';

type CallOf<Method, From> = Method extends (...given: infer Given) => unknown ? Call<Given, From> | Elsewhere : never;

/** An example for each method of the ports. A method without one does not compile. */
export type Calls<Ports, From> = {
  readonly [Name in keyof Ports]: Elsewhere | { readonly [Method in keyof Ports[Name]]: CallOf<Ports[Name][Method], From> };
};

export type StoredCalls = Calls<Omit<StoragePorts, 'feedSignal' | 'transaction' | 'workLeases'>, StoragePorts>;
export type TransactionCalls = Calls<TransactionPorts, TransactionPorts>;

const callOf =
  (kind: Kind) =>
  <Given extends readonly unknown[], From>(given: (shop: Shop, ports: From) => Given | Promise<Given>): Call<Given, From> => ({
    kind,
    given,
  });

export const reads = callOf('reads');
export const knows = callOf('knows');
export const writes = callOf('writes');
export const ends = callOf('ends');

export interface NamedCall<From> {
  /** `port.method`. */
  readonly name: string;
  readonly kind: Kind;
  /** Makes the call for the shop. */
  run(ports: From, shop: Shop, change?: (given: readonly unknown[]) => readonly unknown[]): Promise<unknown>;
  given(ports: From, shop: Shop): Promise<readonly unknown[]>;
}

type Port = Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>;

/** The examples as a list. */
export const callsIn = <Ports, From extends object>(calls: Calls<Ports, From>): readonly NamedCall<From>[] =>
  Object.entries(
    calls as Readonly<Record<string, Elsewhere | Readonly<Record<string, Call<readonly unknown[], From> | Elsewhere>>>>,
  ).flatMap(([port, methods]) =>
    typeof methods === 'string'
      ? []
      : Object.entries(methods).flatMap(([method, call]): NamedCall<From>[] => {
          if (typeof call === 'string') return [];
          const given = async (ports: From, shop: Shop): Promise<readonly unknown[]> => call.given(shop, ports);
          const run: NamedCall<From>['run'] = async (ports, shop, change = (same) => same) => {
            const member = (ports as Readonly<Record<string, Port>>)[port]?.[method];
            return member?.(...change(await given(ports, shop)));
          };
          return [{ name: `${port}.${method}`, kind: call.kind, run, given }];
        }),
  );
