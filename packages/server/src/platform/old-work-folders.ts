import { readdir, readlink, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import type { Clock } from './clock.ts'
import type { Logger } from './log.ts'
import { sweepWorkFolders } from './work-folder.ts'

/** What versions before `withWorkFolder` called their folders, which says nothing about the process. */
const oldName = /^swath-(?:upload-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|delivery-\w{6})$/

/** Longer than any attempt at an upload or a delivery lasts: where nobody says which files are open, this decides. */
const abandoned_ms = 24 * 3_600_000

/**
 * Removes the work folders of older versions that no living process uses, and answers how many. A process uses a folder
 * when it has something in it open; on systems that do not tell (without /proc), when it was touched within a day.
 */
export async function sweepOldWorkFolders(clock: Clock, parent = tmpdir(), processes = '/proc'): Promise<number> {
  const names = (await readdir(parent)).filter((name) => oldName.test(name))
  if (names.length === 0) return 0
  const used = await usedPlaces(processes)
  let count = 0
  for (const name of names) {
    const folder = join(parent, name)
    if (!(await isOurs(folder))) continue
    const isUsed = used
      ? used.some((place) => `${place}${sep}`.startsWith(`${folder}${sep}`))
      : clock.now().getTime() - (await lastTouched_ms(folder)) < abandoned_ms
    if (isUsed) continue
    await rm(folder, { recursive: true, force: true })
    count += 1
  }
  return count
}

/** In a temporary folder that all users share, what others made is theirs. */
async function isOurs(folder: string): Promise<boolean> {
  const { uid } = await stat(folder)
  return process.getuid === undefined || process.getuid() === uid
}

/** Where the processes of this user stand and what they have open; null where the system does not tell. */
async function usedPlaces(processes: string): Promise<string[] | null> {
  const ids = await readdir(processes).then(
    (names) => names.filter((name) => /^\d+$/.test(name)),
    () => [],
  )
  if (ids.length === 0) return null
  const places = await Promise.all(ids.map((id) => placesOf(join(processes, id))))
  return places.flat()
}

/** Nothing for a process that has ended meanwhile, or is of another user. */
async function placesOf(folder: string): Promise<string[]> {
  const files = await readdir(join(folder, 'fd')).catch(() => [])
  const links = [join(folder, 'cwd'), ...files.map((file) => join(folder, 'fd', file))]
  return Promise.all(links.map((link) => readlink(link).catch(() => '')))
}

async function lastTouched_ms(folder: string): Promise<number> {
  const inner = await readdir(folder, { recursive: true })
  const times = await Promise.all([folder, ...inner.map((name) => join(folder, name))].map((path) => stat(path)))
  return Math.max(...times.map(({ mtimeMs }) => mtimeMs))
}

/** Removes what killed processes left in the temporary folder: before any work begins, and no reason not to begin. */
export async function sweepTemporaryFolders(clock: Clock, log: Logger): Promise<void> {
  try {
    await Promise.all([sweepWorkFolders(), sweepOldWorkFolders(clock)])
  } catch (error) {
    log.warn({ error }, 'old work folders could not be removed')
  }
}
