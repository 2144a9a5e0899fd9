/** Edits of several files, one after another; each can be cancelled where it stands. */

export interface Job<T> {
  readonly name: string;
  run(signal: AbortSignal): Promise<T>;
}

interface Waiting {
  readonly name: string;
  readonly controller: AbortController;
  start(): void;
}

export class Cancelled extends Error {
  constructor() {
    super("cancelled");
  }
}

export class Queue {
  private waiting: Waiting[] = [];
  private active: Waiting | undefined;

  /** Called whenever the queue changes. */
  constructor(private readonly changed: () => void = () => {}) {}

  get running(): string | undefined {
    return this.active?.name;
  }

  get names(): string[] {
    return this.waiting.map((job) => job.name);
  }

  /** Settles as the job does. Rejects with Cancelled where the job is cancelled before its turn. */
  add<T>(job: Job<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      controller.signal.addEventListener("abort", () => reject(new Cancelled()));
      const start = (): void => {
        job
          .run(controller.signal)
          .then(resolve, reject)
          .finally(() => this.next());
      };
      this.waiting.push({ name: job.name, controller, start });
      if (this.active) this.changed();
      else this.next();
    });
  }

  /** Cancels the jobs of one name, or all of them. */
  cancel(name?: string): void {
    const gone = (job: Waiting): boolean => name === undefined || job.name === name;
    const cancelled = this.waiting.filter(gone);
    this.waiting = this.waiting.filter((job) => !gone(job));
    if (this.active && gone(this.active)) cancelled.push(this.active);
    for (const job of cancelled) job.controller.abort();
    this.changed();
  }

  private next(): void {
    this.active = this.waiting.shift();
    this.active?.start();
    this.changed();
  }
}
