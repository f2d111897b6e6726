/** Error codes of Node when a store cannot be reached or closes the connection during a response. */
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])

/** Error names of the store or its client. */
const names = new Set(['NoSuchBucket', 'SlowDown', 'ServiceUnavailable', 'InternalError', 'TimeoutError'])

/** The HTTP status that the SDK records on an error; 0 if there was no response. */
function statusOf(error: Error): number {
  const metadata: unknown = '$metadata' in error ? error.$metadata : null
  const status = typeof metadata === 'object' && metadata && 'httpStatusCode' in metadata ? metadata.httpStatusCode : 0
  return Number(status ?? 0)
}

/** True if the store is unavailable or overloaded, so that the same call may succeed later. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (names.has(error.name)) return true
  if (statusOf(error) >= 500) return true
  if ('code' in error && connectionCodes.has(String(error.code))) return true
  return error instanceof AggregateError && error.errors.some(isOutage)
}
