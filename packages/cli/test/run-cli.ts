import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { runCommand } from '../src/run-command.ts'

export interface CliResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** The output is a terminal of this width. */
  readonly columns?: number
}

/** A folder for the profiles of a test; the keychain of the machine is not used. */
export const createConfig = (): { SWATH_CONFIG_DIR: string; SWATH_NO_KEYCHAIN: string } => ({
  SWATH_CONFIG_DIR: mkdtempSync(join(tmpdir(), 'swath-cli-')),
  SWATH_NO_KEYCHAIN: '1',
})

/** Runs a command line in this process, with streams and an environment of its own. */
export async function runCli(
  args: readonly string[],
  { env = {}, input = '', columns }: CliOptions = {},
): Promise<CliResult> {
  // prettier-ignore
  const [stdout, stderr] = [collectStream(), collectStream()]
  const out = columns === undefined ? stdout.stream : Object.assign(stdout.stream, { isTTY: true, columns })
  const code = await runCommand(args, { env, stdin: Readable.from([input]), stdout: out, stderr: stderr.stream })
  return { code, out: stdout.text(), err: stderr.text() }
}

function collectStream(): { stream: PassThrough; text: () => string } {
  const stream = new PassThrough()
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
