import type { Pieces } from '../../engine/answer.ts'
import type { Outcome } from '../../engine/pipeline.ts'

/** A complete response of a contract route. */
export interface Shaped {
  readonly status: number
  /** Null if there is no body. */
  readonly media_type: string | null
  /** Lower-case names; the route compares `etag` with `If-None-Match`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Pieces | Uint8Array | null
}

/** Converts the result of an operation to the response of a route; depends on neither request nor time. */
export type Shape = (outcome: Outcome) => Shaped

/** The JSON text of a result; stored responses are sent byte for byte. */
export function textOf(outcome: Outcome): string | Pieces {
  if (outcome.form !== 'json') throw new Error(`${outcome.operation.id} returned bytes for a route that requires JSON`)
  return outcome.pieces ?? outcome.text ?? JSON.stringify(outcome.output)
}
