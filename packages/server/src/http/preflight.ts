import type { FastifyRequest } from 'fastify'

/** The response to a preflight request (Fetch standard, CORS protocol). */
export interface Preflight {
  readonly methods: string
  /** Allowed headers if the request lists none. */
  readonly headers: string
}

/** A list of header names; any other value is not echoed. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/

/**
 * The response headers for a preflight request. Requested headers are allowed by name, since cookies authenticate nothing
 * and clients add headers of their own; a wildcard would not include `authorization`.
 */
export function preflightHeaders({ headers }: FastifyRequest, usual: Preflight): Record<string, string> {
  const asked = headers['access-control-request-headers']?.trim() ?? ''
  return {
    'access-control-allow-methods': usual.methods,
    'access-control-allow-headers': headerNames.test(asked) ? asked : usual.headers,
    'access-control-max-age': '86400',
    vary: 'access-control-request-headers',
  }
}
