import type { FieldError } from '../../engine/problem.ts'

export type WebhookCustomHeaders = Readonly<Record<string, string>>

const max_headers = 20
const max_headers_bytes = 8 * 1024

/** Headers that belong to the connection, the body or the platform: set by a subscriber they would forge or break a delivery. */
const reserved_header =
  /^(host|connection|content-.*|transfer-encoding|accept-encoding|expect|keep-alive|te|trailer|upgrade|via|forwarded|proxy-.*|x-forwarded-.*|x-service-.*|webhook-.*|svix-.*|sec-.*)$/
const header_name = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/
/** Visible ASCII, spaces and tabs: no line break can start another header. */
const header_value = /^[\t\x20-\x7e]*$/

/** Returns the errors in the custom headers of a subscription. */
export function findCustomHeaderErrors(headers: WebhookCustomHeaders): FieldError[] {
  const entries = Object.entries(headers)
  const errors = entries.flatMap(([name, value]): FieldError[] => {
    const path = `headers.${name.slice(0, 100)}`
    if (!header_name.test(name.toLowerCase()))
      return [{ path: 'headers', message: 'has a name that is not a header name' }]
    if (reserved_header.test(name.toLowerCase())) return [{ path, message: 'is a header that the platform sets' }]
    if (!header_value.test(value)) return [{ path, message: 'must be visible ASCII characters without line breaks' }]
    return []
  })
  if (new Set(entries.map(([name]) => name.toLowerCase())).size < entries.length)
    errors.push({ path: 'headers', message: 'names a header twice' })
  if (entries.length > max_headers)
    errors.push({ path: 'headers', message: `must have at most ${max_headers} headers` })
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (bytes > max_headers_bytes)
    errors.push({ path: 'headers', message: `must have at most ${max_headers_bytes} bytes` })
  return errors
}

const credential_header = /auth|cookie|key|token|secret|password|signature/i

/** The headers as they are read back: values of credentials are not shown again. */
export const redactCustomHeaders = (headers: WebhookCustomHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, credential_header.test(name) ? '[redacted]' : value]),
  )
