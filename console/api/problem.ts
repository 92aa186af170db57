/** Faults of the body, by the path of the field: `scopes[0]`. */
type Faults = Readonly<Record<string, readonly string[]>>;

/** The body of an error: problem+json (RFC 9457), with Tenon's code and the faults of a body. */
interface Problem {
  readonly status: number;
  readonly detail?: string;
  readonly code?: string;
  readonly errors?: Faults;
}

/** A request that the server refused, or that did not reach it (status 0). */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string | null,
    readonly requestId: string | null,
    readonly faults: Faults = {},
  ) {
    super(message);
  }
}

export const UNREACHABLE = 'The server cannot be reached. Check that it is running, then try again.';

/** Text for a request that may have been carried out. */
export const NO_ANSWER = 'The server did not answer within a minute. Check what came of it, then try again.';

type Told = Partial<Problem> & { readonly error?: string };

const problemOf = async (response: Response): Promise<Told> => {
  try {
    return (await response.json()) as Partial<Problem>;
  } catch {
    // An empty body, or that of a proxy. The status says what there is to say.
    return {};
  }
};

/** The error of a response with this status and body. */
export const errorFrom = (status: number, requestId: string | null, problem: Told): ApiError => {
  const { detail, error, code, errors } = problem;
  return new ApiError(detail ?? error ?? `The server answered ${status}.`, status, code ?? null, requestId, errors);
};

/** Matches a 403 to an app, which has no body. */
const SCOPE = /error="insufficient_scope", scope="(\w+)"/;

/** The error in a response that is not 2xx. */
export const errorOf = async (response: Response): Promise<ApiError> => {
  const { status, headers } = response;
  const scope = SCOPE.exec(headers.get('www-authenticate') ?? '')?.[1];
  const needed = scope !== undefined && { detail: `Your app needs the scope ${scope}. The merchant can grant it.` };
  return errorFrom(status, headers.get('x-request-id'), { ...(await problemOf(response)), ...needed });
};

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** True when the path is the field's, or leads into it. */
const isIn = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`);

/** Returns the server's fault for a field of the body; null without a fault. */
export const faultOf = (error: unknown, field: string): string | null => {
  if (!(error instanceof ApiError)) return null;
  const texts = Object.entries(error.faults)
    .filter(([path]) => isIn(path, field))
    .flatMap(([, messages]) => messages);
  return texts.length > 0 ? [...new Set(texts)].map(sentence).join(' ') : null;
};

/** True when the fields of a form show all faults. */
export const isAboutFields = (error: unknown, fields: readonly string[]): boolean =>
  error instanceof ApiError &&
  Object.keys(error.faults).length > 0 &&
  Object.keys(error.faults).every((path) => fields.some((field) => isIn(path, field)));
