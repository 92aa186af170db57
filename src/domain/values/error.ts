/** The code of a system error, such as ENOENT. Undefined for any other. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
