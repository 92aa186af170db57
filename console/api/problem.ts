/** The body of an error: problem+json (RFC 9457), with Tenon's code and the faults of a body. */
interface Problem {
  readonly status: number;
  readonly detail?: string;
  readonly code?: string;
  readonly errors?: readonly { readonly path?: string; readonly message: string }[];
}

/** A request that the server refused, or that did not reach it (status 0). */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string | null,
    readonly requestId: string | null,
  ) {
    super(message);
  }
}

export const UNREACHABLE = 'The server cannot be reached. Check that it runs, then try again.';

const problemOf = async (response: Response): Promise<Partial<Problem> & { error?: string }> => {
  try {
    return (await response.json()) as Partial<Problem>;
  } catch {
    // An empty body, or that of a proxy. The status says what there is to say.
    return {};
  }
};

/** The error that a response reports. */
export const errorOf = async (response: Response): Promise<ApiError> => {
  const { detail, error, code } = await problemOf(response);
  const message = detail ?? error ?? `The server answered ${response.status}.`;
  return new ApiError(message, response.status, code ?? null, response.headers.get('x-request-id'));
};
