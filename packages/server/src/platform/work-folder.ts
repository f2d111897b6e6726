import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** The process that uses a folder, by its id and its start time, because ids are reused (in a container always). */
interface FolderOwner {
  readonly host: string
  readonly pid: number
  readonly start: number
}

const thisProcess = (): FolderOwner => ({
  host: hostname().replaceAll(/[^\w.]/g, '_'),
  pid: process.pid,
  start: Math.floor(performance.timeOrigin),
})

const folderPrefix = ({ host, pid, start }: FolderOwner): string => `swath-work-${host}-${pid}-${start}-`

function parseOwner(name: string): FolderOwner | null {
  const [, host, pid, start] = /^swath-work-([\w.]+)-(\d+)-(\d+)-\w+$/.exec(name) ?? []
  return host === undefined ? null : { host, pid: Number(pid), start: Number(start) }
}

/** Runs work with its own temporary folder, which is removed when the work ends or fails. */
export async function withWorkFolder<T>(work: (folder: string) => Promise<T>, parent = tmpdir()): Promise<T> {
  const folder = await mkdtemp(join(parent, folderPrefix(thisProcess())))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isAlive({ pid, start }: FolderOwner, currentOwner: FolderOwner): boolean {
  if (pid === currentOwner.pid) return start === currentOwner.start
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process belongs to another user, so it exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Removes the folders that killed processes of this machine left, and returns their number. Those of other machines stay. */
export async function removeStaleWorkFolders(parent = tmpdir()): Promise<number> {
  const currentOwner = thisProcess()
  let count = 0
  for (const name of await readdir(parent)) {
    const owner = parseOwner(name)
    if (!owner || owner.host !== currentOwner.host || isAlive(owner, currentOwner)) continue
    await rm(join(parent, name), { recursive: true, force: true })
    count += 1
  }
  return count
}
