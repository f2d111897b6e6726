import type { PGlite } from '@electric-sql/pglite'
import { takeSnapshot } from './snapshot.ts'

/** Loads the geometry library and the procedural language: what is loaded after the snapshot cannot be taken back. */
const loadLibraries = `
  select st_area(st_transform(st_buffer('SRID=4326;POINT(11 46)'::geometry, 0.1), 3857));
  do $$ begin perform 1; end $$`

const countLibraries = async (engine: PGlite): Promise<unknown> =>
  (await engine.query<{ count: unknown }>('select count(*) as count from pg_get_loaded_modules()')).rows[0]?.count

/**
 * Takes a snapshot of a running engine. The result brings it back: true where it is as it was then, false where a library was
 * loaded since, whose functions a snapshot does not hold, so that the engine has to be ended.
 */
export async function keepEngine(engine: PGlite): Promise<() => Promise<boolean>> {
  await engine.exec(loadLibraries)
  const libraries = await countLibraries(engine)
  const restore = takeSnapshot(engine)
  return async () => {
    // An open transaction, perhaps a failed one, would refuse the question, and so would the role of the last caller.
    await engine.exec('rollback; reset role')
    const unchanged = (await countLibraries(engine)) === libraries
    if (unchanged) restore()
    return unchanged
  }
}
