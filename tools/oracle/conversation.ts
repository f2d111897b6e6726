import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A process that answers one JSON line per request line, one request at a time. */
export interface Conversation {
  /** Rejects with a RemoteError if the response is `{"error": text}`, and with an error if the process has ended. */
  readonly ask: <Answer>(message: { readonly do: string } & Readonly<Record<string, unknown>>) => Promise<Answer>
  readonly end: () => Promise<void>
}

/** An error that the process reported; every other error of `request` is a defect of the tools. */
export class AnsweredError extends Error {}

/** Starts a program that answers JSON lines; its stderr is inherited. */
export function converse(command: readonly string[], environment: Readonly<Record<string, string>> = {}): Conversation {
  const [program, ...words] = command
  const child = spawn(program!, words, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const ended = once(child, 'exit').catch(() => [])
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let turn: Promise<unknown> = Promise.resolve()
  const ask = async (message: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(message)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error(`${command.join(' ')} ended before it responded to ${JSON.stringify(message).slice(0, 200)}`)
    const answer = JSON.parse(value) as { readonly error?: string }
    if (answer.error !== undefined) throw new AnsweredError(answer.error)
    return answer
  }
  return {
    ask: <Answer>(message: object) => {
      const answer = turn.then(() => ask(message))
      turn = answer.catch(() => undefined)
      return answer as Promise<Answer>
    },
    end: async () => {
      child.stdin.end()
      await ended
    },
  }
}
