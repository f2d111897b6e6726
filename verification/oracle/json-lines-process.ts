import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A process that answers one JSON line per request line, one request at a time. */
export interface JsonLinesProcess {
  /** Rejects with a RemoteError if the response is `{"error": text}`, and with an error if the process has ended. */
  readonly request: <Response>(
    message: { readonly do: string } & Readonly<Record<string, unknown>>,
  ) => Promise<Response>
  readonly stop: () => Promise<void>
}

/** An error that the process reported; every other error of `request` is a defect of the tools. */
export class RemoteError extends Error {}

/** Starts a program that answers JSON lines; its stderr is inherited. */
export function startJsonLinesProcess(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): JsonLinesProcess {
  const [program, ...args] = command
  const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...environment } })
  const exited = once(child, 'exit').catch(() => [])
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let previous: Promise<unknown> = Promise.resolve()
  const send = async (message: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(message)}\n`)
    const { value, done } = await lines.next()
    if (done)
      throw new Error(`${command.join(' ')} ended before it responded to ${JSON.stringify(message).slice(0, 200)}`)
    const response = JSON.parse(value) as { readonly error?: string }
    if (response.error !== undefined) throw new RemoteError(response.error)
    return response
  }
  return {
    request: <Response>(message: object) => {
      const response = previous.then(() => send(message))
      previous = response.catch(() => undefined)
      return response as Promise<Response>
    },
    stop: async () => {
      child.stdin.end()
      await exited
    },
  }
}
