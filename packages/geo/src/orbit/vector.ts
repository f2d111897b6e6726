/** Three components in one frame: kilometres, kilometres per second, or a direction of length 1. */
export type Vector3 = readonly [x: number, y: number, z: number]

export const dotProduct = (a: Vector3, b: Vector3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

export const crossProduct = (a: Vector3, b: Vector3): Vector3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

export const subtractVectors = (a: Vector3, b: Vector3): Vector3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]

/** a + b × factor. */
export const addScaledVector = (a: Vector3, b: Vector3, factor: number): Vector3 => [
  a[0] + b[0] * factor,
  a[1] + b[1] * factor,
  a[2] + b[2] * factor,
]

/** Math.hypot guards against overflow, which costs ten times as much. */
const lengthOf = (a: Vector3): number => Math.sqrt(dotProduct(a, a))

export const normalizeVector = (a: Vector3): Vector3 => {
  const length = lengthOf(a)
  return [a[0] / length, a[1] / length, a[2] / length]
}

/** The angle between two vectors in radians; accurate near 0 and π, unlike the arc cosine. */
export const angleBetween = (a: Vector3, b: Vector3): number =>
  Math.atan2(lengthOf(crossProduct(a, b)), dotProduct(a, b))

export const radians_per_degree = Math.PI / 180

/** The remainder of an angle in degrees, 0 to 360. */
export const wrapTo360Degrees = (degrees: number): number => ((degrees % 360) + 360) % 360
