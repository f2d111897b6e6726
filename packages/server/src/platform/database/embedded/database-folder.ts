import fs from 'node:fs'
import path from 'node:path'
import { DatabaseFailure } from '../failures.ts'

/** Where a folder is made before it gets its name. */
export const getUnfinishedDatabaseFolder = (finished: string): string => `${finished}.tmp-${process.pid}`

/** Removes folders whose creation was interrupted. Only names of unfinished folders are ever removed. */
export function removeUnfinishedDatabaseFolders(finished: string): void {
  const prefix = `${path.basename(finished)}.tmp-`
  for (const name of fs.readdirSync(path.dirname(finished))) {
    if (name.startsWith(prefix)) fs.rmSync(path.join(path.dirname(finished), name), { recursive: true, force: true })
  }
}

/** Syncs every file of the folder, and the folder itself, to disk. */
async function fsyncFolder(dir: string): Promise<void> {
  const entries = await fs.promises.readdir(dir, { recursive: true, withFileTypes: true })
  const paths = [dir, ...entries.map((entry) => path.join(entry.parentPath, entry.name))]
  const syncOne = async (file: string): Promise<void> => {
    const handle = await fs.promises.open(file, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
  const batch = 64
  for (let at = 0; at < paths.length; at += batch) await Promise.all(paths.slice(at, at + batch).map(syncOne))
}

/** The major version of PostgreSQL that wrote a folder; null if there is none. */
function readVersion(dir: string): string | null {
  try {
    return fs.readFileSync(path.join(dir, 'PG_VERSION'), 'utf8').trim()
  } catch {
    return null
  }
}

/**
 * Makes `dir` a database: an existing one remains, a missing or empty folder becomes a copy of the template under a
 * temporary name, renamed when complete. The caller holds the lock of `dir`. Throws `folder-unusable` if the folder
 * holds something else.
 */
export async function ensureDatabaseFolder(dir: string, template: string, durable: boolean): Promise<void> {
  removeUnfinishedDatabaseFolders(dir)
  if (fs.existsSync(dir) && fs.readdirSync(dir).length > 0) {
    if (readVersion(dir) === null)
      throw new DatabaseFailure('folder-unusable', `${dir} is not empty and does not contain a database`)
    return
  }
  const unfinished = getUnfinishedDatabaseFolder(dir)
  // A thousand files: copying them one by one in JavaScript would take five times as long.
  fs.cpSync(template, unfinished, { recursive: true, mode: fs.constants.COPYFILE_FICLONE })
  await fs.promises.chmod(unfinished, 0o700)
  if (durable) await fsyncFolder(unfinished)
  await fs.promises.rename(unfinished, dir)
}

/** Throws `folder-unusable` if the folder was written by another major version of PostgreSQL than the template. */
export function checkDatabaseVersion(dir: string, template: string): void {
  const [folderVersion, templateVersion] = [readVersion(dir), readVersion(template)]
  if (folderVersion === templateVersion) return
  throw new DatabaseFailure(
    'folder-unusable',
    `${dir} was written by PostgreSQL ${folderVersion}, this program uses ${templateVersion}: export the data with the earlier program first`,
  )
}
