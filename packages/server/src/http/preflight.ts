import type { FastifyRequest } from 'fastify'

/** The response to a preflight request (Fetch standard, CORS protocol). */
export interface PreflightPolicy {
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
export function preflightHeaders({ headers }: FastifyRequest, defaults: PreflightPolicy): Record<string, string> {
  const requestedHeaders = headers['access-control-request-headers']?.trim() ?? ''
  return {
    'access-control-allow-methods': defaults.methods,
    'access-control-allow-headers': headerNames.test(requestedHeaders) ? requestedHeaders : defaults.headers,
    'access-control-max-age': '86400',
    vary: 'access-control-request-headers',
  }
}
