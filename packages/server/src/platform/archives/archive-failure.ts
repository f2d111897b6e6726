/**
 * What keeps an archive from being read:
 * `not_archive` the bytes are no ZIP; `damaged` it contradicts itself or ends too early; `unsupported` a lawful ZIP of a
 * kind that is not read (encrypted, another compression); `unsafe` a name, link or nesting that a sender of plain files
 * has no use for; `too_large` more files or bytes than allowed.
 */
export type ArchiveFailureKind = 'not_archive' | 'damaged' | 'unsupported' | 'unsafe' | 'too_large'

/** The only error that reading an archive throws on purpose; `message` is fit to be shown to whoever sent the file. */
export class ArchiveFailure extends Error {
  readonly kind: ArchiveFailureKind
  constructor(kind: ArchiveFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ArchiveFailure'
    this.kind = kind
  }
}
