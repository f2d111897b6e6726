/**
 * What keeps a vector file from becoming features:
 * `not_vector` none of the formats that are read; `damaged` it contradicts itself or ends too early; `unsupported` a
 * lawful file with something that is not read; `unsafe` an archive or a document that no sender of plain data needs;
 * `invalid` features or positions that cannot be stored; `no_place` its reference system is not known; `too_large` more
 * features, positions, bytes, memory or time than allowed.
 */
export type VectorFailureKind =
  | 'not_vector'
  | 'damaged'
  | 'unsupported'
  | 'unsafe'
  | 'invalid'
  | 'no_place'
  | 'too_large'

/** The only error that reading a vector file throws on purpose; `message` says what is wrong and what to do. */
export class VectorFailure extends Error {
  readonly kind: VectorFailureKind
  constructor(kind: VectorFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'VectorFailure'
    this.kind = kind
  }
}
