import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { Geometry } from './geojson.ts'
import { Described, Input, Nullable } from './primitives.ts'

/** A piece of imagery that can be bought: the id of the host's scene and the area wanted of it. */
export const Capture = Input({
  id: Type.String({ minLength: 1, maxLength: 500, description: "The scene's id at its host." }),
  geometry: Described('A Polygon; any other geometry is named among the errors.', Geometry),
  host: Type.Optional(
    Nullable(Type.String({ maxLength: 200, description: 'A `host_name`; needed when several hosts know the id.' })),
  ),
})

export const Captures = Type.Array(Capture, { maxItems: limits.captures })

export const captureFaults = [
  'unknown-host',
  'unknown-capture',
  'outside-footprint',
  'not-a-polygon',
  'duplicate',
] as const

/** Why a capture has no price. */
export const CaptureError = Type.Object({
  id: Type.String(),
  host: Nullable(Type.String()),
  code: Type.Enum([...captureFaults]),
  message: Type.String(),
})

export type Capture = Static<typeof Capture>
export type CaptureError = Static<typeof CaptureError>
