import { createHash } from 'node:crypto';

import { arrayEncoder } from './array-parameter.ts';
import type { BoundStatement } from './prepared-query.ts';
import type { Columns, ParameterType, ParameterValue, RowOf } from './sql-types.ts';

type ParameterTypes = Readonly<Record<string, ParameterType>>;

/** No parameters, or no columns that are read. */
type None = Readonly<Record<string, never>>;

/** Declares the types of a statement. A test compares them with PostgreSQL's description of the text. */
export interface StatementDeclaration<Parameters extends ParameterTypes = ParameterTypes, Row extends Columns = Columns> {
  readonly text: string;
  readonly parameters?: Parameters;
  /** The columns of its rows. Without it, nobody reads the rows. */
  readonly row?: Row;
}

/**
 * A statement with its declaration, under the name by which a connection knows it once it has
 * prepared it.
 */
export interface Statement<Parameters extends object, Row extends object> {
  readonly name: string;
  /** Text for PostgreSQL: parameters are `$1`. */
  readonly text: string;
  readonly parameters: ParameterTypes;
  readonly columns: Columns;
  bind(parameters?: Parameters): BoundStatement;
  /** For the type only; it has no value. */
  readonly row?: Row;
}

export type AnyStatement = Pick<Statement<object, object>, 'name' | 'text' | 'parameters' | 'columns'>;

type ParametersOf<Types extends ParameterTypes> = { readonly [Name in keyof Types]: ParameterValue<Types[Name]> };

/**
 * The arguments that pass a statement's parameters. A statement without parameters takes no
 * argument.
 */
export type Arguments<Parameters extends object> = string extends keyof Parameters ? [] : [parameters: Parameters];

const PLACEHOLDER = /\$(\w+)/g;

const numbered = (text: string, names: readonly string[]): string => {
  const used = new Set<string>();
  const result = text.replace(PLACEHOLDER, (_placeholder, name: string) => {
    if (!names.includes(name)) throw new Error(`The statement does not declare its parameter ${name}: ${text}`);
    used.add(name);
    return `$${String(names.indexOf(name) + 1)}`;
  });
  const unused = names.filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`The statement does not use its parameters ${unused.join(', ')}: ${text}`);
  return result;
};

type Encode = (values: unknown[]) => void;

/** Puts the array at `index` into its fastest form; nothing for other types. */
const encoderOf = (type: ParameterType, index: number): Encode[] => {
  const encode = type.includes('[]') ? arrayEncoder(type.replace(/\??\[\]\??$/, '')) : undefined;
  if (!encode) return [];
  return [
    (values) => {
      const value = values[index];
      if (Array.isArray(value)) values[index] = encode(value);
    },
  ];
};

/** Makes a statement that is not in the list of `statements`. */
export const compileStatement = <const Parameters extends ParameterTypes = None, const Row extends Columns = None>(
  declaration: StatementDeclaration<Parameters, Row>,
): Statement<ParametersOf<Parameters>, RowOf<Row>> => {
  const parameters: ParameterTypes = declaration.parameters ?? {};
  const names = Object.keys(parameters);
  const text = numbered(declaration.text, names);
  const name = createHash('sha1').update(text).digest('base64url');
  const storeAt = names.indexOf('storeId');
  const encoders = Object.values(parameters).flatMap(encoderOf);
  return {
    name,
    text,
    parameters,
    columns: declaration.row ?? {},
    bind: (given) => {
      const values: unknown[] = names.map((key) => (given as Record<string, unknown>)[key]);
      for (const encode of encoders) encode(values);
      return { name, text, values, storeId: storeAt === -1 ? null : (values[storeAt] as string) };
    },
  };
};

const declared: AnyStatement[] = [];
let onDeclaration: (statement: AnyStatement) => void = () => undefined;

export const statements = (): readonly AnyStatement[] => declared;

/** For tools that name a statement by the place of its declaration, such as `npm run sql`. */
export const watchDeclarations = (listener: (statement: AnyStatement) => void): void => {
  onDeclaration = listener;
};

/**
 * Declares a prepared statement: its SQL, the types of its parameters and the columns of its rows,
 * all beside each other. TypeScript derives the parameters and the rows from it, and
 * test/architecture/statements.test.ts compares it with the migrated schema. It names its store for
 * every table, or test/architecture/stores.test.ts refuses it. To be called when its module is loaded,
 * so that the tests find it.
 */
export const statement = <const Parameters extends ParameterTypes = None, const Row extends Columns = None>(
  declaration: StatementDeclaration<Parameters, Row>,
): Statement<ParametersOf<Parameters>, RowOf<Row>> => {
  const compiled = compileStatement(declaration);
  declared.push(compiled);
  onDeclaration(compiled);
  return compiled;
};
