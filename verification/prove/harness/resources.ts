import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openFileSource, openRaster, type Raster } from '@swath/raster'
import {
  createDatabaseIfServer,
  createInstallationDatabase,
  createTestDatabase,
} from '../../../packages/server/test/database.ts'

/** Adds the end of a value, for `await using`. */
export const disposeWith = <T extends object>(value: T, end: (value: T) => Promise<unknown>): T & AsyncDisposable =>
  Object.assign(value, { [Symbol.asyncDispose]: async () => void (await end(value)) })

type Closable = { close(): Promise<unknown> } | { stop(): Promise<unknown> } | { end(): Promise<unknown> }

/** Closes, stops or ends a value where the block that declares it ends, for `await using`. */
export const closeAtEnd = <T extends Closable>(value: T): T & AsyncDisposable =>
  disposeWith(value, (ended) => ('close' in ended ? ended.close() : 'stop' in ended ? ended.stop() : ended.end()))

export type TemporaryFolder = AsyncDisposable & { readonly path: string }

/** A new folder that is removed at the end, among those of temporary files or in `parent`. */
export async function createFolder(name: string, parent = tmpdir()): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, `swath-${name}-`))
  return disposeWith({ path }, () => rm(path, { recursive: true, force: true }))
}

/** A new database of a PostgreSQL server that is dropped at the end. */
export const createDatabase = async (server: string, template?: string): Promise<AsyncDisposable & { url: string }> =>
  disposeWith(
    await (template === undefined ? createInstallationDatabase(server) : createTestDatabase(server, template)),
    ({ drop }) => drop(),
  )

/** A new database of the server of `DATABASE_URL`; its URL is null without one, for the embedded database. */
export async function createConfiguredDatabase(): Promise<AsyncDisposable & { readonly url: string | null }> {
  const database = await createDatabaseIfServer()
  return disposeWith({ url: database?.url ?? null }, async () => database?.drop())
}

interface WaitOptions {
  readonly timeout_ms: number
  readonly poll_ms?: number
}

/** Polls until there is a value that is not null, undefined or false; null after the timeout. */
export async function waitFor<T>(
  find: () => Promise<T | null | undefined | false>,
  { timeout_ms, poll_ms = 100 }: WaitOptions,
): Promise<T | null> {
  const until_ms = performance.now() + timeout_ms
  for (;;) {
    const found = await find()
    if (found) return found
    if (performance.now() > until_ms) return null
    await pause(poll_ms)
  }
}

/** Opens a raster file that is closed at the end. */
export const openRasterFor = async (path: string): Promise<Raster & AsyncDisposable> =>
  disposeWith(await openRaster(await openFileSource(path)), ({ source }) => source.close())
