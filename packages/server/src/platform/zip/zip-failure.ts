/**
 * The reasons why an archive cannot be read: `not_archive` is not a ZIP; `damaged` is inconsistent or truncated;
 * `unsupported` is a valid ZIP with an unsupported feature (encryption, another compression method); `unsafe` has a
 * name, link or nested archive that plain data never needs; `too_large` exceeds the limits on files or bytes.
 */
export type ZipFailureKind = 'not_archive' | 'damaged' | 'unsupported' | 'unsafe' | 'too_large'

/** The only error that reading an archive throws deliberately; `message` may be shown to the user who sent the file. */
export class ZipFailure extends Error {
  readonly kind: ZipFailureKind
  constructor(kind: ZipFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ZipFailure'
    this.kind = kind
  }
}
