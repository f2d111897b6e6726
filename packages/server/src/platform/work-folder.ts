import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Who works in a folder: the process by its id and its start, because ids come again (in a container they always do). */
interface Owner {
  readonly host: string
  readonly pid: number
  readonly start: number
}

const thisProcess = (): Owner => ({
  host: hostname().replaceAll(/[^\w.]/g, '_'),
  pid: process.pid,
  start: Math.floor(performance.timeOrigin),
})

const prefixOf = ({ host, pid, start }: Owner): string => `swath-work-${host}-${pid}-${start}-`

function ownerOf(name: string): Owner | null {
  const [, host, pid, start] = /^swath-work-([\w.]+)-(\d+)-(\d+)-\w+$/.exec(name) ?? []
  return host === undefined ? null : { host, pid: Number(pid), start: Number(start) }
}

/** Gives the work a folder of its own that is gone when it ends, however it ends. */
export async function withWorkFolder<T>(work: (folder: string) => Promise<T>, parent = tmpdir()): Promise<T> {
  const folder = await mkdtemp(join(parent, prefixOf(thisProcess())))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isAlive({ pid, start }: Owner, own: Owner): boolean {
  if (pid === own.pid) return start === own.start
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of somebody else may not be asked, and is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Removes the folders that killed processes of this machine have left, and answers how many. Those of other machines stay. */
export async function sweepWorkFolders(parent = tmpdir()): Promise<number> {
  const own = thisProcess()
  let count = 0
  for (const name of await readdir(parent)) {
    const owner = ownerOf(name)
    if (!owner || owner.host !== own.host || isAlive(owner, own)) continue
    await rm(join(parent, name), { recursive: true, force: true })
    count += 1
  }
  return count
}
