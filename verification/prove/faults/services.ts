import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const scripts = fileURLToPath(new URL('../../../.ci/', import.meta.url))
const bucket = 'swath-faults'

const lastLine = (text: string): string => text.trim().split('\n').at(-1)!

/** A temporary PostgreSQL that can be killed, with a database on a small disk of its own, if one can be mounted. */
export interface FaultyPostgres {
  readonly port: number
  /** The URL of the product's database with another port. */
  urlWithPort(port: number): string
  /** Sends SIGKILL to the server and its backends, as in a power failure; `restart` starts it again. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Fills the disk of the database, and frees it; null if no small disk could be mounted. */
  readonly disk: { fill(): Promise<void>; free(): Promise<void> } | null
  stop(): Promise<void>
}

const disk_bytes = 160 * 1024 * 1024

export async function startPostgres(): Promise<FaultyPostgres> {
  const server = lastLine((await run(join(scripts, 'postgres.sh'))).stdout)
  const { port } = new URL(server)
  const folder = await mountDisk().catch((error: Error) => {
    console.log(`no small disk for the database (${error.message.split('\n')[0]}): the full disk is skipped`)
    return null
  })
  const runSql = (text: string): Promise<unknown> => run('psql', [server, '-qc', text])
  if (folder !== null) await runSql(`create tablespace small location '${folder}'`)
  await runSql(`create database faults${folder === null ? '' : ' tablespace small'}`)
  const filler = folder === null ? null : join(folder, 'filler')
  return {
    port: Number(port),
    urlWithPort: (other) => `postgres://postgres@127.0.0.1:${other}/faults`,
    kill: () => killPostmaster(port),
    restart: () => restart(server),
    disk: filler === null ? null : { fill: () => fill(filler), free: () => rm(filler, { force: true }) },
    stop: async () => {
      try {
        await run(join(scripts, 'postgres.sh'), ['stop', server])
      } finally {
        if (folder !== null) {
          await run('umount', ['-l', folder])
          await rm(folder, { recursive: true, force: true })
        }
      }
    },
  }
}

/** Mounts a tmpfs that is small enough to be filled; needs root. */
async function mountDisk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-faults-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${disk_bytes},mode=777`, 'tmpfs', folder])
    await run('chown', ['postgres', folder])
    return folder
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Fills all free space, so that the next write fails. */
async function fill(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(join(path, '..'))
  await writeFile(path, Buffer.alloc(bavail * bsize)).catch(() => {})
}

/** PostgreSQL refuses to start until the last backend of the dead server has released its shared memory. */
async function restart(server: string, tries = 20): Promise<void> {
  try {
    await run(join(scripts, 'postgres.sh'), ['restart', server])
  } catch (error) {
    if (tries === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 250))
    await restart(server, tries - 1)
  }
}

async function killPostmaster(port: string): Promise<void> {
  const candidateFolders = [`/dev/shm/swath-postgres-${port}`, join(tmpdir(), `swath-postgres-${port}`)]
  const folder = candidateFolders.find((path) => existsSync(path))
  if (folder === undefined) throw new Error(`no PostgreSQL was started on port ${port}`)
  const pid_file = join(folder, 'data', 'postmaster.pid')
  const pid = Number((await readFile(pid_file, 'utf8')).split('\n')[0])
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const each of [pid, ...children.split(' ').filter(Boolean).map(Number)]) {
    try {
      process.kill(each, 'SIGKILL')
    } catch {
      // It exited together with its parent.
    }
  }
  // With its pid file a zombie process would delay the start.
  await rm(pid_file)
}

export interface FaultyObjectStore {
  readonly port: number
  settingsWithPort(port: number): Record<string, string>
  stop(): Promise<void>
}

export async function startStore(): Promise<FaultyObjectStore> {
  const server = lastLine((await run(join(scripts, 's3.sh'))).stdout)
  const response = await fetch(`${server}/${bucket}`, { method: 'PUT' })
  if (!response.ok) throw new Error(`creating the bucket returned ${response.status}`)
  return {
    port: Number(new URL(server).port),
    settingsWithPort: (port) => ({
      STORAGE_URL: `s3://${bucket}/faults`,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'proof',
      AWS_SECRET_ACCESS_KEY: 'proof',
    }),
    stop: async () => void (await run(join(scripts, 's3.sh'), ['stop', server])),
  }
}
