import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { ReportLine } from './client-report.ts'

const max_log_length = 4000

interface Play {
  readonly arguments: readonly string[]
  /** Read from the standard input of the script. */
  readonly request: object
  readonly environment?: NodeJS.ProcessEnv
  /** Called with lines that are not of the report, such as a question to whom the script is played for. */
  readonly onLine?: (line: Readonly<Record<string, unknown>>) => Promise<void>
}

/** Runs a script with a program; returns the lines of its report. Throws with the end of its log if it fails. */
export async function runPlay(
  program: string,
  { arguments: words, request, environment = {}, onLine }: Play,
): Promise<ReportLine[]> {
  const child = spawn(program, words, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...environment },
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  child.stdin.end(JSON.stringify(request))
  // The log and the progress bars of the client, of which only the end is of interest, and only if it fails.
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log = `${log}${chunk}`.slice(-max_log_length)))
  const lines: ReportLine[] = []
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('{')) {
      const said = JSON.parse(line) as ReportLine
      if ('client' in said) lines.push(said)
      else await onLine?.(said)
    }
  const [code] = await closed
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${code}: ${log}`)
  return lines
}
