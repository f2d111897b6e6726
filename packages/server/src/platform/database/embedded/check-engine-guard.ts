import { DatabaseFailure, StatementError } from '../failures.ts'
import type { DatabaseEngineClient } from './engine-client.ts'

const ownerSession = { role: 'owner', organization: null } as const

/**
 * Intersects a self-intersecting polygon with one that has an invalid hole: GEOS throws, which must arrive as SQLSTATE
 * 22023.
 */
const invalidOverlay = `
  select st_astext(st_intersection(
    'POLYGON((0 0,10 10,0 10,10 0,0 0))'::geometry,
    'POLYGON((0 0,10 0,10 10,0 10,0 0),(5 5,15 5,15 8,5 8,5 5))'::geometry))`

/**
 * Rejects an engine that swallows errors of its geometry library. Checked once for each version of engine and library,
 * when the template is created: loading the library at every startup would double the startup time.
 */
export async function assertEngineReportsGeometryErrors(engineClient: DatabaseEngineClient): Promise<void> {
  try {
    await engineClient.post(
      { kind: 'run', session: ownerSession, text: invalidOverlay, values: [] },
      { timeout_ms: 30_000 },
    )
  } catch (error) {
    if (error instanceof StatementError && error.code === '22023') return
    throw error
  }
  throw new DatabaseFailure('database-unavailable', 'the embedded database swallows errors of its geometry library')
}
