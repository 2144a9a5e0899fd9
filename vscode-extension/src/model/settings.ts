/** Settings as they are written, checked. */

import { Policy } from "./protocol";

export interface Settings {
  readonly serverUrl: string;
  readonly model: string;
  readonly policy: Policy;
  readonly pythonPath: string;
  readonly command: readonly string[];
}

const POLICIES: readonly string[] = ["auto", "model", "merge"];

/** The settings, or a line that names the one at fault and the way out. */
export function parseSettings(get: (name: string) => unknown): Settings | string {
  const text = (name: string): string => {
    const value = get(name) ?? "";
    if (typeof value !== "string") throw new TypeError(`fastedit.${name} must be a text`);
    return value.trim();
  };
  try {
    const serverUrl = text("serverUrl");
    if (serverUrl && !isHttp(serverUrl))
      throw new TypeError(`fastedit.serverUrl: "${serverUrl}" is not an http:// or https:// address`);
    const policy = text("policy") || "auto";
    if (!POLICIES.includes(policy))
      throw new TypeError(`fastedit.policy: choose one of ${POLICIES.join(", ")}, not "${policy}"`);
    const command = get("command") ?? [];
    if (!Array.isArray(command) || !command.every((part) => typeof part === "string" && part)) {
      throw new TypeError('fastedit.command must be a list such as ["/path/to/fastedit"]');
    }
    return {
      serverUrl,
      model: text("model") || "embedded",
      policy: policy as Policy,
      pythonPath: text("pythonPath"),
      command,
    };
  } catch (error) {
    return (error as TypeError).message;
  }
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
}
