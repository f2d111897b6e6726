import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { moduleLoaderFlags } from '../../../packages/server/test/server-processes.ts'
import { resolveBeside, runCiScript } from '../harness/programs.ts'
import { defaultSettings } from '../harness/server-process.ts'
import { countDistributedTables } from './nodes.ts'
import type { PlainInstallation } from './plain-installation.ts'

const program = resolveBeside(import.meta.url, '../../../tools/db.ts')
const poll_ms = 50

/** Starts `npm run db -- …` as the owner of the schema; `ended` resolves with its exit code. */
function startDbCommand({ ownerSettings }: PlainInstallation, words: readonly string[]) {
  const env = { ...process.env, LOG_LEVEL: 'error', ...defaultSettings, ...ownerSettings }
  const child = spawn(process.execPath, [...moduleLoaderFlags(), program, ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, readOutput: () => output }
}

/** Runs the command to its end; returns what it printed. Throws if it fails. */
export async function runDbCommand(installation: PlainInstallation, ...words: readonly string[]): Promise<string> {
  const { ended, readOutput } = startDbCommand(installation, words)
  if ((await ended) !== 0) throw new Error(`npm run db -- ${words.join(' ')} failed: ${readOutput()}`)
  return readOutput().trimEnd()
}

/** An end of `distribute` before its time, when so many tables are distributed. */
interface Interruption {
  readonly name: string
  readonly tables: number
  readonly interrupt: (installation: PlainInstallation, pid: number) => Promise<unknown>
}

export const interruptions: readonly Interruption[] = [
  { name: 'SIGINT', tables: 5, interrupt: async (_, pid) => process.kill(pid, 'SIGINT') },
  { name: 'SIGKILL', tables: 40, interrupt: async (_, pid) => process.kill(pid, 'SIGKILL') },
  {
    name: 'a crash of the coordinator',
    tables: 70,
    interrupt: ({ server }) => runCiScript('citus.sh', 'restart', server),
  },
]

/** Starts `distribute` and interrupts it; returns what happened. Throws if it ended before that. */
export async function interruptDistribution(
  installation: PlainInstallation,
  { name, tables, interrupt }: Interruption,
): Promise<string> {
  const { child, ended } = startDbCommand(installation, ['distribute'])
  while ((await countDistributedTables(installation.database_url)) < tables) {
    if (child.exitCode !== null) throw new Error(`distribute ended with ${child.exitCode} before ${name}`)
    await pause(poll_ms)
  }
  await interrupt(installation, child.pid!)
  const code = await ended
  return `${name} after ${await countDistributedTables(installation.database_url)} tables: ended with ${code ?? child.signalCode}`
}
