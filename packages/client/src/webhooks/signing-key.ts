const secretPrefix = 'whsec_'

export type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The HMAC key of a secret: the bytes after `whsec_`, or the text itself, which a client may choose. Null if it has none. */
export async function importSigningKey(secret: string, usage: 'sign' | 'verify'): Promise<SigningKey | null> {
  const bytes = secret.startsWith(secretPrefix)
    ? decodeBase64(secret.slice(secretPrefix.length))
    : new TextEncoder().encode(secret)
  if (bytes === null || bytes.length === 0) return null
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])
}

/** The bytes that are signed. */
export const toWebhookMessage = (id: string, timestamp: string, body: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`${id}.${timestamp}.${body}`)

/** Null if the text is not base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
