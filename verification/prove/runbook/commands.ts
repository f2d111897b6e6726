import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCiScript, runProgram } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const runbook = new URL('../../../docs/operate/runbook.md', import.meta.url)

/** Debian installs the programs of PostgreSQL here, outside of the path. */
const postgresPrograms = '/usr/lib/postgresql/15/bin'

/** The path with the programs of PostgreSQL and the client of S3; the latter is installed if it is missing. */
async function findPrograms(): Promise<string> {
  return [process.env['PATH'], postgresPrograms, await runCiScript('aws-cli.sh')].join(':')
}

/** The blocks of commands below a heading of the runbook, in their order. */
export async function readCommands(heading: string): Promise<string[]> {
  const sections = (await readFile(runbook, 'utf8')).split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`the runbook has no section "${heading}"`)
  return [...section.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].map(([, commands]) => commands!)
}

export type CommandEnvironment = Readonly<Record<string, string>>

/** The user that runs commands: that of this process, or that of PostgreSQL, which refuses to run as root. */
type CommandUser = 'operator' | 'postgres'

async function findIds(user: CommandUser): Promise<{ uid?: number; gid?: number }> {
  if (user === 'operator' || process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number(await runProgram('id', [flag, 'postgres']))),
  )
  return { uid: uid!, gid: gid! }
}

/** Runs a block in the folder of the program, and stops at the first command that fails; returns its output. */
export async function runCommands(
  commands: string,
  environment: CommandEnvironment,
  user: CommandUser = 'operator',
): Promise<string> {
  // A file, not pipes: a server that a command starts in the background keeps writing to it.
  await using folder = await createFolder('commands')
  const path = join(folder.path, 'output')
  await using file = await open(path, 'w')
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: user === 'operator' ? root : '/',
    env: { ...process.env, PATH: await findPrograms(), ...environment },
    stdio: ['ignore', file.fd, file.fd],
    ...(await findIds(user)),
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  const output = await readFile(path, 'utf8')
  if (code !== 0) throw new Error(`exit code ${code} of\n${commands}\n${output}`)
  return output
}
