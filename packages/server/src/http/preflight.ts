import type { FastifyRequest } from 'fastify'

/** What a preflight request (Fetch standard, CORS protocol) is told. */
export interface Preflight {
  readonly methods: string
  /** For who asks without naming headers. */
  readonly headers: string
}

/** A list of header names; anything else is not sent back. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/

/**
 * The headers of the answer to a preflight request. The headers that it asks for are allowed by name, since nothing is
 * authenticated by cookies and clients add some of their own; a wildcard would not cover `authorization`.
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
