import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { waitFor } from '../harness/resources.ts'

const step_timeout_ms = 120_000

/** A shell in a pseudo-terminal, which `script` of util-linux makes and records. */
export interface Terminal {
  /** Types a line. */
  type(line: string): void
  /** Presses keys, without Enter. */
  press(keys: string): void
  /** Waits until the terminal shows a text after all that was matched before, and returns the match. Throws if it does not. */
  expect(pattern: RegExp): Promise<RegExpExecArray>
  close(): Promise<void>
}

/** Starts the shell; what it shows is written to `recording`. */
export function openTerminal(env: NodeJS.ProcessEnv, cwd: string, recording: string): Terminal {
  const child: ChildProcessWithoutNullStreams = spawn('script', ['-qefc', 'sh', recording], { env, cwd })
  let shown = ''
  let matched = 0
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
  })
  const find = (pattern: RegExp): RegExpExecArray | null => pattern.exec(stripVTControlCharacters(shown).slice(matched))
  return {
    type: (line) => void child.stdin.write(`${line}\r`),
    press: (keys) => void child.stdin.write(keys),
    async expect(pattern) {
      const found = await waitFor(async () => find(pattern), { timeout_ms: step_timeout_ms, poll_ms: 50 })
      if (found === null) throw new Error(`the terminal does not show ${pattern}, but: ${stripVTControlCharacters(shown).slice(matched).slice(-1500)}`) // prettier-ignore
      matched += found.index + found[0].length
      return found
    },
    async close() {
      child.stdin.write('exit\r')
      await new Promise<void>((resolve) => child.once('exit', () => resolve()))
    },
  }
}
