import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { StrictObject, OptionalNullable, Nullable } from './primitives.ts'

/**
 * The schema accepts any object: a geometry that is not a valid Polygon or MultiPolygon is an error of its own capture
 * (`not-a-polygon`) and does not fail the others.
 */
export const AreaOfInterest = Type.Unsafe<{ type?: unknown; coordinates?: unknown }>({
  type: 'object',
  description: 'A GeoJSON Polygon or MultiPolygon: the area of interest in the scene, to which its images are clipped.',
})

/** Imagery to order: the id of a scene at its host and the area of interest in it. */
export const Capture = StrictObject({
  id: Type.String({ minLength: 1, maxLength: 500, description: 'The id of the scene at its host.' }),
  geometry: AreaOfInterest,
  host: OptionalNullable(
    Type.String({ maxLength: 200, description: 'A `host_name`; required if several hosts have a scene with this id.' }),
  ),
})

export const Captures = Type.Array(Capture, {
  minItems: 1,
  maxItems: limits.max_captures,
  description: 'The scenes with their areas of interest.',
})

export const captureErrorCodes = [
  'unknown-host',
  'unknown-capture',
  'outside-footprint',
  'not-a-polygon',
  'duplicate',
  'already-held',
  'not-available',
] as const

/** The reason why a capture could not be priced. */
export const CaptureError = Type.Object({
  id: Type.String(),
  host: Nullable(Type.String()),
  code: Type.Enum([...captureErrorCodes]),
  message: Type.String(),
})

export type Capture = Static<typeof Capture>
export type CaptureError = Static<typeof CaptureError>
