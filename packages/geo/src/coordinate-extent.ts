/**
 * The minimum and maximum of coordinates at any nesting depth, without regard to the 180° meridian. Without any
 * coordinates the box is empty: from Infinity to -Infinity.
 */
export function coordinateExtent(coordinates: unknown): [west: number, south: number, east: number, north: number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  const walk = (value: unknown): void => {
    const list = value as unknown[]
    if (typeof list[0] !== 'number') return list.forEach(walk)
    const [x, y] = list as [number, number]
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x)
    box[3] = Math.max(box[3], y)
  }
  walk(coordinates)
  return box
}

/** True if an extent lies within another one, or both are equal. */
export const isExtentWithin = (
  [west, south, east, north]: readonly [number, number, number, number],
  outer: readonly [number, number, number, number],
): boolean => west >= outer[0] && south >= outer[1] && east <= outer[2] && north <= outer[3]
