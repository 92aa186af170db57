import { readFileSync } from 'node:fs';

/** JSON Schema, as far as the documents use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

/** An operation of an OpenAPI document. */
export interface Operation {
  readonly side: 'app' | 'admin';
  readonly method: string;
  /** Path of the document: `/apps/catalog/products/{id}`. */
  readonly path: string;
  /** Scopes of the app's operations; empty for none. */
  readonly scopes: readonly string[];
  /** Anyone may call it, without credentials. */
  readonly isPublic: boolean;
  /** True for an operation that takes the credentials of a platform app, and no token. */
  readonly isOfDeveloper: boolean;
  readonly parameters: readonly Parameter[];
  /** By media type. */
  readonly bodies: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  readonly statuses: readonly number[];
  /** True when a success shows credentials, by its own example. */
  readonly makesSecrets: boolean;
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly { readonly oauth2?: readonly string[]; readonly basic?: readonly string[] }[];
  readonly requestBody?: { readonly content: Operation['bodies'] };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const SIDES = { app: 'openapi.json', admin: 'openapi-admin.json' } as const;

const read = (side: Operation['side']): Document =>
  JSON.parse(readFileSync(new URL(`../../../../docs/${SIDES[side]}`, import.meta.url), 'utf8')) as Document;

const documents = { app: read('app'), admin: read('admin') };

const TOKEN = '/apps/token';

const operationsOf = (side: Operation['side']): Operation[] =>
  Object.entries(documents[side].paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [], security = [], requestBody, responses }]) => ({
      side,
      method: method.toUpperCase(),
      path,
      scopes: security.flatMap(({ oauth2 = [] }) => oauth2),
      isPublic: security.length === 0,
      isOfDeveloper: security.some(({ basic }) => basic !== undefined),
      parameters,
      bodies: requestBody?.content ?? {},
      statuses: Object.keys(responses).map(Number),
      makesSecrets: /"(clientSecret|signingSecret|accessToken)"/.test(JSON.stringify(responses)),
    })),
  );

/** Every operation of both documents. */
export const everyOperation: readonly Operation[] = [...operationsOf('app'), ...operationsOf('admin')];

/**
 * Every operation of both listeners but the token route, which reads a form and has cases of its
 * own.
 */
export const operations: readonly Operation[] = everyOperation.filter(({ path }) => path !== TOKEN);

export const authenticatedOperations: readonly Operation[] = operations.filter(({ isPublic }) => !isPublic);

/** The schema that a reference names; any other as it is. */
export const resolved = (schema: Schema, side: Operation['side']): Schema =>
  schema.$ref === undefined ? schema : (documents[side].components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

export const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`;
