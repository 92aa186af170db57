export interface AddressResolver {
  /**
   * Returns every address of a name, as 4 or 16 bytes each. Returns a literal address as itself,
   * with or without brackets. Returns an empty list when the name does not resolve. Returns an
   * empty list when the name does not resolve in time. Returns `busy` when too many names of the
   * asker are being looked up for too long. Names of one asker do not wait for those of another.
   */
  resolve(host: string, askedBy: string): Promise<readonly Uint8Array[] | 'busy'>;
}
