import type { Operation } from '@swath/contract/operation.ts'
import { requireValidOutput } from '../input/read-input.ts'
import {
  isOperationResponse,
  getSingleChunkText,
  type OperationResponse,
  type SerializedJson,
  type TextChunks,
} from '../operation-response.ts'

export interface JsonResult {
  readonly kind: 'json'
  readonly operation: Operation
  readonly status: number
  /** The media type of a stored error; absent if it is the operation's own. */
  readonly media_type?: string
  readonly output: unknown
  /** The output, if it is serialized already; in chunks if it is long. */
  readonly text: string | TextChunks | null
  readonly replayed: boolean
}

export type CallResult =
  | JsonResult
  | {
      readonly kind: 'response'
      readonly operation: Operation
      readonly response: Exclude<OperationResponse, SerializedJson>
    }

export const getResultStatus = (result: CallResult): number =>
  result.kind === 'json' ? result.status : result.operation.status

/** The output of a handler as the result of its call. Throws an internal error if it does not match the contract. */
export function toCallResult(operation: Operation, output: unknown): CallResult {
  if (isOperationResponse(output)) {
    return output.kind === 'serialized-json'
      ? new SerializedResult(operation, output)
      : { kind: 'response', operation, response: output }
  }
  requireValidOutput(operation, output)
  return { kind: 'json', operation, status: operation.status, output, text: null, replayed: false }
}

/**
 * A serialized document as a result: its text is sent as it is, and `output` parses it on demand. It is a class for the reason
 * that `CallContext` is one: the hidden class of an object literal with a getter keeps the whole text until the next full
 * garbage collection, so that each of the short ones copies the texts of all calls since then.
 */
class SerializedResult implements JsonResult {
  readonly kind = 'json'
  readonly operation: Operation
  readonly status: number
  readonly text: string | TextChunks
  readonly replayed = false

  constructor(operation: Operation, serialized: SerializedJson) {
    requireValidOutput(operation, JSON.parse(serialized.sample))
    this.operation = operation
    this.status = operation.status
    this.text = getSingleChunkText(serialized) ?? serialized.chunks
  }

  get output(): unknown {
    return JSON.parse(typeof this.text === 'string' ? this.text : [...this.text].join(''))
  }
}
