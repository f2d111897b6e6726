import type { Pieces } from '../../engine/answer.ts'
import type { Outcome } from '../../engine/pipeline.ts'

/** A whole answer as a facade sends it. */
export interface Shaped {
  readonly status: number
  /** Null where there is no body. */
  readonly media_type: string | null
  /** Lower-case names; `etag` is compared with `if-none-match` by the door. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Pieces | Uint8Array | null
}

/** Turns what an operation answered into what a route sends; knows neither request nor time. */
export type Shape = (outcome: Outcome) => Shaped

/** The JSON text of an outcome; kept answers are sent byte for byte. */
export function textOf(outcome: Outcome): string | Pieces {
  if (outcome.form !== 'json') throw new Error(`${outcome.operation.id} answers bytes where a route expects JSON`)
  return outcome.pieces ?? outcome.text ?? JSON.stringify(outcome.output)
}
