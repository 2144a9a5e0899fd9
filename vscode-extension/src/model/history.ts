/** The instructions given before, newest first. */

const KEPT = 50;

export interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

export class History {
  constructor(
    private readonly storage: Storage,
    private readonly key: string,
  ) {}

  get all(): string[] {
    const kept = this.storage.get(this.key);
    return Array.isArray(kept) ? kept.filter((item): item is string => typeof item === "string") : [];
  }

  /** Puts an instruction first; one that was there moves up. */
  async add(instruction: string): Promise<void> {
    const others = this.all.filter((other) => other !== instruction);
    await this.storage.update(this.key, [instruction, ...others].slice(0, KEPT));
  }
}
