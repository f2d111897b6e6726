import type { PGlite } from '@electric-sql/pglite'
import { takeSnapshot } from './snapshot.ts'

/** Loads the geometry library and the procedural language: a snapshot cannot undo a library that is loaded later. */
const loadLibraries = `
  select st_area(st_transform(st_buffer('SRID=4326;POINT(11 46)'::geometry, 0.1), 3857));
  do $$ begin perform 1; end $$`

const countLibraries = async (engine: PGlite): Promise<unknown> =>
  (await engine.query<{ count: unknown }>('select count(*) as count from pg_get_loaded_modules()')).rows[0]?.count

/**
 * Takes a snapshot of a running engine. The returned function restores it: true if it was restored, false if a library was
 * loaded since, whose functions are not part of the snapshot, so that the engine must be ended.
 */
export async function createEngineReset(engine: PGlite): Promise<() => Promise<boolean>> {
  await engine.exec(loadLibraries)
  const loadedCount = await countLibraries(engine)
  const restore = takeSnapshot(engine)
  return async () => {
    // An open or failed transaction, or the role of the last caller, would make the query fail.
    await engine.exec('rollback; reset role')
    const isUnchanged = (await countLibraries(engine)) === loadedCount
    if (isUnchanged) restore()
    return isUnchanged
  }
}
