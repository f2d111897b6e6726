import type { Client } from '@swath/client/client.ts'

/** Headers that say something about a call, in this order. */
const shown_headers = ['content-type', 'content-length', 'x-request-id', 'ratelimit', 'retry-after', 'location', 'etag', 'deprecation'] // prettier-ignore
const max_body_length = 200_000

export interface CallResponse {
  readonly status: number
  readonly isOk: boolean
  readonly duration_ms: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: CallBody
}

export type CallBody =
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'image'; readonly blob: Blob }
  | { readonly kind: 'bytes'; readonly blob: Blob }

/** Calls an operation as a program would, and keeps the response whatever its status. */
export async function runCall(
  client: Client,
  operation: string,
  input: object,
  idempotencyKey: string | null,
): Promise<CallResponse> {
  const start = performance.now()
  const response = await client.fetch(`/v1/op/${operation}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    },
    body: JSON.stringify(input),
  })
  const blob = await response.blob()
  return {
    status: response.status,
    isOk: response.ok,
    duration_ms: Math.round(performance.now() - start),
    headers: shown_headers
      .map((name) => [name, response.headers.get(name)] as const)
      .filter((header): header is readonly [string, string] => header[1] !== null),
    body: await readBody(blob),
  }
}

async function readBody(blob: Blob): Promise<CallBody> {
  if (blob.type.startsWith('image/')) return { kind: 'image', blob }
  if (!/^text\/|json|xml/.test(blob.type)) return { kind: 'bytes', blob }
  const text = await blob.text()
  return { kind: 'text', text: format(text).slice(0, max_body_length), isCut: text.length > max_body_length }
}

/** JSON with indentation; other text as it is. */
function format(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
