/** Error codes of Node when a store cannot be reached or closes the connection during a response. */
const connectionErrorCodes = new Set([
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
const outageErrorNames = new Set(['NoSuchBucket', 'SlowDown', 'ServiceUnavailable', 'InternalError', 'TimeoutError'])

/** The HTTP status that the SDK records on an error; 0 if there was no response. */
function httpStatusOf(error: Error): number {
  const metadata: unknown = '$metadata' in error ? error.$metadata : null
  const status = typeof metadata === 'object' && metadata && 'httpStatusCode' in metadata ? metadata.httpStatusCode : 0
  return Number(status ?? 0)
}

/** True if the store is unavailable or overloaded, so that the same call may succeed later. */
export function isS3Outage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (outageErrorNames.has(error.name)) return true
  if (httpStatusOf(error) >= 500) return true
  if ('code' in error && connectionErrorCodes.has(String(error.code))) return true
  return error instanceof AggregateError && error.errors.some(isS3Outage)
}
