// Requests to the server that the page came from; its answers are typed in `answers.ts`.
const KEY = "fastedit-key";

/** The API key, kept for this tab only. */
export const key = {
  get: (): string => sessionStorage.getItem(KEY) ?? "",
  set: (value: string): void => sessionStorage.setItem(KEY, value),
};

/** What the server refused, in its own line. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Throws Refused unless the answer is a success. */
export async function request(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  if (key.get()) headers.set("Authorization", `Bearer ${key.get()}`);
  const response = await fetch(path, { ...options, headers });
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  throw new Refused(response.status, body?.error?.message ?? response.statusText);
}

/** Posts JSON and yields the events of the answer, each with its data. Throws Refused at an `error` event. */
export async function* events(
  path: string,
  body: unknown,
  signal: AbortSignal,
): AsyncGenerator<[name: string, data: unknown]> {
  const response = await request(path, {
    method: "POST",
    signal,
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(body),
  });
  let rest = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const [, name, json] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
      if (!name || !json) continue;
      const data = JSON.parse(json);
      if (name === "error") throw new Refused(response.status, data.error.message);
      yield [name, data];
    }
  }
}
