import type { Readable, Writable } from 'node:stream'

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>

/** Where a command runs: its environment and its streams. `main.ts` passes those of the process, tests their own. */
export interface CommandContext {
  readonly env: ProcessEnvironment
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
}

/** True if a person can answer a question: input and messages are on a terminal. */
export const canAsk = ({ stdin, stderr }: CommandContext): boolean => stdin.isTTY === true && stderr.isTTY === true

/** Writes a line for a person, beside the output. */
export const writeMessage = ({ stderr }: Pick<CommandContext, 'stderr'>, line: string): void => {
  stderr.write(`${line}\n`)
}
