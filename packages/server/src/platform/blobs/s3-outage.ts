/** What Node says where a store cannot be reached, or goes away under an answer. */
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

/** What the store or its client say, by name. */
const names = new Set(['NoSuchBucket', 'SlowDown', 'ServiceUnavailable', 'InternalError', 'TimeoutError'])

/** The status that the store answered, as its client notes it on an error; 0 where it answered none. */
function statusOf(error: Error): number {
  const metadata: unknown = '$metadata' in error ? error.$metadata : null
  const status = typeof metadata === 'object' && metadata && 'httpStatusCode' in metadata ? metadata.httpStatusCode : 0
  return Number(status ?? 0)
}

/** True where the store is away or overloaded, so that the same call may succeed later. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (names.has(error.name)) return true
  if (statusOf(error) >= 500) return true
  if ('code' in error && connectionCodes.has(String(error.code))) return true
  return error instanceof AggregateError && error.errors.some(isOutage)
}
