/**
 * The reasons why a vector file cannot be converted: `not_vector` it has no supported format; `damaged` it is inconsistent
 * or truncated; `unsupported` it is valid, but uses an unsupported feature; `unsafe` it is an archive or document that
 * could do harm; `invalid` its features or positions cannot be stored; `no_place` its coordinate reference system is
 * unknown; `too_large` it exceeds the limits of features, positions, bytes, memory or time.
 */
export type VectorFailureKind =
  | 'not_vector'
  | 'damaged'
  | 'unsupported'
  | 'unsafe'
  | 'invalid'
  | 'no_place'
  | 'too_large'

/** The only deliberate error of reading a vector file; `message` says what is wrong and what to do. */
export class VectorFailure extends Error {
  readonly kind: VectorFailureKind
  constructor(kind: VectorFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'VectorFailure'
    this.kind = kind
  }
}
