import { readdir, readlink, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import type { Clock } from './clock.ts'
import type { Logger } from './log.ts'
import { removeStaleWorkFolders } from './work-folder.ts'

/** The folder names of versions before `withWorkFolder`, which do not identify the process. */
const legacyFolderName = /^swath-(?:upload-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|delivery-\w{6})$/

/** Longer than any upload or delivery attempt; used where the system does not report open files. */
const max_idle_ms = 24 * 3_600_000

/**
 * Removes the work folders of older versions that no running process uses, and returns their number. A process uses a
 * folder if it has a file in it open; without /proc, if it was modified within a day.
 */
export async function removeLegacyWorkFolders(clock: Clock, parent = tmpdir(), processes = '/proc'): Promise<number> {
  const names = (await readdir(parent)).filter((name) => legacyFolderName.test(name))
  if (names.length === 0) return 0
  const pathsInUse = await listPathsInUse(processes)
  let count = 0
  for (const name of names) {
    const folder = join(parent, name)
    if (!(await isOwnedByThisUser(folder))) continue
    const isUsed = pathsInUse
      ? pathsInUse.some((usedPath) => `${usedPath}${sep}`.startsWith(`${folder}${sep}`))
      : clock.now().getTime() - (await lastModified_ms(folder)) < max_idle_ms
    if (isUsed) continue
    await rm(folder, { recursive: true, force: true })
    count += 1
  }
  return count
}

/** Says whether this user owns a folder: those of other users in a shared temporary folder are ignored. */
async function isOwnedByThisUser(folder: string): Promise<boolean> {
  const { uid } = await stat(folder)
  return process.getuid === undefined || process.getuid() === uid
}

/** The working folders and open files of the processes of this user; null if the system does not report them. */
async function listPathsInUse(processes: string): Promise<string[] | null> {
  const ids = await readdir(processes).then(
    (names) => names.filter((name) => /^\d+$/.test(name)),
    () => [],
  )
  if (ids.length === 0) return null
  const paths = await Promise.all(ids.map((id) => listProcessPaths(join(processes, id))))
  return paths.flat()
}

/** Empty for a process that has ended meanwhile, or belongs to another user. */
async function listProcessPaths(folder: string): Promise<string[]> {
  const files = await readdir(join(folder, 'fd')).catch(() => [])
  const links = [join(folder, 'cwd'), ...files.map((file) => join(folder, 'fd', file))]
  return Promise.all(links.map((link) => readlink(link).catch(() => '')))
}

async function lastModified_ms(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true })
  const times = await Promise.all([folder, ...entries.map((name) => join(folder, name))].map((path) => stat(path)))
  return Math.max(...times.map(({ mtimeMs }) => mtimeMs))
}

/** Removes the work folders of killed processes from the temporary folder at startup; a failure is only logged. */
export async function removeStaleTemporaryFolders(clock: Clock, log: Logger): Promise<void> {
  try {
    await Promise.all([removeStaleWorkFolders(), removeLegacyWorkFolders(clock)])
  } catch (error) {
    log.warn({ error }, 'old work folders could not be removed')
  }
}
