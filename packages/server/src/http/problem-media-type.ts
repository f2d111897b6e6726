import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'

const mediaTypes = ['application/problem+json', 'application/json'] as const

/** The media type of a problem that a client prefers; one that accepts anything, or neither of them, gets that of problems. */
export const chooseProblemMediaType = (headers: IncomingHttpHeaders): string =>
  new Negotiator({ headers }).mediaType([...mediaTypes]) ?? mediaTypes[0]
