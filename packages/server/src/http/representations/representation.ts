import type { TextChunks } from '../../engine/operation-response.ts'
import type { CallResult } from '../../engine/pipeline/call-result.ts'

/** A complete response of a contract route. */
export interface RouteResponse {
  readonly status: number
  /** Null if there is no body. */
  readonly media_type: string | null
  /** Lower-case names; the route compares `etag` with `If-None-Match`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | TextChunks | Uint8Array | null
}

/** Converts the result of an operation to the response of a route. `url` is that of the request, without its query. */
export type ToRouteResponse = (result: CallResult, url: string) => RouteResponse

/** The JSON text of a result; stored responses are sent byte for byte. */
export function getResultJsonText(result: CallResult): string | TextChunks {
  if (result.kind !== 'json') throw new Error(`${result.operation.id} returned bytes for a route that requires JSON`)
  return result.text ?? JSON.stringify(result.output)
}

export const joinTextChunks = (text: ReturnType<typeof getResultJsonText>): string =>
  typeof text === 'string' ? text : [...text].join('')

/** The JSON value of a result, for representations with other members. */
export const getResultJsonValue = (result: CallResult): unknown => JSON.parse(joinTextChunks(getResultJsonText(result)))
