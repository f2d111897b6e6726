import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { Input, Maybe, Nullable } from './primitives.ts'

/**
 * Anything but a valid Polygon or MultiPolygon is a fault of its capture (`not-a-polygon`), so that the others keep their price; hence
 * only an object is asked for here.
 */
const Wanted = Type.Unsafe<{ type?: unknown; coordinates?: unknown }>({
  type: 'object',
  description: 'A GeoJSON Polygon or MultiPolygon: the area wanted of the scene.',
})

/** A piece of imagery that can be bought: the id of the host's scene and the area wanted of it. */
export const Capture = Input({
  id: Type.String({ minLength: 1, maxLength: 500, description: "The scene's id at its host." }),
  geometry: Wanted,
  host: Maybe(Type.String({ maxLength: 200, description: 'A `host_name`; needed when several hosts know the id.' })),
})

export const Captures = Type.Array(Capture, {
  minItems: 1,
  maxItems: limits.captures,
  description: 'What is wanted, scene by scene.',
})

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
