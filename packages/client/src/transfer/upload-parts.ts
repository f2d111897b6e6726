/** A part of a file: a broken connection costs one of them. */
export interface FilePart {
  readonly number: number
  readonly start: number
  readonly end: number
}

const mebibyte = 2 ** 20
const usual_part_bytes = 8 * mebibyte
const max_parts = 10_000

/** The size of all parts but the last: the same for the same file, so that an upload can go on later. */
export const partSize = (size_bytes: number): number =>
  Math.max(usual_part_bytes, Math.ceil(size_bytes / max_parts / mebibyte) * mebibyte)

/** Smaller files are sent in one piece. */
export const isSentWhole = (size_bytes: number): boolean => size_bytes <= usual_part_bytes

export function listParts(size_bytes: number): FilePart[] {
  const part_bytes = partSize(size_bytes)
  return Array.from({ length: Math.ceil(size_bytes / part_bytes) }, (_, index) => ({
    number: index + 1,
    start: index * part_bytes,
    end: Math.min(size_bytes, (index + 1) * part_bytes),
  }))
}

interface ReceivedPart {
  readonly number: number
  readonly size_bytes: number
}

/** The parts that the platform has not received in full. */
export function listMissingParts(size_bytes: number, received: readonly ReceivedPart[]): FilePart[] {
  const sizes = new Map(received.map((part) => [part.number, part.size_bytes]))
  return listParts(size_bytes).filter(({ number, start, end }) => sizes.get(number) !== end - start)
}
