import type { ImportOwner } from '../../domain/ports/media/media-import-repository.ts';

/** A node fetches at most this many images of one host at once, for all stores. */
const OF_A_HOST = 4;

/** Keeps a slow host from taking the places of other hosts on this node. */
export class HostPlaces {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, ImportOwner>();

  constructor(private readonly ask: (owners: readonly ImportOwner[]) => Promise<void>) {}

  #isFull(host: string): boolean {
    return (this.#taken.get(host) ?? 0) >= OF_A_HOST;
  }

  full(): string[] {
    return [...this.#taken.keys()].filter((host) => this.#isFull(host));
  }

  /** Returns false when the host has no free place. */
  take(host: string): boolean {
    if (this.#isFull(host)) return false;
    this.#taken.set(host, (this.#taken.get(host) ?? 0) + 1);
    return true;
  }

  /** Requests the imports that wait for a place. */
  async free(host: string): Promise<void> {
    const left = (this.#taken.get(host) ?? 0) - 1;
    if (left > 0) this.#taken.set(host, left);
    else this.#taken.delete(host);
    const owners = [...this.#waiting.values()];
    this.#waiting.clear();
    await this.ask(owners);
  }

  wait(owner: ImportOwner): void {
    this.#waiting.set(owner.installationId, owner);
  }
}
