import { ApiProblem } from '../problem.ts'

/** True if the same call may work in a moment. */
export const isRepeatable = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.status === 429 || (error.status >= 500 && error.status !== 501)

/** A transfer that does not succeed by doing the same again. */
export class TransferError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** A file to be uploaded cannot be read: it was changed, moved or deleted meanwhile, or is a folder. */
export class UnreadableFileError extends TransferError {
  constructor(cause: unknown) {
    super('The file cannot be read: it was changed, moved or deleted meanwhile, or is a folder.', { cause })
  }
}

/** The bytes that arrived are not those that the platform has the checksum or the size of. */
export class ChecksumError extends TransferError {
  readonly expected: string
  readonly actual: string

  constructor(expected: string, actual: string) {
    super(`The downloaded bytes are not those of the file: expected ${expected}, got ${actual}. Download it again.`)
    this.expected = expected
    this.actual = actual
  }
}

/** The file was replaced by another one while it was downloaded, so that its parts do not belong together. */
export class RemoteChangedError extends TransferError {
  constructor() {
    super('The file changed while it was downloaded. Download it again.')
  }
}
