import { readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listChildren } from '../harness/process-tree.ts'
import { runCiScript, runProgram, startCiService } from '../harness/programs.ts'
import { createFolder, type TemporaryFolder } from '../harness/resources.ts'

const bucket = 'swath-faults'

/** A temporary PostgreSQL that can be killed, with a database on a small disk of its own, if one can be mounted. */
export interface FaultyPostgres extends AsyncDisposable {
  readonly port: number
  /** The URL of the product's database with another port. */
  urlWithPort(port: number): string
  /** Sends SIGKILL to the server and its backends, as in a power failure; `restart` starts it again. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Fills the disk of the database, and frees it; null if no small disk could be mounted. */
  readonly disk: { fill(): Promise<void>; free(): Promise<void> } | null
}

const disk_bytes = 160 * 1024 * 1024

export async function startPostgres(): Promise<FaultyPostgres> {
  await using resources = new AsyncDisposableStack()
  const { url: server } = resources.use(await startCiService('postgres.sh'))
  const { port } = new URL(server)
  const folder = await mountDisk(resources).catch((error: Error) => {
    console.log(`no small disk for the database (${error.message.split('\n')[0]}): the full disk is skipped`)
    return null
  })
  const runSql = (text: string): Promise<unknown> => runProgram('psql', [server, '-qc', text])
  if (folder !== null) await runSql(`create tablespace small location '${folder.path}'`)
  await runSql(`create database faults${folder === null ? '' : ' tablespace small'}`)
  const filler = folder === null ? null : join(folder.path, 'filler')
  const started = resources.move()
  return {
    port: Number(port),
    urlWithPort: (other) => `postgres://postgres@127.0.0.1:${other}/faults`,
    kill: () => killPostmaster(port),
    restart: () => restart(server),
    disk: filler === null ? null : { fill: () => fill(filler), free: () => rm(filler, { force: true }) },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** Mounts a tmpfs that is small enough to be filled; needs root. */
async function mountDisk(resources: AsyncDisposableStack): Promise<TemporaryFolder> {
  const folder = resources.use(await createFolder('faults-disk'))
  await runProgram('mount', ['-t', 'tmpfs', '-o', `size=${disk_bytes},mode=777`, 'tmpfs', folder.path])
  resources.defer(async () => void (await runProgram('umount', ['-l', folder.path])))
  await runProgram('chown', ['postgres', folder.path])
  return folder
}

/** Fills all free space, so that the next write fails. */
async function fill(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(join(path, '..'))
  await writeFile(path, Buffer.alloc(bavail * bsize)).catch(() => {})
}

/** PostgreSQL refuses to start until the last backend of the dead server has released its shared memory. */
async function restart(server: string, tries = 20): Promise<void> {
  try {
    await runCiScript('postgres.sh', 'restart', server)
  } catch (error) {
    if (tries === 0) throw error
    await pause(250)
    await restart(server, tries - 1)
  }
}

async function killPostmaster(port: string): Promise<void> {
  const candidateFolders = [`/dev/shm/swath-postgres-${port}`, join(tmpdir(), `swath-postgres-${port}`)]
  const folder = candidateFolders.find((path) => existsSync(path))
  if (folder === undefined) throw new Error(`no PostgreSQL was started on port ${port}`)
  const pid_file = join(folder, 'data', 'postmaster.pid')
  const pid = Number((await readFile(pid_file, 'utf8')).split('\n')[0])
  for (const each of [pid, ...(await listChildren(pid))]) {
    try {
      process.kill(each, 'SIGKILL')
    } catch {
      // It exited together with its parent.
    }
  }
  // With its pid file a zombie process would delay the start.
  await rm(pid_file)
}

export interface FaultyObjectStore extends AsyncDisposable {
  readonly port: number
  settingsWithPort(port: number): Record<string, string>
}

export async function startStore(): Promise<FaultyObjectStore> {
  const server = await startCiService('s3.sh')
  const response = await fetch(`${server.url}/${bucket}`, { method: 'PUT' })
  if (!response.ok) throw new Error(`creating the bucket returned ${response.status}`)
  return {
    ...server,
    port: Number(new URL(server.url).port),
    settingsWithPort: (port) => ({
      STORAGE_URL: `s3://${bucket}/faults`,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'proof',
      AWS_SECRET_ACCESS_KEY: 'proof',
    }),
  }
}
