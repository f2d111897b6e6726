import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../clock.ts'
import { DatabaseFailure } from '../failures.ts'

export interface FolderLock {
  release(): void
}

const lockFile = (dir: string): string => `${dir}.lock`
const holderFile = (dir: string): string => `${dir}.holder`

/** Describes the lock holder for an error message, if it wrote its pid down. */
function describeHolder(dir: string): string {
  try {
    const holder: unknown = JSON.parse(fs.readFileSync(holderFile(dir), 'utf8'))
    if (typeof holder === 'object' && holder !== null && 'pid' in holder && 'since' in holder) {
      return `process ${holder.pid} since ${holder.since}`
    }
  } catch {
    // The holder file is missing or unreadable.
  }
  return 'another process'
}

/** Null if another process holds the lock. */
function tryLock(dir: string): DatabaseSync | null {
  const lock = new DatabaseSync(lockFile(dir), { timeout: 0 })
  try {
    lock.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive')
    return lock
  } catch {
    lock.close()
    return null
  }
}

const createFolderLock = (dir: string, lock: DatabaseSync): FolderLock => {
  fs.writeFileSync(holderFile(dir), JSON.stringify({ pid: process.pid, since: systemClock.now().toISOString() }))
  return {
    release: () => {
      fs.rmSync(holderFile(dir), { force: true })
      lock.close()
    },
  }
}

/** The canonical path of a folder, without symbolic links. */
export function resolveFolder(dir: string): string {
  const absolute = path.resolve(dir)
  fs.mkdirSync(path.dirname(absolute), { recursive: true, mode: 0o700 })
  return fs.existsSync(absolute)
    ? fs.realpathSync(absolute)
    : path.join(fs.realpathSync(path.dirname(absolute)), path.basename(absolute))
}

/**
 * Locks a folder for this process: two engines on one folder would silently lose each other's rows. It is a kernel lock on
 * a file beside the folder, released as soon as its holder dies. Throws `folder-in-use` immediately, naming the holder.
 */
export function lockFolder(dir: string): FolderLock {
  const lock = tryLock(dir)
  if (!lock) throw new DatabaseFailure('folder-in-use', `the data folder ${dir} is in use by ${describeHolder(dir)}`)
  return createFolderLock(dir, lock)
}

/** Waits for the lock. Throws `folder-in-use` after the timeout. */
export async function waitForFolderLock(dir: string, timeout_ms: number): Promise<FolderLock> {
  const pause_ms = 50
  for (let waited_ms = 0; ; waited_ms += pause_ms) {
    const lock = tryLock(dir)
    if (lock) return createFolderLock(dir, lock)
    if (waited_ms >= timeout_ms) return lockFolder(dir)
    await new Promise((resolve) => setTimeout(resolve, pause_ms))
  }
}
