import { Problem } from '../../../engine/problem.ts'
import type { ProcessesDialect } from './urls.ts'

/** The exceptions of a 404 in OGC API - Processes, as its `type` (OGC 18-062r2, clauses 7.10 to 7.13). */
export type ProcessesException = 'no-such-process' | 'no-such-job' | 'result-not-ready'

const typeOf = (name: ProcessesException): string =>
  `http://www.opengis.net/def/exceptions/ogcapi-processes-1/1.0/${name}`

/** A `not-found` with the type of the standard; clients of the older dialect get that of the platform. */
export const createProcessesException = (
  dialect: ProcessesDialect,
  name: ProcessesException,
  detail: string,
): Problem => new Problem('not-found', detail, dialect === 'ogc' ? { type: typeOf(name) } : {})

/** Runs work, and gives a `not-found` that it throws the type of the standard. Other errors are thrown unchanged. */
export async function withNotFoundExceptionType<T>(
  dialect: ProcessesDialect,
  name: ProcessesException,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'not-found') throw error
    throw createProcessesException(dialect, name, error.message)
  }
}
