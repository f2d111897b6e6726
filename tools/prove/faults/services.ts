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

/** A throw-away PostgreSQL whose processes can be killed, and a database in it that lies on a disk of its own, if there is one. */
export interface FaultyPostgres {
  readonly port: number
  /** The database that the product uses, by another port. */
  urlBy(port: number): string
  /** SIGKILL for the server and its connections, as a machine that loses its power; starts again when told. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Leaves no room on the disk of the database, and gives it back; null where no disk of its own could be had. */
  readonly disk: { fill(): Promise<void>; free(): Promise<void> } | null
  stop(): Promise<void>
}

const disk_bytes = 160 * 1024 * 1024

export async function startPostgres(): Promise<FaultyPostgres> {
  const server = lastLine((await run(join(scripts, 'postgres.sh'))).stdout)
  const { port } = new URL(server)
  const folder = await mountDisk().catch((error: Error) => {
    console.log(`no disk of its own for the database (${error.message.split('\n')[0]}): a full one is not tried`)
    return null
  })
  const ask = (text: string): Promise<unknown> => run('psql', [server, '-qc', text])
  if (folder !== null) await ask(`create tablespace small location '${folder}'`)
  await ask(`create database faults${folder === null ? '' : ' tablespace small'}`)
  const filler = folder === null ? null : join(folder, 'filler')
  return {
    port: Number(port),
    urlBy: (other) => `postgres://postgres@127.0.0.1:${other}/faults`,
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

/** A disk in memory that is small enough to be filled; only the administrator of a machine can mount one. */
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

/** All that is left, but for nothing: what is written next needs a page and finds none. */
async function fill(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(join(path, '..'))
  await writeFile(path, Buffer.alloc(bavail * bsize)).catch(() => {})
}

/** Until the last process of the dead one has let go of its shared memory, PostgreSQL refuses to start. */
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
  const homes = [`/dev/shm/swath-postgres-${port}`, join(tmpdir(), `swath-postgres-${port}`)]
  const home = homes.find((path) => existsSync(path))
  if (home === undefined) throw new Error(`no PostgreSQL was started on port ${port}`)
  const pid_file = join(home, 'data', 'postmaster.pid')
  const pid = Number((await readFile(pid_file, 'utf8')).split('\n')[0])
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const each of [pid, ...children.split(' ').filter(Boolean).map(Number)]) {
    try {
      process.kill(each, 'SIGKILL')
    } catch {
      // It ended when its parent did.
    }
  }
  // A start would wait for the dead one where nobody has asked yet how it ended.
  await rm(pid_file)
}

export interface FaultyStore {
  readonly port: number
  settingsBy(port: number): Record<string, string>
  stop(): Promise<void>
}

export async function startStore(): Promise<FaultyStore> {
  const server = lastLine((await run(join(scripts, 's3.sh'))).stdout)
  const made = await fetch(`${server}/${bucket}`, { method: 'PUT' })
  if (!made.ok) throw new Error(`the bucket was answered ${made.status}`)
  return {
    port: Number(new URL(server).port),
    settingsBy: (port) => ({
      STORAGE_URL: `s3://${bucket}/faults`,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'proof',
      AWS_SECRET_ACCESS_KEY: 'proof',
    }),
    stop: async () => void (await run(join(scripts, 's3.sh'), ['stop', server])),
  }
}
