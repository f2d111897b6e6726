import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { day_ms } from '@swath/geo/time-units.ts'
import { systemClock } from '../../clock.ts'
import { newId } from '../../ids.ts'
import type { Database } from '../database.ts'
import { getStatementRunner } from '../raw.ts'
import { readPgliteVersion, readPostgisVersion } from './bundle.ts'
import { waitForFolderLock } from './folder-lock.ts'
import { openEmbeddedPostgres } from './open.ts'
import type { EmbeddedDatabase } from './open.ts'

/** The initial content of new databases, beyond the spatial extension. */
export interface InitialDatabaseContent {
  /** Texts that change whenever the content does: a template with other texts is not used. */
  versions(): Promise<readonly string[]>
  fill(database: Database): Promise<void>
}

const templatePrefix = 'filled-'
const fill_timeout_ms = 300_000

const exists = (file: string): Promise<boolean> =>
  fs.access(file).then(
    () => true,
    () => false,
  )

/**
 * Removes templates of other versions that were not created or used for a day; another program may still use one from
 * today.
 */
async function removeOld(cacheDir: string, current: string): Promise<void> {
  for (const name of await fs.readdir(cacheDir)) {
    const folder = path.join(cacheDir, name)
    if (!name.startsWith(templatePrefix) || folder.startsWith(current)) continue
    const { mtimeMs } = await fs.stat(folder)
    if (systemClock.now().getTime() - mtimeMs > day_ms) await fs.rm(folder, { recursive: true, force: true })
  }
}

/**
 * Removes preallocated segments of the write-ahead log: they are empty, and a third of what a new database would copy.
 * Segment names increase, so those after the current one sort after it.
 */
async function removeSpareSegments(folder: string, currentName: string): Promise<void> {
  const log = path.join(folder, 'pg_wal')
  for (const name of await fs.readdir(log)) {
    if (/^[0-9A-F]{24}$/.test(name) && name > currentName) await fs.rm(path.join(log, name))
  }
}

/** The segment with the last record after an orderly shutdown; the shutdown checkpoint may have started a new one. */
async function currentSegment(database: EmbeddedDatabase): Promise<string> {
  const { rows } = await getStatementRunner(database.unscoped).run(
    `select pg_walfile_name(pg_current_wal_insert_lsn() + 1024 * 1024) as segment`,
    [],
  )
  return String(rows[0]?.['segment'])
}

async function buildTemplate(folder: string, cacheDir: string, content: InitialDatabaseContent): Promise<void> {
  const database = await openEmbeddedPostgres({
    dir: folder,
    cacheDir,
    statement_timeout_ms: fill_timeout_ms,
    durable: false,
  })
  let segment: string
  try {
    await content.fill(database)
    segment = await currentSegment(database)
  } finally {
    await database.close()
  }
  await removeSpareSegments(folder, segment)
}

/** The folder of a database with this content, created once by one process at a time, from which new databases are copied. */
export async function ensureFilledTemplate(cacheDir: string, content: InitialDatabaseContent): Promise<string> {
  await fs.mkdir(cacheDir, { recursive: true })
  const key = createHash('sha256').update(`${readPgliteVersion()} ${readPostgisVersion()}`)
  for (const version of await content.versions()) key.update(`\0${version}`)
  const template = path.join(await fs.realpath(cacheDir), `${templatePrefix}${key.digest('hex').slice(0, 16)}`)
  if (await exists(template)) return template
  const lock = await waitForFolderLock(template, fill_timeout_ms)
  try {
    if (await exists(template)) return template
    const unfinished = path.join(cacheDir, `${templatePrefix}unfinished-${newId()}`)
    await buildTemplate(unfinished, cacheDir, content)
    await fs.rename(unfinished, template)
    await fs.rm(`${unfinished}.lock`, { force: true })
    await removeOld(cacheDir, template)
    return template
  } finally {
    lock.release()
  }
}
